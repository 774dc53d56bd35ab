import type { Invocation } from './invocation.ts'
import { jsonText } from './tool-result.ts'

/** Tells whether a handler gave a stream, such as an async generator, and not a value. */
export function isAsyncIterable(value: unknown): value is AsyncIterable<unknown> {
  return typeof value === 'object' && value !== null && Symbol.asyncIterator in value
}

/**
 * Runs a streamed result to its end: each item goes out as progress (1, 2, …, with the item as message), and the
 * value is what the generator returns, else what `accumulate` made of all items, else the last item. Stops, and
 * lets the generator clean up, when the call is aborted.
 */
export async function drainStream(
  stream: AsyncIterable<unknown>,
  accumulate: ((accumulated: unknown, item: unknown) => unknown) | undefined,
  invocation: Invocation,
): Promise<unknown> {
  const iterator = stream[Symbol.asyncIterator]()
  const { signal } = invocation
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
    value = accumulate === undefined ? item : accumulate(value, item)
    const message = typeof item === 'string' ? item : jsonText(item)
    invocation.emit({ type: 'progress', progress: count, message })
  }
}
