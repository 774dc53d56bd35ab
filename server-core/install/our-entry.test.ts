import { expect, it } from 'vitest'
import { entryName, ourEntry, summaryOf } from './our-entry.ts'

it('parses what a clone, a package and npx write', () => {
  const served = { type: 'workspace', folder: '/w' }
  const clone = { command: '/node', args: ['/p/bin/patchbay.ts', 'serve', '/w', '--stdio', '--trust'] }
  expect(ourEntry(clone)?.served).toEqual({ ...served, trust: true })
  const npx = { command: 'cmd', args: ['/c', 'npx', '-y', 'mcp-patchbay@1.2.3', 'serve', '/w', '--stdio'] }
  expect(ourEntry(npx)).toMatchObject({ program: 'mcp-patchbay@1.2.3', served })
  const proxy = ['/p/patchbay.cjs', 'proxy', '--server', 'notes', '--workspace', '/w', '--stdio']
  expect(ourEntry({ command: '/node', args: proxy })?.served).toEqual({
    type: 'server',
    server: 'notes',
    workspace: '/w',
  })
})

it.each([
  ['another program', ['/p/other.ts', 'serve', '/w', '--stdio']],
  ['another command', ['/p/patchbay.ts', 'check', '/w', '--stdio']],
  ['no folder', ['/p/patchbay.ts', 'serve', '--stdio']],
  ['no stdio', ['/p/patchbay.ts', 'serve', '/w']],
  ['no server', ['/p/patchbay.ts', 'proxy', '--stdio']],
])('leaves an entry with %s alone', (_, args) => {
  expect(ourEntry({ command: '/node', args })).toBeUndefined()
})

it('shortens names and sums up entries', () => {
  expect(entryName(' My Notes! ')).toBe('My-Notes')
  expect(entryName('…')).toBe('patchbay')
  expect(entryName('a'.repeat(100))).toHaveLength(60)
  expect(summaryOf({ command: 'node', args: ['a.js'] })).toBe('node a.js')
  expect(summaryOf({ serverUrl: 'https://a.example' })).toBe('https://a.example')
})
