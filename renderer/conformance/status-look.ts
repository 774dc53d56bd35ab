import type { CheckRow, CheckStatus } from '../../server-core/host/contract/conformance.ts'
import { STATUS_LETTERS } from '../../server-core/host/contract/conformance-letters.ts'
import type { StateLook } from '../controls/state-mark.tsx'
import { conformanceText } from './text.ts'

const LOOKS: Readonly<Record<CheckStatus, Omit<StateLook, 'word'>>> = {
  passed: { icon: 'check', tone: 't3' },
  failed: { icon: 'st-fail', tone: 'is-error' },
  broken: { icon: 'kind-error', tone: 'is-error' },
  flaky: { icon: 'lint', tone: 'is-error' },
  warned: { icon: 'warn', tone: 'is-warn' },
  inconclusive: { icon: 'st-ask', tone: 't2' },
  notApplicable: { icon: 'minus', tone: 't3' },
  queued: { icon: 'st-off', tone: 't3' },
  running: { icon: 'st-busy', tone: 't2' },
}

/** How a check is drawn. */
export function lookOf({ status, baseline }: Pick<CheckRow, 'status' | 'baseline'>): StateLook {
  const { status: words } = conformanceText
  if (baseline === 'known') return { icon: 'st-hold', word: words.expected, tone: 'is-warn' }
  if (baseline === 'fixed') return { ...LOOKS[status], word: words.fixed }
  return { ...LOOKS[status], word: words[status] }
}

/** Whether a check failed. */
export function isFailure(status: CheckStatus): boolean {
  return status === 'failed' || status === 'broken' || status === 'flaky'
}

const BY_LETTER = new Map<string, CheckStatus>(
  Object.entries(STATUS_LETTERS).map(([status, letter]) => [letter, status as CheckStatus]),
)

/** What a cell came to. */
export type CellCounts = {
  /** Those that apply. */
  readonly total: number
  readonly passed: number
  readonly failed: number
  readonly warned: number
  /** Queued or running. */
  readonly left: number
}

/** Counts the checks of a cell. */
export function countsOf(letters: string): CellCounts {
  let [passed, failed, warned, left, total] = [0, 0, 0, 0, 0]
  for (const status of statusesOf(letters)) {
    if (status !== 'notApplicable') total += 1
    if (isFailure(status)) failed += 1
    else if (status === 'warned') warned += 1
    else if (status === 'passed') passed += 1
    else if (status === 'queued' || status === 'running') left += 1
  }
  return { total, passed, failed, warned, left }
}

/** The status of each check of a cell. */
export function statusesOf(letters: string): readonly CheckStatus[] {
  return Array.from(letters, (letter) => BY_LETTER.get(letter) ?? 'queued')
}
