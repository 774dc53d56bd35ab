import { expect, it } from 'vitest'
import { readyMadeConfig } from './ready-made-config.ts'
import { readTest, type TestCommand } from './test-flags.ts'

const read = (...words: readonly string[]): TestCommand => {
  const command = readTest(words)
  if (command === 'help') throw new Error('expected a command, got help')
  return command
}

it('passes on what is of Playwright, and keeps what is its own', () => {
  const command = read(
    'a.spec.ts',
    '--grep',
    'unit',
    '-u',
    '--revision',
    '2025-11-25',
    '--',
    'node',
    'x.js',
    '-u',
  )
  expect(command).toEqual({
    type: 'test',
    server: { command: 'node', args: ['x.js', '-u'] },
    revisions: ['2025-11-25'],
    transports: [],
    files: ['a.spec.ts'],
    passed: ['--grep=unit', '--update-snapshots'],
  })
  const config = readyMadeConfig(command, '/tests')
  expect(config).toContain('"name": "2025-11-25 auto"')
  expect(config).toContain('"command": "node"')
})

it.each([
  [['--url', 'http://a', '--', 'node'], 'test takes one server: --url URL or -- COMMAND at the end'],
  [
    ['--config', 'a.ts', '--url', 'http://a'],
    'with --config the server, revisions and transports are those of the configuration',
  ],
])('rejects %j', (words, message) => {
  expect(() => readTest(words)).toThrow(message)
})
