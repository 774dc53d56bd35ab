import type { ExpectMatcherState } from '@playwright/test'
import type { TimelineFrame } from '../timeline/frame.ts'
import { framesText } from '../timeline/frame-text.ts'

/** What a matcher found. */
export type Outcome = {
  readonly pass: boolean
  /** What the matcher wanted, as words. */
  readonly expected: string
  /** What it got, as words. */
  readonly received: string
  /** Frames that show why. */
  readonly frames?: readonly TimelineFrame[]
  /** What to do, or further facts. */
  readonly hint?: string
}

type MatcherResult = {
  readonly pass: boolean
  readonly name: string
  readonly expected: string
  readonly actual: string
  readonly message: () => string
}

/** The result of a matcher as Playwright wants it. The message shows the frames. */
export function matcherResult(state: ExpectMatcherState, name: string, outcome: Outcome): MatcherResult {
  const { pass, expected, received, frames = [], hint } = outcome
  const not = state.isNot ? 'not ' : ''
  return {
    pass,
    name,
    expected,
    actual: received,
    message: () =>
      [
        state.utils.matcherHint(name, 'received', '', { isNot: state.isNot, promise: state.promise }),
        '',
        `Expected: ${not}${expected}`,
        `Received: ${received}`,
        ...(hint === undefined ? [] : [hint]),
        ...(frames.length === 0 ? [] : ['', framesText(frames)]),
      ].join('\n'),
  }
}
