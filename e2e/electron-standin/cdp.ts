import { EventEmitter } from 'node:events'
import type { CDPSession } from '@playwright/test'

type Pending = {
  readonly method: string
  resolve(result: unknown): void
  reject(error: Error): void
}

type Reply = {
  readonly id?: number
  readonly sessionId?: string
  readonly method?: string
  readonly params?: unknown
  readonly result?: unknown
  readonly error?: { readonly message: string }
}

/** One target's side of the connection, with Playwright's types for what is sent and heard. */
export type Session = Pick<CDPSession, 'send' | 'on' | 'off'>

/** The smallest DevTools client that does the job: flat sessions over one WebSocket. */
export class Cdp {
  readonly #socket: WebSocket
  readonly #pending = new Map<number, Pending>()
  readonly #sessions = new Map<string, EventEmitter>()
  #nextId = 1
  /** The browser itself. */
  readonly root: Session
  /** Called when the browser has ended. */
  onGone: () => void = () => undefined

  private constructor(socket: WebSocket) {
    this.#socket = socket
    this.root = this.session('')
    socket.addEventListener('message', (event) => this.#hear(JSON.parse(String(event.data)) as Reply))
    socket.addEventListener('close', () => {
      for (const pending of this.#pending.values()) pending.reject(new Error('browser connection closed'))
      this.#pending.clear()
      this.onGone()
    })
  }

  static async connect(url: string): Promise<Cdp> {
    const socket = new WebSocket(url)
    await new Promise<void>((resolve, reject) => {
      socket.addEventListener('open', () => resolve(), { once: true })
      socket.addEventListener('error', () => reject(new Error(`cannot connect to ${url}`)), { once: true })
    })
    return new Cdp(socket)
  }

  session(id: string): Session {
    let events = this.#sessions.get(id)
    if (events === undefined) {
      events = new EventEmitter()
      events.setMaxListeners(0)
      this.#sessions.set(id, events)
    }
    const send = (method: string, params?: object): Promise<unknown> => this.#send(id, method, params ?? {})
    return Object.assign(events, { send }) as unknown as Session
  }

  #send(sessionId: string, method: string, params: object): Promise<unknown> {
    const id = this.#nextId++
    return new Promise((resolve, reject) => {
      if (this.#socket.readyState !== WebSocket.OPEN) {
        reject(new Error(`${method}: browser connection closed`))
        return
      }
      this.#pending.set(id, { method, resolve, reject })
      this.#socket.send(JSON.stringify({ id, method, params, ...(sessionId !== '' && { sessionId }) }))
    })
  }

  #hear(reply: Reply): void {
    if (reply.id === undefined) {
      if (reply.method !== undefined)
        this.#sessions.get(reply.sessionId ?? '')?.emit(reply.method, reply.params)
      return
    }
    const pending = this.#pending.get(reply.id)
    this.#pending.delete(reply.id)
    if (reply.error === undefined) pending?.resolve(reply.result)
    else pending?.reject(new Error(`${pending.method}: ${reply.error.message}`))
  }
}
