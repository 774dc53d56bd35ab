import type { Finding } from '../verdict.ts'

/** Frames of findings that say the same. */
const MOST_FRAMES = 3

export type CountedFinding = Finding & {
  /** How often it was found, if more than once. */
  readonly times?: number
}

/** Findings that say the same of the same statement as one, with the first frames that show it. */
export function alikeFindings(findings: readonly Finding[]): readonly CountedFinding[] {
  const groups = Map.groupBy(findings, ({ severity, statement, expected, actual, member }) =>
    JSON.stringify([severity, statement, expected, actual, member]),
  )
  return [...groups.values()].flatMap((alike) => {
    const [first] = alike
    if (first === undefined) return []
    if (alike.length === 1) return [first]
    const frames = alike.slice(0, MOST_FRAMES).flatMap((each) => each.frames)
    return [{ ...first, frames, times: alike.length }]
  })
}
