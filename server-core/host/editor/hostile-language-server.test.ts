import { chmod, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import type { LanguageServerEvent } from '../contract/editor.ts'
import { EditorService } from './editor-service.ts'

let base = ''
beforeAll(async () => {
  base = await realpath(await mkdtemp(path.join(tmpdir(), 'patchbay-hostile-lsp-')))
})
afterAll(() => rm(base, { recursive: true, force: true, maxRetries: 3 }))

const HELPERS = `
const framed = (text) => 'Content-Length: ' + Buffer.byteLength(text) + '\\r\\n\\r\\n' + text
const say = (value) => process.stdout.write(framed(typeof value === 'string' ? value : JSON.stringify(value)))
const deep = (levels) => '['.repeat(levels) + ']'.repeat(levels)
setInterval(() => 0, 1_000)
`

/** Every event of a language server that does what the text says, until it ends. */
async function eventsOf(name: string, text: string): Promise<LanguageServerEvent[]> {
  const program = path.join(base, `${name.replaceAll(/\W+/g, '-')}.cjs`)
  await writeFile(program, `#!${process.execPath}\n${HELPERS}${text}\n`)
  await chmod(program, 0o755)
  const service = new EditorService({
    folder: base,
    drafts: path.join(base, 'drafts'),
    isTrusted: () => true,
    program,
  })
  const events: LanguageServerEvent[] = []
  try {
    for await (const event of service.languageServer(false, undefined)) events.push(event)
  } finally {
    await service.close()
  }
  return events
}

const SPOILED = "TypeScript's language server sent a message that cannot be used"

it.each([
  ['a text', `process.stdout.write('x'.repeat(10_000))`, 'something that is not a message'],
  [
    'a head without end',
    `process.stdout.write('Content-Type: x\\r\\n'.repeat(1_000))`,
    'something that is not a message',
  ],
  ['a head without a length', `process.stdout.write('Content-Type: x\\r\\n\\r\\n{}')`, 'without a length'],
  ['an invalid length', `process.stdout.write('Content-Length: -1\\r\\n\\r\\n{}')`, 'without a length'],
  ['a length beyond all', `process.stdout.write('Content-Length: 999999999999\\r\\n\\r\\n{}')`, 'at most'],
  ['no JSON', `say('{"id":')`, SPOILED],
  [
    'a request with an id that cannot be repeated',
    `say('{"method":"x","id":' + deep(200_000) + '}')`,
    SPOILED,
  ],
])('ends a language server that writes %s, and says so', async (name, text, words) => {
  const last = (await eventsOf(name, text)).at(-1)
  expect(last).toMatchObject({
    type: 'ended',
    reason: 'crashed',
    detail: expect.stringContaining(words) as string,
  })
})

it('passes on what is JSON, whatever it says, and answers requests alone', async () => {
  const events = await eventsOf(
    'odd messages',
    `const got = []
process.stdin.on('data', (bytes) => got.push(bytes))
for (const text of ['null', '1', '[]', '"x"', '{}', '{"method":1,"id":1}', '{"method":"textDocument/publishDiagnostics","params":' + deep(5_000) + '}',
  '{"__proto__":{"polluted":1},"method":"x"}', '{"method":"window/logMessage"}'])
  say(text)
for (const id of [null, {}, [], '__proto__', 1e400, -0]) say({ jsonrpc: '2.0', id, method: 'workspace/configuration', params: { items: [null, 1, { section: {} }] } })
for (const method of ['client/registerCapability', 'constructor', '__proto__', '']) say({ id: 7, method })
setTimeout(() => { say({ got: Buffer.concat(got).toString() }); setTimeout(() => process.exit(3), 50) }, 300)`,
  )
  const messages = events.flatMap((event) => (event.type === 'messages' ? event.messages : []))
  expect(messages.slice(0, 6)).toEqual(['null', '1', '[]', '"x"', '{}', '{"method":1,"id":1}'])
  const got = (JSON.parse(messages.at(-1) ?? '{}') as { got: string }).got
  expect(got.match(/Content-Length/g)).toHaveLength(10)
  expect(got).toContain('constructor is not known here')
  expect(Object.hasOwn(Object.prototype, 'polluted')).toBe(false)
  expect(events.at(-1)).toMatchObject({ type: 'ended', detail: expect.stringContaining('code 3') as string })
})

it('brings a flood of messages to the page whole, and in order', async () => {
  const events = await eventsOf(
    'flood',
    `const parts = []
for (let n = 0; n < 50_000; n += 1) parts.push(framed(JSON.stringify({ method: 'n', params: n })))
process.stdout.write(parts.join(''), () => process.exit(0))`,
  )
  const messages = events.flatMap((event) => (event.type === 'messages' ? event.messages : []))
  expect(messages.map((text) => (JSON.parse(text) as { params: number }).params)).toEqual(
    Array.from({ length: 50_000 }, (_, n) => n),
  )
})
