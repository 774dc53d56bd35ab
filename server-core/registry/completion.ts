import type { CompletionOutcome } from './entries.ts'
import type { Completer } from './definitions.ts'
import type { HandlerContext } from './context.ts'

/** Most values that one completion gives (specification: Completion). */
const MAX_VALUES = 100

/** Runs a completer. A fixed list is narrowed to what begins with the value, then what contains it. */
export async function complete(
  completer: Completer | undefined,
  value: string,
  others: Readonly<Record<string, string>>,
  ctx: HandlerContext,
): Promise<CompletionOutcome> {
  if (completer === undefined) return { values: [] }
  const given =
    typeof completer === 'function' ? await completer(value, ctx, others) : narrow(completer, value)
  const outcome: CompletionOutcome = isList(given) ? { values: given } : given
  const { values } = outcome
  if (values.length <= MAX_VALUES) return outcome
  return { values: values.slice(0, MAX_VALUES), total: outcome.total ?? values.length, hasMore: true }
}

function narrow(candidates: readonly string[], value: string): string[] {
  const typed = value.toLowerCase()
  const begins = candidates.filter((candidate) => candidate.toLowerCase().startsWith(typed))
  const contains = candidates.filter(
    (candidate) => candidate.toLowerCase().includes(typed) && !begins.includes(candidate),
  )
  return [...begins, ...contains]
}

function isList(given: readonly string[] | CompletionOutcome): given is readonly string[] {
  return Array.isArray(given)
}
