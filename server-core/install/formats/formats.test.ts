import fc from 'fast-check'
import { stringify as stringifyToml } from 'smol-toml'
import { describe, expect, test } from 'vitest'
import { stringify as stringifyYaml } from 'yaml'
import { changeEntry, entryAt } from './change-entry.ts'
import { configs, JSON5_QUOTES, jsonText, manners, settings } from './config-text-arbitrary.test-support.ts'
import { ConfigSyntaxError, UneditableError, type ConfigFormat } from './config-format.ts'
import { json5Format, jsonFormat } from './json-format.ts'
import { tomlFormat } from './toml-format.ts'
import { yamlFormat } from './yaml-format.ts'

const entry = { command: '/usr/bin/node', args: ['/opt/p b/cli.js', 'serve', '--stdio'], env: { A: '1' } }
const other = { command: 'C:\\node.exe', args: [] }
const NAME = 'patchbay-notes'

/** Whether one text is another with pieces put in. */
function isWithin(text: string, longer: string): boolean {
  let at = 0
  for (const character of longer) if (character === text[at]) at += 1
  return at === text.length
}

describe.each<{
  readonly what: string
  readonly format: ConfigFormat
  readonly path: readonly string[]
  readonly texts: fc.Arbitrary<{ readonly text: string; readonly servers: number }>
}>([
  {
    what: 'JSON',
    format: jsonFormat,
    path: ['mcpServers'],
    texts: fc
      .tuple(configs(['mcpServers']), manners)
      .map(([{ value, servers }, manner]) => ({ text: jsonText(value, manner), servers })),
  },
  {
    what: 'JSON without a blank',
    format: jsonFormat,
    path: ['mcp', 'servers'],
    texts: configs(['mcp', 'servers']).map(({ value, servers }) => ({
      text: JSON.stringify(value),
      servers,
    })),
  },
  {
    what: 'JSON5',
    format: json5Format,
    path: ['mcp', 'servers'],
    texts: fc
      .tuple(configs(['mcp', 'servers']), manners)
      .map(([{ value, servers }, manner]) => ({ text: jsonText(value, manner, JSON5_QUOTES), servers })),
  },
  {
    what: 'TOML',
    format: tomlFormat,
    path: ['mcp_servers'],
    texts: fc.tuple(configs(['mcp_servers']), manners).map(([{ value, servers }, { lineEnd, comments }]) => ({
      text: `${comments ? '# [mcp_servers.no]\n\n' : ''}${stringifyToml(value)}`.replaceAll('\n', lineEnd),
      servers,
    })),
  },
  {
    what: 'YAML',
    format: yamlFormat,
    path: ['mcp', 'servers'],
    texts: fc.tuple(configs(['mcp', 'servers']), manners).map(([{ value, servers }, manner]) => {
      const text = stringifyYaml(value, { indent: manner.unit.length > 2 ? 4 : 2, lineWidth: 0 })
      const commented = manner.comments ? `# a comment: {\n${text}# the last\n` : text
      return { text: commented.replaceAll('\n', manner.lineEnd), servers }
    }),
  },
])('$what', ({ format, path, texts }) => {
  const place = { path, name: NAME }

  test('an entry goes in, and every byte that was there stays in its order', () => {
    fc.assert(
      fc.property(texts, fc.boolean(), ({ text }, hasMark) => {
        const before = (hasMark ? '\uFEFF' : '') + text
        const after = changeEntry(format, before, place, entry)
        expect(entryAt(format.read(after.replace(/^\uFEFF/, '')), place)).toEqual(entry)
        if (text.trim() !== '' && text.trim() !== '{}') expect(isWithin(before, after)).toBe(true)
        expect(after.startsWith('\uFEFF')).toBe(hasMark)
      }),
    )
  })

  test('taking it out again gives back the file, byte for byte', () => {
    fc.assert(
      fc.property(texts, ({ text, servers }) => {
        fc.pre(servers > 0)
        const after = changeEntry(format, text, place, entry)
        expect(changeEntry(format, after, place, undefined)).toBe(
          text.endsWith('\n') || format !== tomlFormat ? text : `${text}\n`,
        )
      }),
    )
  })

  test('changing it is the same as having put it in so, and doing it twice changes nothing', () => {
    fc.assert(
      fc.property(texts, settings, ({ text }, more) => {
        const after = changeEntry(format, text, place, other)
        expect(changeEntry(format, after, place, other)).toBe(after)
        const changed = changeEntry(
          format,
          changeEntry(format, text, place, { ...entry, more }),
          place,
          other,
        )
        expect(format.read(changed)).toEqual(format.read(after))
        expect(changeEntry(format, changed, place, undefined)).toBe(
          changeEntry(format, after, place, undefined),
        )
      }),
    )
  })
})

test('comments, trailing commas and tabs of people stay where they are', () => {
  const before =
    '// mine\n{\n\t"servers": {\n\t\t// docs\n\t\t"docs": { "url": "https://x.example/" }, // keep\n\t},\n\t"inputs": [],\n}\n'
  const after = changeEntry(
    jsonFormat,
    before,
    { path: ['servers'], name: 'notes' },
    { type: 'stdio', command: 'n' },
  )
  expect(after).toBe(
    '// mine\n{\n\t"servers": {\n\t\t// docs\n\t\t"docs": { "url": "https://x.example/" }, // keep\n\t\t"notes": {\n\t\t\t"type": "stdio",\n\t\t\t"command": "n"\n\t\t},\n\t},\n\t"inputs": [],\n}\n',
  )
  expect(changeEntry(jsonFormat, after, { path: ['servers'], name: 'notes' }, undefined)).toBe(before)
})

test('an entry between others leaves without a trace', () => {
  const before = '{ "mcpServers": { "a": {}, "notes": { "command": "n" }, "b": {} } }'
  expect(changeEntry(jsonFormat, before, { path: ['mcpServers'], name: 'notes' }, undefined)).toBe(
    '{ "mcpServers": { "a": {}, "b": {} } }',
  )
})

test('JSON5 as people write it is read as it is, and gets an entry', () => {
  const before = '// gateway\n{\n  port: +180,\n}\n'
  const text =
    "{\n  gateway: { port: 0x1F, hosts: ['a', \"b\",], ratio: .5, },\n  mcp: {\n    servers: {\n      docs: { url: 'https://x/\\x41\\u0042', }, // keep\n    },\n  },\n}\n"
  expect(json5Format.read(before)).toEqual({ port: 180 })
  expect(json5Format.read(text)).toEqual({
    gateway: { port: 31, hosts: ['a', 'b'], ratio: 0.5 },
    mcp: { servers: { docs: { url: 'https://x/AB' } } },
  })
  const place = { path: ['mcp', 'servers'], name: 'notes' }
  const after = changeEntry(json5Format, text, place, { command: 'n' })
  expect(after).toBe(
    text.replace('// keep\n', '// keep\n      "notes": {\n        "command": "n"\n      },\n'),
  )
  expect(changeEntry(json5Format, after, place, undefined)).toBe(text)
})

test('a table of TOML is changed among its comments, with what is below it', () => {
  const before =
    'model = "x"\n\n[mcp_servers.notes]\ncommand = "old"\nargs = [\n  "[mcp_servers.docs]", # not a table\n]\n\n[mcp_servers.notes.env]\nA = "1"\n\n# of docs\n[mcp_servers.docs]\nurl = "https://x.example/"\n'
  const after = changeEntry(tomlFormat, before, { path: ['mcp_servers'], name: 'notes' }, { command: 'new' })
  expect(after).toBe(
    'model = "x"\n\n[mcp_servers.notes]\ncommand = "new"\n\n# of docs\n[mcp_servers.docs]\nurl = "https://x.example/"\n',
  )
})

test('block YAML of people keeps its comments and gets a block', () => {
  const before =
    'gateway:\n  port: 1 # the port\nmcp:\n  servers:\n    docs:\n      url: https://x.example/ # keep\n  # below\nlast: true\n'
  const after = changeEntry(
    yamlFormat,
    before,
    { path: ['mcp', 'servers'], name: 'notes' },
    { command: 'n', args: ['a'] },
  )
  expect(after).toBe(
    'gateway:\n  port: 1 # the port\nmcp:\n  servers:\n    docs:\n      url: https://x.example/ # keep\n    notes:\n      command: n\n      args:\n        - a\n  # below\nlast: true\n',
  )
  expect(changeEntry(yamlFormat, after, { path: ['mcp', 'servers'], name: 'notes' }, undefined)).toBe(before)
})

test.each([
  [jsonFormat, '{\n  "a": 1,\n  "b": }\n', 3],
  [jsonFormat, '[]', 1],
  [jsonFormat, '{ "mcpServers": { "a": {} }, "mcpServers": {} }', 1],
  [jsonFormat, '{\n "mcpServers": []\n}', 2],
  [jsonFormat, '{\n a: 1\n}', 2],
  [json5Format, '{\n a: [1,\n,] }', 3],
  [json5Format, "{ a: 'no end\n}", 1],
  [json5Format, '['.repeat(300), 1],
  [tomlFormat, 'a = 1\nb = \n', 2],
  [yamlFormat, 'a: 1\nb: [1\n', 3],
])('what is broken is refused with its line', (format, text, line) => {
  expect(() => changeEntry(format, text, { path: ['mcpServers'], name: 'notes' }, entry)).toThrow(
    expect.objectContaining({ name: ConfigSyntaxError.name, line }) as Error,
  )
})

test('what is written inline is refused, not rewritten', () => {
  const text = 'mcp_servers = { notes = { command = "x" } }\n'
  expect(() => changeEntry(tomlFormat, text, { path: ['mcp_servers'], name: 'notes' }, entry)).toThrow(
    UneditableError,
  )
  expect(() => changeEntry(tomlFormat, text, { path: ['mcp_servers'], name: 'other' }, entry)).toThrow(
    UneditableError,
  )
})
