import { CodedError } from '../../protocol/coded-error.ts'
import { z } from 'zod'
import { messageOf } from '../../protocol/error-message.ts'
import type { ReportedCheck } from './report-schema.ts'

const failureSchema = z.object({
  check: z.string().describe('The id of the check, as reports have it.'),
  revision: z.string(),
  transport: z.string(),
  note: z.string().optional().describe('Why it is expected.'),
  until: z.iso.date().optional().describe('The last day on which it is expected.'),
})

export const baselineSchema = z.object({
  format: z.literal('patchbay-conformance-baseline'),
  version: z.literal(1),
  failures: z.array(failureSchema),
})

/** Failures that are expected. */
export type Baseline = z.infer<typeof baselineSchema>
type Failure = Baseline['failures'][number]

/** The JSON Schema (2020-12) of a baseline. */
export function baselineJsonSchema(): Readonly<Record<string, unknown>> {
  const schema = z.toJSONSchema(baselineSchema)
  return { title: 'Conformance baseline', description: 'Expected failures of patchbay check.', ...schema }
}

/** The file is not a baseline. The message says what is wrong. */
export class BaselineError extends CodedError<'invalid-baseline'> {
  override readonly name = 'BaselineError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-baseline', message, options)
  }
}

/** Reads the text of a baseline. Throws a `BaselineError` that names the file. */
export function parseBaseline(text: string, file: string): Baseline {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch (error) {
    throw new BaselineError(`${file} is not JSON: ${messageOf(error)}`, { cause: error })
  }
  const parsed = baselineSchema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new BaselineError(
    `${file} is not a baseline of Patchbay: ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  )
}

/** Whether a check came to a verdict that fails a run. */
export function isFailure({ verdict }: Pick<ReportedCheck, 'verdict'>): boolean {
  return verdict === 'failed' || verdict === 'broken' || verdict === 'flaky'
}

/**
 * Marks each check as a new or known failure, or as fixed: expected to fail, and passed or warned now. A check that came
 * to no verdict is neither.
 */
export function compareWithBaseline(
  checks: readonly ReportedCheck[],
  baseline: Baseline,
  today: string,
): readonly ReportedCheck[] {
  const expected = new Map(baseline.failures.map((failure) => [keyOf(failure), failure]))
  return checks.map((check) => {
    const failure = expected.get(keyOf({ ...check, check: check.id }))
    const isExpected = failure !== undefined && (failure.until === undefined || failure.until >= today)
    if (isFailure(check)) return { ...check, baseline: isExpected ? 'known' : 'new' }
    const isFixed = failure !== undefined && (check.verdict === 'passed' || check.verdict === 'warned')
    return isFixed ? { ...check, baseline: 'fixed' } : check
  })
}

/**
 * A baseline with the failures of a run. Notes and days of entries that still fail are kept, and so are entries of checks
 * that this run did not examine.
 */
export function baselineOf(checks: readonly ReportedCheck[], before: Baseline | undefined): Baseline {
  const examined = new Map(checks.map((check) => [keyOf({ ...check, check: check.id }), check]))
  const known = new Map(before?.failures.map((failure) => [keyOf(failure), failure]))
  const kept = (before?.failures ?? []).filter((failure) => {
    const check = examined.get(keyOf(failure))
    return check === undefined || check.verdict === 'inconclusive' || check.verdict === 'notApplicable'
  })
  const failed = checks.filter(isFailure).map(({ id, revision, transport }): Failure => {
    const failure = { check: id, revision, transport }
    return known.get(keyOf(failure)) ?? failure
  })
  const failures = [...kept, ...failed].toSorted((one, other) => (keyOf(one) < keyOf(other) ? -1 : 1))
  return { format: 'patchbay-conformance-baseline', version: 1, failures }
}

function keyOf({ check, revision, transport }: Pick<Failure, 'check' | 'revision' | 'transport'>): string {
  return `${check} ${revision} ${transport}`
}
