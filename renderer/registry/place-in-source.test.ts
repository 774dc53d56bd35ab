import { expect, test } from 'vitest'
import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import { placeInSource } from './place-in-source.ts'

const SCRIPT = `import { tool, resource, template } from 'patchbay'

const greet = 'greet_all'
export const greet_all = tool({
  run: () => call('bye'),
})
  export const bye_all = tool({})
export const other = tool({ title: 'x',
  name: 'bye' })
export const list = resource({ uri: INDEX })
export const one = template({ uriTemplate: 'a://{x+}', run })
export const two = template({ uriTemplate: "b://{y}" })
`
const CONFIG = `export default config({
  mounts: [{ folder: '../birds' }],
  proxies: [{ server: 'docs search', prefix: 'docs' }],
  urls: [{ uri: 'web://page', url: 'https://a.example/' }],
})
`

const script = { kind: 'script', label: 'tools/a.ts', file: 'tools/a.ts' } as const

test.each<[string, RegistryEntry['kind'], string, number | undefined]>([
  ['the export that has its name', 'tool', 'greet_all', 4],
  ['the name that is given, not a text that is the same', 'tool', 'bye', 9],
  ['the only one of its kind, where its URI is a constant', 'resource', 'notes://index', 10],
  ['a template with signs of a pattern', 'template', 'a://{x+}', 11],
  ['nothing, where several of its kind have other names', 'template', 'c://{z}', undefined],
])('in a script an entry is at %s', (_, kind, name, line) => {
  expect(placeInSource(SCRIPT, { kind, name, origin: script })?.line).toBe(line)
})

test.each<[string, RegistryEntry['origin'], string, number]>([
  ['mount', { kind: 'mount', label: '../birds' }, 'birds.identify', 2],
  ['proxied server', { kind: 'proxy', label: 'docs search' }, 'docs.find', 3],
  ['address', { kind: 'url', label: 'https://a.example/' }, 'web://page', 4],
])('in a configuration it is where its %s is named', (_, origin, name, line) => {
  expect(placeInSource(CONFIG, { kind: 'tool', name, origin })?.line).toBe(line)
})

test('columns count from 1', () => {
  const origin = { kind: 'mount', label: '../birds' } as const
  expect(placeInSource(CONFIG, { kind: 'tool', name: 'x', origin })).toEqual({ line: 2, column: 22 })
})
