import { randomBytes, timingSafeEqual } from 'node:crypto'
import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import { tapMessageSchema, type AppMessage, type TapMessage } from './control-messages.ts'
import { controlPlace, type ControlPlace } from './control-place.ts'
import { LineChannel } from './line-channel.ts'

const OWNER_ONLY = 0o600
/** A tap introduces itself within this time. */
const HELLO_MS = 5_000
/** Taps of one profile at the same time. */
const MOST_TAPS = 200

export type TapHello = Omit<Extract<TapMessage, { readonly type: 'hello' }>, 'type' | 'token'>
/** What a tap says after it introduced itself. */
export type TapEvent = Exclude<TapMessage, { readonly type: 'hello' }>

/** A tap that is connected. */
export type ConnectedTap = { readonly hello: TapHello; send(message: AppMessage): void }

export type ControlHandlers = {
  opened(tap: ConnectedTap): void
  event(tap: ConnectedTap, event: TapEvent): void
  closed(tap: ConnectedTap): void
}

/** The app's end of the channel: accepts taps that know the token of the profile. */
export class ControlServer {
  readonly #place: ControlPlace
  readonly #server: Server
  readonly #sockets = new Set<Socket>()

  private constructor(place: ControlPlace, token: string, handlers: ControlHandlers) {
    this.#place = place
    this.#server = createServer((socket) => this.#accept(socket, token, handlers))
  }

  /** Listens for the taps of a profile. Rejects with the system's error. */
  static async start(profile: string, handlers: ControlHandlers): Promise<ControlServer> {
    const place = controlPlace(profile)
    const token = randomBytes(32).toString('hex')
    await rm(place.token, { force: true })
    await writeFile(place.token, `${token}\n`, { mode: OWNER_ONLY, flag: 'wx' })
    // Only one app has a profile: what is left there is of one that was killed.
    if (process.platform !== 'win32') await rm(place.socket, { force: true })
    const control = new ControlServer(place, token, handlers)
    await new Promise<void>((resolve, reject) => {
      control.#server.once('error', reject)
      control.#server.listen(place.socket, resolve)
    })
    if (process.platform !== 'win32') await chmod(place.socket, OWNER_ONLY)
    return control
  }

  async close(): Promise<void> {
    const closed = new Promise<void>((resolve) => this.#server.close(() => resolve()))
    for (const socket of this.#sockets) socket.destroy()
    await closed
    await rm(this.#place.token, { force: true })
  }

  #accept(socket: Socket, token: string, handlers: ControlHandlers): void {
    if (this.#sockets.size >= MOST_TAPS) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    let tap: ConnectedTap | undefined
    const late = setTimeout(() => socket.destroy(), HELLO_MS).unref()
    const channel: LineChannel<TapMessage> = new LineChannel(socket, tapMessageSchema, {
      message: (message) => {
        if (tap !== undefined && message.type !== 'hello') {
          handlers.event(tap, message)
          return
        }
        if (tap !== undefined || message.type !== 'hello' || !isSame(message.token, token)) {
          socket.destroy()
          return
        }
        clearTimeout(late)
        const { type: _type, token: _token, ...hello } = message
        tap = { hello, send: (each) => channel.send(each) }
        handlers.opened(tap)
      },
      closed: () => {
        clearTimeout(late)
        this.#sockets.delete(socket)
        if (tap !== undefined) handlers.closed(tap)
      },
    })
  }
}

function isSame(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
