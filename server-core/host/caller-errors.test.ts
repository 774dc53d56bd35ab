import { createRouterClient, ORPCError, os } from '@orpc/server'
import { describe, expect, it, vi } from 'vitest'
import { StorageError } from '../workspace/storage-error.ts'
import { LiveError } from '../live/live-error.ts'
import { withCallerErrors } from './caller-errors.ts'
import { HostError } from './host-error.ts'

const full = Object.assign(new Error("ENOSPC: no space left on device, write '/x'"), {
  errno: -28,
  syscall: 'write',
  code: 'ENOSPC',
})

const CODED: readonly (readonly [Error, string])[] = [
  [new HostError('NOT_TRUSTED', 'Trust the folder first.'), 'NOT_TRUSTED'],
  [new StorageError('unavailable', 'The disk is full.'), 'STORAGE'],
  [new LiveError('unknown-entry', 'There is no such entry.'), 'unknown-entry'],
  [full, 'STORAGE'],
]

async function* failing(error: Error, after: number): AsyncGenerator<number> {
  for (let n = 0; n < after; n += 1) yield n
  await Promise.resolve()
  throw error
}

/** A procedure and streams that fail at each moment at which they can. */
function routerThatFails(error: Error) {
  const base = os.use(({ next, path, signal }) => withCallerErrors(next, path.join('.'), signal))
  return createRouterClient({
    call: base.handler(() => {
      throw error
    }),
    beforeStream: base.handler((): AsyncGenerator<number> => {
      throw error
    }),
    atOnce: base.handler(() => failing(error, 0)),
    afterSome: base.handler(() => failing(error, 1)),
  })
}

async function failureOf(
  client: ReturnType<typeof routerThatFails>,
  name: keyof typeof client,
): Promise<unknown> {
  try {
    const output: unknown = await client[name]()
    const stream = output as AsyncIterator<unknown>
    while ((await stream.next()).done !== true);
    return 'it did not fail'
  } catch (error) {
    return error
  }
}

describe.each(['call', 'beforeStream', 'atOnce', 'afterSome'] as const)('an error of %s', (name) => {
  it.each(CODED)('reaches the caller with its code and words: %s', async (error, code) => {
    const failure = await failureOf(routerThatFails(error), name)
    expect(failure).toBeInstanceOf(ORPCError)
    expect(failure).toMatchObject({ code, message: error.message })
  })

  it('logs an internal error, and sends the caller nothing of it', async () => {
    const log = vi.spyOn(console, 'error').mockImplementation(() => undefined)
    const fault = new TypeError('x is not a function')
    expect(await failureOf(routerThatFails(fault), name)).toBe(fault)
    expect(log).toHaveBeenCalledWith(`The host failed at ${name}:`, fault)
    log.mockRestore()
  })
})

it('a stream yields its values, and ends when its reader leaves', async () => {
  let isEnded = false
  const client = createRouterClient({
    count: os
      .use(({ next, path, signal }) => withCallerErrors(next, path.join('.'), signal))
      .handler(async function* () {
        try {
          await Promise.resolve()
          for (let n = 0; ; n += 1) yield n
        } finally {
          isEnded = true
        }
      }),
  })
  const seen: number[] = []
  for await (const n of await client.count()) {
    seen.push(n)
    if (n === 2) break
  }
  expect(seen).toEqual([0, 1, 2])
  expect(isEnded).toBe(true)
})
