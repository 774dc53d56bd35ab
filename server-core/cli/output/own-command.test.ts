import { tmpdir } from 'node:os'
import path from 'node:path'
import { expect, it } from 'vitest'
import { ownCommand } from './own-command.ts'

const CLONE = path.resolve(import.meta.dirname, '../../..')

it('is the npm script in the clone alone, and else what the documents call it', () => {
  const npm = { npm_lifecycle_event: 'patchbay' }
  expect(ownCommand({ ...npm, INIT_CWD: CLONE })).toBe('npm run -s patchbay --')
  expect(ownCommand({ ...npm, INIT_CWD: tmpdir() })).toBe('patchbay')
  expect(ownCommand({})).toBe('patchbay')
  expect(ownCommand({ npm_lifecycle_event: 'test', INIT_CWD: CLONE })).toBe('patchbay')
})
