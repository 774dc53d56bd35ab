import { expect, test } from 'vitest'
import { stderrTail } from './stderr-tail.ts'

const frames = Array.from(
  { length: 20 },
  (_, at) => `    at step${at} (node:internal/modules/esm/resolve:${at}:11)`,
)

test('shows the error of a stack that is longer than what is shown', () => {
  const stderr = [
    'starting',
    'node:internal/modules/esm/resolve:272',
    '    throw new ERR_MODULE_NOT_FOUND(',
    '          ^',
    '',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x.ts' imported from /y.ts",
    ...frames,
    '    ... 7 lines matching cause stack trace ...',
    '    at async node:internal/modules/esm/loader:647:26 {',
    "  code: 'ERR_MODULE_NOT_FOUND'",
    '}',
    '',
    'Node.js v24.0.0',
    '',
  ].join('\n')
  expect(stderrTail(stderr, 12)).toEqual([
    'starting',
    "Error [ERR_MODULE_NOT_FOUND]: Cannot find module '/x.ts' imported from /y.ts",
    "  code: 'ERR_MODULE_NOT_FOUND'",
    '}',
    'Node.js v24.0.0',
  ])
})

test('keeps the line that names the error, whatever stands below it', () => {
  const below = Array.from({ length: 30 }, (_, at) => `  detail ${at}`)
  expect(stderrTail(['RegistryError: it is there already', ...below].join('\n'), 4)).toEqual([
    'RegistryError: it is there already',
    '…',
    '  detail 28',
    '  detail 29',
  ])
})

test('is the end of what was written where nothing names an error', () => {
  expect(stderrTail('one\ntwo\nthree\n', 2)).toEqual(['two', 'three'])
  expect(stderrTail(frames.join('\n'), 2)).toEqual(frames.slice(-2))
})
