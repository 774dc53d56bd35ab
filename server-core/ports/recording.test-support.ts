import type { ProtocolError } from '../protocol/errors.ts'
import type { ClientReceiver, LinkReceiver, TransportError } from './contract.ts'
import type { Frame, Tap } from './tap.ts'

/** Something that grows and can be waited for. */
class Growing<T> {
  readonly items: T[] = []
  #waiters: { readonly length: number; readonly done: () => void }[] = []

  push(item: T): void {
    this.items.push(item)
    this.#waiters = this.#waiters.filter((waiter) => {
      if (this.items.length < waiter.length) return true
      waiter.done()
      return false
    })
  }

  count(length: number): Promise<void> {
    if (this.items.length >= length) return Promise.resolve()
    return new Promise((done) => this.#waiters.push({ length, done }))
  }
}

/** A client's end that keeps what it gets. `count(n)` resolves once n messages came. */
export function recordingClient() {
  const values = new Growing<unknown>()
  const invalid: string[] = []
  const closed = Promise.withResolvers<TransportError>()
  const receiver: ClientReceiver = {
    message: ({ value }) => {
      values.push(value)
    },
    invalid: (_bytes, reason) => {
      invalid.push(reason)
    },
    requestFailed: (_id, error) => {
      throw error
    },
    closed: closed.resolve,
  }
  return {
    receiver,
    values: values.items,
    invalid,
    closed: closed.promise,
    count: (length: number) => values.count(length),
  }
}

/** A server's end that keeps what it gets. */
export function recordingServer() {
  const values = new Growing<unknown>()
  const invalid = new Growing<ProtocolError>()
  const ended = Promise.withResolvers<undefined>()
  const closed = Promise.withResolvers<undefined>()
  const receiver: LinkReceiver = {
    message: (value) => {
      values.push(value)
    },
    invalid: (error) => {
      invalid.push(error)
    },
    ended: () => {
      ended.resolve(undefined)
    },
    closed: () => {
      closed.resolve(undefined)
    },
  }
  return {
    receiver,
    values: values.items,
    invalid: invalid.items,
    ended: ended.promise,
    closed: closed.promise,
    count: (length: number) => values.count(length),
    countInvalid: (length: number) => invalid.count(length),
  }
}

/** A tap that keeps its frames. */
export function recordingTap(): { readonly tap: Tap; readonly frames: Frame[] } {
  const frames: Frame[] = []
  return { frames, tap: { record: (frame) => frames.push(frame) } }
}
