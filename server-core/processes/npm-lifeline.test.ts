import path from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { isRunByNpm } from './npm-lifeline.ts'

const root = path.resolve(import.meta.dirname, '../..')
const script = { root, name: 'patchbay' }

afterEach(() => {
  vi.unstubAllEnvs()
})

test.each([
  ['this script', 'patchbay', path.join(root, 'package.json'), true],
  ['this script, by Yarn 1', 'patchbay', undefined, true],
  ['another script of this package', 'test', path.join(root, 'package.json'), false],
  ['a script of that name of another package', 'patchbay', '/elsewhere/package.json', false],
  ['no script', undefined, undefined, false],
])('detects whether npm runs %s', (_what, event, file, expected) => {
  vi.stubEnv('npm_lifecycle_event', event)
  vi.stubEnv('npm_package_json', file)
  expect(isRunByNpm(script)).toBe(expected)
})
