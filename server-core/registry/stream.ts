import type { HandlerContext } from './context.ts'
import type { Accumulate } from './definitions.ts'
import { jsonText } from './tool-result.ts'

/** What `streamed` knows of a stream. */
export type StreamOptions = {
  /** How many items will come: the `total` of their progress. */
  readonly total?: number
  /** Makes the result; runs before the tool's own `accumulate`. */
  readonly accumulate?: Accumulate
}

const MIXED =
  'The stream gave texts and other items: say what they make by `accumulate`, or return the result at its end.'

const optionsOf = new WeakMap<AsyncIterable<unknown>, StreamOptions>()

/**
 * A streamed result that says how many items will come, or how they add up, for `run` to give.
 *
 * @example
 * ```ts
 * import { Registry, streamed } from 'patchbay/server'
 *
 * async function* lines() {
 *   for (const line of ['one', 'two', 'three']) yield line
 * }
 * const registry = new Registry()
 * // Each item is sent as progress, with a total.
 * registry.addTool({ name: 'lines', run: () => streamed(lines(), { total: 3 }) })
 * ```
 */
export function streamed<T>(items: AsyncIterable<T>, options: StreamOptions): AsyncIterable<T> {
  const stream = { [Symbol.asyncIterator]: () => items[Symbol.asyncIterator]() }
  optionsOf.set(stream, options)
  return stream
}

/** Returns whether a handler gave a stream, such as an async generator, and not a value. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Runs a streamed result to its end: each item goes out as progress (1, 2, …, with the item as message; specification:
 * Progress), and the value is what the generator returns, else what `accumulate` made of all items, else the texts
 * joined if all are texts, else the last item if none is; a stream that mixes them says what it makes, or fails. Stops, and lets the generator clean up, when the call is aborted.
 */
export async function drainStream(
  stream: AsyncIterable<unknown>,
  toolAccumulate: Accumulate | undefined,
  ctx: HandlerContext,
): Promise<unknown> {
  const { total, accumulate = toolAccumulate } = optionsOf.get(stream) ?? {}
  const iterator = stream[Symbol.asyncIterator]()
  const { signal } = ctx
  let value: unknown
  let mixed = false
  for (let count = 1; ; count += 1) {
    const step = await iterator.next()
    if (step.done === true) {
      const returned: unknown = step.value
      if (returned !== undefined) return returned
      if (mixed) throw new TypeError(MIXED)
      return value
    }
    if (signal.aborted) {
      await iterator.return?.()
      signal.throwIfAborted()
    }
    const item: unknown = step.value
    if (accumulate !== undefined) value = accumulate(value, item)
    else if (count === 1) value = item
    else {
      mixed ||= (typeof value === 'string') !== (typeof item === 'string')
      value = typeof value === 'string' && typeof item === 'string' ? value + item : item
    }
    ctx.progress(count, total, typeof item === 'string' ? item : jsonText(item))
  }
}
