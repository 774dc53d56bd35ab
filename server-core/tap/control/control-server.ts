import { chmod, rm, writeFile } from 'node:fs/promises'
import { createServer, type Server, type Socket } from 'node:net'
import path from 'node:path'
import { messageOf } from '../../protocol/error-message.ts'
import { makeFolder } from '../../workspace/make-folder.ts'
import { TapError } from '../tap-error.ts'
import {
  tapMessageSchema,
  type AppMessage,
  type ChannelSwapped,
  type SwapAsked,
  type SwapOutcome,
  type TapMessage,
} from './control-messages.ts'
import { controlPlace, type ControlPlace } from './control-place.ts'
import { createProof, isSameText, proofText, type ControlProof } from './control-proof.ts'
import { LineChannel } from './line-channel.ts'

const OWNER_ONLY = 0o600
const OWNER_FOLDER = 0o700
/** A tap introduces itself within this time. */
const HELLO_MS = 5_000
/** Taps of one profile at the same time. */
const MOST_TAPS = 200

export type TapHello = Omit<Extract<TapMessage, { readonly type: 'hello' }>, 'type' | 'token'>
/** What a tap says after it introduced itself. */
export type TapEvent = Exclude<TapMessage, { readonly type: 'hello' | 'ask' | 'swapped' }>

/** A tap that is connected. */
export type ConnectedTap = {
  readonly hello: TapHello
  send(message: Exclude<AppMessage, { readonly type: 'swap' }>): void
  /** Replaces its server. @throws TapError `swap` */
  swap(swap: SwapAsked): Promise<ChannelSwapped>
}

export type ControlHandlers = {
  opened(tap: ConnectedTap): void
  event(tap: ConnectedTap, event: TapEvent): void
  closed(tap: ConnectedTap): void
  /** A command line wants a tap to replace its server. */
  asked(tap: string, swap: SwapAsked): Promise<ChannelSwapped>
}

/** The app's end of the channel: accepts taps that know the token of the profile. */
export class ControlServer {
  readonly #place: ControlPlace
  readonly #server: Server
  readonly #sockets = new Set<Socket>()
  #swaps = 0

  private constructor(place: ControlPlace, proof: ControlProof, handlers: ControlHandlers) {
    this.#place = place
    this.#server = createServer((socket) => this.#accept(socket, proof, handlers))
  }

  /** Listens for the taps of a profile. Rejects with the system's error. */
  static async start(profile: string, handlers: ControlHandlers): Promise<ControlServer> {
    const place = controlPlace(profile)
    const proof = createProof()
    // A tap that records nothing does not make it.
    await makeFolder(path.dirname(place.token), OWNER_FOLDER)
    await rm(place.token, { force: true })
    await writeFile(place.token, proofText(proof), { mode: OWNER_ONLY, flag: 'wx' })
    // Only one app has a profile: what is left there is of one that was killed.
    if (process.platform !== 'win32') await rm(place.socket, { force: true })
    const control = new ControlServer(place, proof, handlers)
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

  #accept(socket: Socket, proof: ControlProof, handlers: ControlHandlers): void {
    if (this.#sockets.size >= MOST_TAPS) {
      socket.destroy()
      return
    }
    this.#sockets.add(socket)
    let tap: ConnectedTap | undefined
    const swaps = new Map<number, (outcome: SwapOutcome) => void>()
    const late = setTimeout(() => socket.destroy(), HELLO_MS).unref()
    const swap = async (asked: SwapAsked): Promise<ChannelSwapped> => {
      const { promise, resolve } = Promise.withResolvers<SwapOutcome>()
      this.#swaps += 1
      const number = this.#swaps
      swaps.set(number, resolve)
      channel.send({ type: 'swap', number, proof: proof.ofApp, swap: asked })
      const outcome = await promise
      swaps.delete(number)
      if (outcome.type === 'done') return outcome.swapped
      throw new TapError('swap', outcome.message)
    }
    const channel: LineChannel<TapMessage> = new LineChannel(socket, tapMessageSchema, {
      message: (message) => {
        if (message.type === 'hello' || message.type === 'ask') {
          if (tap !== undefined || !isSameText(message.token, proof.ofTap)) {
            socket.destroy()
            return
          }
          clearTimeout(late)
          if (message.type === 'ask') {
            void outcomeOf(handlers.asked(message.tap, message.swap)).then((outcome) =>
              channel.send({ type: 'answer', outcome }),
            )
            return
          }
          const { type: _type, token: _token, ...hello } = message
          tap = { hello, send: (each) => channel.send(each), swap }
          handlers.opened(tap)
        } else if (tap === undefined) socket.destroy()
        else if (message.type === 'swapped') swaps.get(message.number)?.(message.outcome)
        else handlers.event(tap, message)
      },
      closed: (reason) => {
        clearTimeout(late)
        this.#sockets.delete(socket)
        for (const settle of swaps.values()) settle({ type: 'failed', message: `the tap ended: ${reason}` })
        if (tap !== undefined) handlers.closed(tap)
      },
    })
  }
}

async function outcomeOf(swapping: Promise<ChannelSwapped>): Promise<SwapOutcome> {
  try {
    return { type: 'done', swapped: await swapping }
  } catch (error) {
    return { type: 'failed', message: messageOf(error) }
  }
}
