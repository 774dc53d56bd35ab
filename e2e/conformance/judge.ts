/** One finding of the official suite, as it writes them. */
export type Check = {
  readonly id: string
  readonly status: string
  readonly errorMessage?: string
  readonly description?: string
}

/** What became of a set of scenarios. */
export type Verdicts = {
  readonly names: readonly string[]
  readonly passing: readonly string[]
  /** Why the others do not pass, by scenario. */
  readonly reasons: ReadonlyMap<string, string>
}

/** Warnings of the suite (a SHOULD that is not kept), by scenario. */
export type Warnings = ReadonlyMap<string, readonly string[]>

/**
 * Judges scenarios: one passes if no check failed and at least one succeeded, since silence proves nothing. `strict`:
 * a warning counts like a failure.
 */
export function judge(
  names: readonly string[],
  checks: ReadonlyMap<string, readonly Check[]>,
  strict: boolean,
): Verdicts {
  const reasons = new Map<string, string>()
  for (const name of names) {
    const reason = whyNot(checks.get(name), strict)
    if (reason !== undefined) reasons.set(name, reason)
  }
  return { names, passing: names.filter((name) => !reasons.has(name)), reasons }
}

export function warningsOf(
  names: readonly string[],
  checks: ReadonlyMap<string, readonly Check[]>,
): Warnings {
  const warnings = new Map<string, readonly string[]>()
  for (const name of names) {
    const own = checks.get(name)?.filter(({ status }) => status === 'WARNING') ?? []
    if (own.length > 0) warnings.set(name, own.map(sentenceOf))
  }
  return warnings
}

function whyNot(own: readonly Check[] | undefined, strict: boolean): string | undefined {
  if (own === undefined) return 'left no result'
  const failure = own.find(({ status }) => status === 'FAILURE' || (strict && status === 'WARNING'))
  if (failure !== undefined) return sentenceOf(failure)
  if (own.some(({ status }) => status === 'SUCCESS')) return undefined
  const skipped = own.find(({ status }) => status === 'SKIPPED')
  return skipped === undefined ? 'no check succeeded' : 'skipped by the suite'
}

function sentenceOf({ id, errorMessage, description }: Check): string {
  return `${id}: ${(errorMessage ?? description ?? '').split('\n')[0] ?? ''}`
}
