import { expect, test } from 'vitest'
import { readImport, readMcp } from './mcp-flags.ts'

test.each([
  ['install emacs', 'install expects a client: claude-desktop'],
  ['install', 'got nothing'],
  ['restore', 'mcp expects one of install'],
  ['install codex . --name a/b', '--name expects letters'],
  ['install codex . --server x', 'a folder or --server'],
  ['install codex --server x --trust', '--trust goes with a folder'],
  ['install codex a b', 'takes no "b"'],
  ['undo cursor --project . --file x', '--project and --file'],
  ['test cursor --timeout soon', '--timeout expects milliseconds'],
  ['test cursor --trust', '--server and --trust go with a folder'],
  ['test . --approve', '--approve go with a client'],
  ['test --name notes', 'go with a client'],
  ['test . --server x', 'a folder or --server'],
  ['test --server x --trust', '--trust goes with a folder'],
])('patchbay mcp %s is refused in words', (line, message) => {
  expect(() => readMcp(line.split(' '))).toThrow(message)
})

test('what is asked for is read', () => {
  expect(readMcp(['install', 'vscode', 'dir', '--trust', '--project', '.', '--json'])).toEqual({
    type: 'mcp',
    action: 'install',
    client: 'vscode',
    folder: 'dir',
    project: '.',
    json: true,
    trust: true,
    replace: false,
    create: false,
  })
  expect(readMcp(['status'])).toEqual({ type: 'mcp', action: 'status', clients: [], json: false })
  expect(readMcp(['test', 'codex'])).toMatchObject({ action: 'test', timeoutMs: 30_000, approve: false })
  expect(readMcp(['test'])).toEqual({
    type: 'mcp',
    action: 'test',
    json: false,
    timeoutMs: 30_000,
    approve: false,
    trust: false,
  })
  expect(readMcp(['test', 'my-tools', '--trust'])).toMatchObject({ folder: 'my-tools', trust: true })
  expect(readMcp(['test', '--server', 'Search'])).toMatchObject({ server: 'Search' })
  expect(readMcp(['test', 'codex', '--project', '.', '--approve'])).toMatchObject({ approve: true })
  expect(readMcp(['test', '--help'])).toBe('help')
  expect(readImport(['codex', '--dry-run'])).toEqual({
    type: 'import',
    clients: ['codex'],
    dryRun: true,
    json: false,
  })
  expect(() => readImport(['--file', 'x'])).toThrow('--file goes with one client')
})
