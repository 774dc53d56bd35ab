import type { HandlerContext } from './context.ts'
import type { CompletionOutcome } from './entries.ts'
import type { Completer } from './resource-definitions.ts'

/** Most values that one completion gives (specification: Completion). */
const MAX_VALUES = 100

/**
 * Runs a completer. Of a fixed list go out the values that begin with what was typed, then those that contain it,
 * whatever the case; a function's values go out in its order. Throws a `TypeError` for values that are not texts.
 */
export async function complete(
  completer: Completer<never> | undefined,
  value: string,
  others: Readonly<Record<string, string>>,
  ctx: HandlerContext<never>,
): Promise<CompletionOutcome> {
  if (completer === undefined) return { values: [] }
  const given: unknown =
    typeof completer === 'function' ? await completer(value, ctx, others) : narrow(completer, value)
  return toCompletionOutcome(given)
}

/** Checks what a completer gave, and cuts it to 100 values, saying that there are more. */
export function toCompletionOutcome(given: unknown): CompletionOutcome {
  const outcome: unknown = Array.isArray(given) ? { values: given } : given
  if (!isOutcome(outcome)) {
    throw new TypeError('A completer gives a list of texts, or { values, total, hasMore } with such a list.')
  }
  const { values } = outcome
  if (values.length <= MAX_VALUES) return outcome
  return { values: values.slice(0, MAX_VALUES), total: outcome.total ?? values.length, hasMore: true }
}

function narrow(candidates: readonly string[], value: string): string[] {
  const typed = value.toLowerCase()
  const begins: string[] = []
  const contains: string[] = []
  for (const candidate of candidates) {
    const place = candidate.toLowerCase().indexOf(typed)
    if (place === 0) begins.push(candidate)
    else if (place > 0) contains.push(candidate)
  }
  return [...begins, ...contains]
}

function isOutcome(value: unknown): value is CompletionOutcome {
  if (typeof value !== 'object' || value === null || !('values' in value)) return false
  const { values } = value
  return Array.isArray(values) && values.every((item) => typeof item === 'string')
}
