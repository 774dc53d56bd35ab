import type { HandlerContext } from './context.ts'
import type { Accumulate } from './definitions.ts'
import { jsonText } from './tool-result.ts'

/** What `streamed` knows of a stream. */
export type StreamOptions = {
  /** How many items will come: the `total` of their progress. */
  readonly total?: number
  /** Makes the result; stands before the tool's own `accumulate`. */
  readonly accumulate?: Accumulate
}

const optionsOf = new WeakMap<AsyncIterable<unknown>, StreamOptions>()

/** A streamed result that says how many items will come, or how they add up, for `run` to give. */
export function streamed<T>(items: AsyncIterable<T>, options: StreamOptions): AsyncIterable<T> {
  const stream = { [Symbol.asyncIterator]: () => items[Symbol.asyncIterator]() }
  optionsOf.set(stream, options)
  return stream
}

/** Tells whether a handler gave a stream, such as an async generator, and not a value. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Runs a streamed result to its end: each item goes out as progress (1, 2, …, with the item as message; specification:
 * Progress), and the value is what the generator returns, else what `accumulate` made of all items, else the texts
 * joined if all are texts, else the last item. Stops, and lets the generator clean up, when the call is aborted.
 */
export async function drainStream(
  stream: AsyncIterable<unknown>,
  toolAccumulate: Accumulate | undefined,
  ctx: HandlerContext,
): Promise<unknown> {
  const { total, accumulate = toolAccumulate ?? joinTexts } = optionsOf.get(stream) ?? {}
  const iterator = stream[Symbol.asyncIterator]()
  const { signal } = ctx
  let value: unknown
  for (let count = 1; ; count += 1) {
    const step = await iterator.next()
    if (step.done === true) {
      const returned: unknown = step.value
      return returned === undefined ? value : returned
    }
    if (signal.aborted) {
      await iterator.return?.()
      signal.throwIfAborted()
    }
    const item: unknown = step.value
    value = accumulate(value, item)
    ctx.progress(count, total, typeof item === 'string' ? item : jsonText(item))
  }
}

function joinTexts(before: unknown, item: unknown): unknown {
  return typeof before === 'string' && typeof item === 'string' ? before + item : item
}
