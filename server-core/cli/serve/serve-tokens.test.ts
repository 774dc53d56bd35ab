import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { readServeFlags, type ServeFlags } from './serve-options.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-tokens-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

function flags(...words: string[]): ServeFlags {
  const read = readServeFlags(words)
  if (read === 'help') throw new Error('it is about the flags')
  return read
}

test('--token may be repeated, each with a name', () => {
  expect(flags('--token', 'ann:a1', '--token', 'bob:b2', '--token', 'c3').tokens).toEqual([
    { name: 'ann', token: 'a1' },
    { name: 'bob', token: 'b2' },
    { token: 'c3' },
  ])
})

test('one token alone may have a colon in it', () => {
  expect(flags('--token', 'a1').tokens).toEqual([{ token: 'a1' }])
  // Neither part of it admits anybody or is shown as a name.
  expect(flags('--token', 'ann:a1').tokens).toEqual([{ token: 'ann:a1' }])
  expect(flags('--token', 'a!b:c').tokens).toEqual([{ token: 'a!b:c' }])
  expect(flags('--token', 'ann:').tokens).toEqual([{ token: 'ann:' }])
})

test('--token-file has one token a line; with a warning if others can read it', async () => {
  const file = path.join(folder, 'tokens')
  await writeFile(file, '\ufeff# clients\nann:a1\r\n\n  c3  \n', { mode: 0o600 })
  const tokens = [{ name: 'ann', token: 'a1' }, { token: 'c3' }]
  expect(flags('--token-file', file)).toEqual({ tokens })
  await chmod(file, 0o644)
  const { warnings = [] } = flags('--token-file', file)
  expect(warnings).toEqual(process.platform === 'win32' ? [] : [expect.stringContaining('chmod 600')])
  expect(flags('--token', 'bob:b2', '--token', 'd4', '--token-file', file).tokens).toHaveLength(4)
})

test('an invalid token is rejected, and never repeated', async () => {
  const file = path.join(folder, 'bad')
  await writeFile(file, 'ann:a1\nbob:the secret\n')
  expect(() => flags('--token-file', file)).toThrow(
    `--token-file: ${file}:2 expects a token of visible ASCII`,
  )
  expect(() => flags('--token-file', file)).not.toThrow('the secret')
  await writeFile(file, '# nothing\n')
  expect(() => flags('--token-file', file)).toThrow('has no token in it')
  expect(() => flags('--token-file', path.join(folder, 'none'))).toThrow('cannot be read')
  expect(() => flags('--token', 'a b:c', '--token', 'd')).toThrow('--token: the name of a token has')
  expect(() => flags('--session-ttl', '0')).toThrow('--session-ttl expects seconds from 1 to 604800, got "0"')
  expect(() => flags('--session-ttl', '1.5')).toThrow('got "1.5"')
  expect(() => flags('--off')).toThrow('--off is about a folder')
})
