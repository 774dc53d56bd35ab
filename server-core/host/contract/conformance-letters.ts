import type { CheckStatus } from './conformance.ts'

/** Status of a check → its letter in `CellState`. A file of its own: the window needs no schemas for it. */
export const STATUS_LETTERS = {
  passed: 'p',
  failed: 'f',
  warned: 'w',
  inconclusive: 'i',
  notApplicable: 'n',
  broken: 'b',
  flaky: 'l',
  queued: '.',
  running: '*',
} as const satisfies Record<CheckStatus, string>
