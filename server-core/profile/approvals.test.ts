import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { approvalHash, type Approvable } from './approvals.ts'

const target: Approvable = {
  transport: 'stdio',
  command: 'npx',
  args: ['-y', '@scope/server', '--flag'],
  cwd: '/home/me',
  env: [
    { name: 'A', value: '1' },
    { name: 'B', value: '2' },
  ],
}

it('is the same for the same target', () => {
  expect(approvalHash({ ...target, args: [...target.args] })).toBe(approvalHash(target))
})

/** The target with one byte of its nth text changed; undefined if it has no such text. */
function withOneByteChanged(nth: number): Approvable | undefined {
  let at = -1
  const found = { done: false }
  const changed = JSON.parse(JSON.stringify(target), (key, value: unknown) => {
    if (typeof value !== 'string' || key === 'transport') return value
    at += 1
    if (at !== nth) return value
    found.done = true
    return `${value.slice(0, -1)}${value.endsWith('z') ? 'y' : 'z'}`
  }) as Approvable
  return found.done ? changed : undefined
}

it('is another for a change of one byte anywhere', () => {
  const hashes = new Set([approvalHash(target)])
  let changes = 0
  for (let changed = withOneByteChanged(0); changed !== undefined; changed = withOneByteChanged(changes)) {
    changes += 1
    hashes.add(approvalHash(changed))
  }
  expect(changes).toBe(9)
  expect(hashes.size).toBe(changes + 1)
})

it('reports where one argument ends and the next begins', () => {
  const word = fc.string({ maxLength: 6 })
  fc.assert(
    fc.property(fc.array(word), fc.array(word), (one, other) => {
      const same = JSON.stringify(one) === JSON.stringify(other)
      expect(approvalHash({ ...target, args: one }) === approvalHash({ ...target, args: other })).toBe(same)
    }),
  )
})

it('covers address, transport, headers, token and choices of a remote server', () => {
  const remote: Approvable = {
    transport: 'http',
    url: 'https://a.example/mcp',
    headers: [{ name: 'X', value: '1' }],
  }
  const hashes = [
    remote,
    { ...remote, url: 'https://b.example/mcp' },
    { ...remote, headers: [{ name: 'X', value: '2' }] },
    { ...remote, headers: [] },
    { ...remote, bearerToken: 'secret' },
    { ...remote, bearerToken: 'secres' },
    { ...remote, transport: 'auto' as const },
    { ...remote, transport: 'sse' as const },
    { ...remote, protocol: '2025-06-18' as const },
    { ...remote, protocol: '2025-11-25' as const },
    { ...remote, declaration: { identity: { name: 'a', version: '1' }, capabilities: {} } },
    { ...remote, declaration: { identity: { name: 'a', version: '1' }, capabilities: { roots: {} } } },
    { ...remote, declaration: { identity: { name: 'b', version: '1' }, capabilities: {} } },
  ].map(approvalHash)
  expect(new Set(hashes).size).toBe(hashes.length)
})

it('is the same as ever where nothing was chosen', () => {
  const remote: Approvable = { transport: 'http', url: 'https://a.example/mcp', headers: [] }
  const before = createHash('sha256').update('["http","https://a.example/mcp",[],null]').digest('hex')
  expect(approvalHash(remote)).toBe(before)
})
