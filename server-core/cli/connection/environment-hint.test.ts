import { expect, it } from 'vitest'
import { environmentHint } from './environment-hint.ts'

const shell = { PATH: '/bin', HOME: '/home/me', MY_API_KEY: 'x', PROXY: 'y', A: 'z' }

it('names a variable of the shell that the server mentions and did not get', () => {
  expect(environmentHint('Error: MY_API_KEY is required', [], shell)).toBe(
    'It mentions MY_API_KEY, which your shell has and the server did not get. Pass it on with --env MY_API_KEY.',
  )
  expect(environmentHint('set PROXY or MY_API_KEY', [], shell)).toContain('--env MY_API_KEY --env PROXY')
})

it('says how to set one that the shell does not have either', () => {
  expect(environmentHint('missing environment variable OTHER_TOKEN', [], shell)).toContain(
    '--env OTHER_TOKEN=VALUE',
  )
})

it.each([
  ['nothing was mentioned', 'Cannot find module x'],
  ['it was given', 'bad MY_API_KEY', ['MY_API_KEY']],
  ['it is inherited', 'HOME is required', []],
  ['a short word is the name of a variable', 'A server is required', []],
  ['a constant is not a variable', 'ERR_MODULE_NOT_FOUND', []],
])('says nothing where %s', (_why, stderr, given = []) => {
  expect(environmentHint(stderr, given, shell)).toBeUndefined()
})
