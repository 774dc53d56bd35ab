import { readFileSync } from 'node:fs'
import path from 'node:path'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { expect, it } from 'vitest'
import { workspaceFileJsonSchema } from './json-schema.ts'
import { WORKSPACE_FILE_MEMBERS } from './members.ts'
import { workspaceFileSchema } from './workspace-file-schema.ts'

const root = path.resolve(import.meta.dirname, '../..')
const validate = new Ajv2020({ strict: false, validateFormats: false }).compile(workspaceFileJsonSchema())

/** Files that Patchbay reads, and files with one mistake. */
const FILES: readonly (readonly [string, unknown, boolean])[] = [
  ['an empty file', {}, true],
  [
    'flags of serve',
    { serve: { http: true, port: 8080, revision: '2025-11-25', allowOrigin: ['http://a.b'] } },
    true,
  ],
  ['a proxied server', { proxy: { servers: { files: { include: ['read_*'] } } } }, true],
  ['a file by its path', { composition: { files: ['README.md'] } }, true],
  ['a fault rule', { faults: { rules: [{ id: 'slow', kind: 'delay', ms: 10 }] } }, true],
  ['a member of another program', { editor: { theme: 'dark' } }, true],
  ['a port out of range', { serve: { port: 70_000 } }, false],
  ['an unknown revision', { serve: { revision: '2020-01-01' } }, false],
  ['a fault of an unknown kind', { faults: { rules: [{ id: 'a', kind: 'explode' }] } }, false],
  ['a mock without an answer', { mocks: [{ kind: 'tool', name: 'a' }] }, false],
  ['an amendment without a kind', { amendments: { echo: {} } }, false],
]

it.each(FILES)('agrees with what Patchbay reads: %s', (_, file, isValid) => {
  expect(validate(file)).toBe(isValid)
  expect(workspaceFileSchema.safeParse(file).success).toBe(isValid)
})

it('accepts the patchbay.json of version 0.1.0', () => {
  const file = path.join(root, 'e2e/compatibility/fixture-0.1.0/workspace/patchbay.json')
  expect(validate(JSON.parse(readFileSync(file, 'utf8')))).toBe(true)
})

it('describes every member', () => {
  const { properties } = workspaceFileJsonSchema()
  const described = Object.entries(properties as Readonly<Record<string, { readonly description?: string }>>)
  expect(described.map(([name]) => name)).toEqual(WORKSPACE_FILE_MEMBERS)
  expect(described.filter(([, { description }]) => description === undefined)).toEqual([])
})

it('is committed as docs/patchbay.schema.json', async () => {
  const text = `${JSON.stringify(workspaceFileJsonSchema(), undefined, 2)}\n`
  await expect(text).toMatchFileSnapshot('../../docs/patchbay.schema.json')
})
