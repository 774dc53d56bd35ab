import { describe, expect, it } from 'vitest'
import { HostUnreachableError, type HostPort } from './port.ts'
import { HostSession, retryDelay, type HostState } from './session.ts'

class FakePort implements HostPort {
  readonly posted: (string | Uint8Array)[] = []
  #onClose: () => void = () => undefined

  post(data: string | Uint8Array): void {
    this.posted.push(data)
  }
  onMessage(): void {
    // Nothing is answered in these tests.
  }
  onClose(listener: () => void): void {
    this.#onClose = listener
  }
  close(): void {
    this.#onClose()
  }
}

/** Resolves with the first state that has this status. */
function reached(session: HostSession, status: HostState['status']): Promise<HostState> {
  return new Promise((resolve) => {
    const look = (): void => {
      const state = session.state.get()
      if (state.status === status) resolve(state)
    }
    session.state.subscribe(look)
    look()
  })
}

const call = (session: HostSession): Promise<unknown> =>
  session.link.call(['app', 'info'], undefined, { context: {} })

describe('HostSession', () => {
  it('sends what was asked before the first opening, once it is open', async () => {
    const port = new FakePort()
    const opening = Promise.withResolvers<HostPort>()
    const session = new HostSession({ open: () => opening.promise })
    session.start()
    const answer = call(session)
    expect(port.posted).toHaveLength(0)
    opening.resolve(port)
    await reached(session, 'open')
    await expect.poll(() => port.posted.length).toBe(1)
    port.close()
    await expect(answer).rejects.toThrow()
  })

  it('says that the connection is lost, fails calls meanwhile, and opens it again', async () => {
    const ports = [new FakePort(), new FakePort()]
    const again = Promise.withResolvers<void>()
    let opened = 0
    const session = new HostSession(
      {
        open: () => {
          const port = ports[opened]
          opened += 1
          return port === undefined ? Promise.reject(new Error('no more')) : Promise.resolve(port)
        },
      },
      () => again.promise,
    )
    session.start()
    await reached(session, 'open')
    ports[0]?.close()
    await reached(session, 'lost')
    await expect(call(session)).rejects.toThrow(HostUnreachableError)
    again.resolve()
    await reached(session, 'open')
    expect(session.opened.get()).toBe(2)
  })

  it('does not try again without a token', async () => {
    let tries = 0
    const session = new HostSession(
      {
        open: () => {
          tries += 1
          return Promise.reject(new HostUnreachableError('no-token', 'no token'))
        },
      },
      () => Promise.resolve(),
    )
    session.start()
    expect(await reached(session, 'unreachable')).toMatchObject({ code: 'no-token' })
    await Promise.resolve()
    expect(tries).toBe(1)
  })

  it('waits longer each time, up to five seconds', () => {
    expect([1, 2, 3, 10].map(retryDelay)).toEqual([250, 500, 1000, 5000])
  })
})
