import type { z } from 'zod'
import type { Path } from '../wire/path.ts'
import { nameOf, type LintReport } from './report.ts'
import type { RuleId } from './rules.ts'

const NAMES: Readonly<Record<string, string>> = {
  object: 'an object',
  record: 'an object',
  array: 'a list',
  string: 'a text',
  int: 'an integer',
  number: 'a number',
  boolean: 'true or false',
  null: 'null',
}

/** Fields with a rule of their own for being there and of the right type. */
const RULE_OF_FIELD: Readonly<Record<string, RuleId>> = {
  nextCursor: 'next-cursor',
  resultType: 'result-type',
  ttlMs: 'cache-hints',
  cacheScope: 'cache-hints',
}

/**
 * Reports where a value does not fit its schema: each place where a field is missing or of another type. Of a union
 * the best fitting member is reported.
 */
export function reportSchemaFaults(schema: z.ZodType, value: unknown, at: Path, report: LintReport): void {
  const parsed = schema.safeParse(value)
  if (parsed.success) return
  for (const issue of parsed.error.issues) {
    if (report.isFull) return
    for (const { path, text } of faultsOf(issue, value, [])) {
      const place = [...at, ...path]
      // What was said of a place already, by a rule of its own, says more.
      if (!report.hasAt(place)) report.add(ruleOf(place), place, text)
    }
  }
}

type Fault = { readonly path: Path; readonly text: string }
type Issue = z.core.$ZodIssue

function faultsOf(issue: Issue, value: unknown, before: Path): readonly Fault[] {
  const path = [...before, ...issue.path.map((step) => (typeof step === 'symbol' ? String(step) : step))]
  const found = path.reduce<unknown>(memberOf, value)
  const got = found === undefined ? 'it is missing' : `it is ${nameOf(found)}`
  switch (issue.code) {
    case 'invalid_union': {
      const best = [...issue.errors].sort((a, b) => badness(a) - badness(b))[0]
      if (best === undefined || best.length === 0)
        return [{ path, text: `Expected one of the known kinds; ${got}.` }]
      return best.flatMap((inner) => faultsOf(inner, value, path))
    }
    case 'invalid_type':
      return [{ path, text: `Expected ${NAMES[issue.expected] ?? issue.expected}; ${got}.` }]
    case 'invalid_value':
      return [{ path, text: `Expected ${issue.values.map((one) => nameOf(one)).join(' or ')}; ${got}.` }]
    case 'too_big':
      return [{ path, text: `Expected at most ${issue.maximum}; ${got}.` }]
    case 'too_small':
      return [{ path, text: `Expected at least ${issue.minimum}; ${got}.` }]
    default:
      return [{ path, text: `${issue.message}; ${got}.` }]
  }
}

/** Members that fail at a tag or at the very top are meant least; of the others, those with the fewest faults. */
function badness(issues: readonly Issue[]): number {
  const wrongKind = issues.some(
    ({ code, path }) => path.length === 0 || (code === 'invalid_value' && path.length === 1),
  )
  return (wrongKind ? 1_000 : 0) + issues.length
}

function memberOf(value: unknown, step: string | number): unknown {
  return typeof value === 'object' && value !== null
    ? (Object.getOwnPropertyDescriptor(value, step)?.value as unknown)
    : undefined
}

function ruleOf(place: Path): RuleId {
  const field = place.at(-1)
  if (place[0] === 'params' && place[1] === '_meta' && place.length <= 3) return 'request-envelope'
  if (place.includes('requestedSchema')) return 'form-fields'
  if (field === 'structuredContent') return 'structured-content'
  return (typeof field === 'string' && Object.hasOwn(RULE_OF_FIELD, field) && RULE_OF_FIELD[field]) || 'shape'
}
