import type { z } from 'zod'
import type { FrameView } from '../../capture/exchange.ts'
import { compareValues } from '../../comparison/compare-values.ts'
import { isConnectionValue } from '../../comparison/connection-values.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { pointerSteps } from '../../protocol/json-pointer.ts'
import type {
  compareExchangesInputSchema,
  ExchangeComparison,
  ExchangeFrames,
  ValueChange,
} from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'

/** Characters of a changed value that are shown, and of a whole one. */
const LONGEST_VALUE = 2_000
const LONGEST_WHOLE = 256 * 1_024
/** Characters of the messages of one exchange. */
const MOST_CHARACTERS = 16 * 1_024 * 1_024

type ShownValue = NonNullable<ValueChange['before']>

/**
 * Compares parameters and answers of two exchanges.
 *
 * @param read reads frames whole
 */
export async function compareExchanges(
  { before, after, ignore, exact }: z.output<typeof compareExchangesInputSchema>,
  read: (of: ExchangeFrames) => Promise<readonly FrameView[]>,
): Promise<ExchangeComparison> {
  const [one, other] = [exchangeOf(await read(before)), exchangeOf(await read(after))]
  const { changes, more, volatile, ignored } = compareValues(one, other, {
    ignore,
    exact,
    isOfConnection: isConnectionValue,
  })
  return {
    changes: changes.map((change): ValueChange => ({
      kind: change.kind,
      pointer: change.pointer,
      ...(change.kind === 'moved' && { from: change.from }),
      ...('before' in change && { before: shown(change.before, LONGEST_VALUE) }),
      ...('after' in change && { after: shown(change.after, LONGEST_VALUE) }),
    })),
    more,
    volatile: volatile.map(({ kind, pointer }) => {
      const value = valueAt(other, pointerSteps(pointer))
      return { kind, pointer, ...(value !== undefined && { after: shown(value, LONGEST_VALUE) }) }
    }),
    ignored,
    before: shown(one, LONGEST_WHOLE, 2),
    after: shown(other, LONGEST_WHOLE, 2),
  }
}

/** The request with its answer, without what belongs to one connection: `params` and `result` or `error`. */
function exchangeOf(frames: readonly FrameView[]): unknown {
  const messages = frames.filter(({ kind }) => kind === 'message')
  if (messages.length === 0)
    throw new HostError('NOT_FOUND', 'The exchange has no message, or its frames are no longer stored.')
  if (messages.reduce((sum, { text }) => sum + text.length, 0) > MOST_CHARACTERS)
    throw new HostError('TOO_LARGE', 'The messages are longer than 16 MiB, the most that is compared here.')
  const values = messages.map(({ text }) => parsed(text))
  const asked = values.find((value) => isJsonObject(value) && 'method' in value)
  const answered = values.findLast((value) => isJsonObject(value) && ('result' in value || 'error' in value))
  if (asked === undefined && answered === undefined) return values[0]
  return {
    ...(isJsonObject(asked) && { method: asked['method'], params: asked['params'] ?? {} }),
    ...(isJsonObject(answered) &&
      ('error' in answered ? { error: answered['error'] } : { result: answered['result'] })),
  }
}

/** A message as JSON; a message that is not JSON as its text. */
function parsed(text: string): unknown {
  try {
    return parseExact(text)
  } catch {
    return text
  }
}

/** The value at a place; pointers go on into texts that are JSON. */
function valueAt(value: unknown, steps: readonly string[]): unknown {
  let at = value
  for (const step of steps) {
    if (typeof at === 'string') at = parsed(at)
    if (Array.isArray(at)) at = at[Number(step)]
    else if (isJsonObject(at) && Object.hasOwn(at, step)) at = at[step]
    else return undefined
  }
  return at
}

function shown(value: unknown, longest: number, space?: number): ShownValue {
  const json = stringifyExact(value, space)
  return { json: json.slice(0, longest), truncated: json.length > longest }
}
