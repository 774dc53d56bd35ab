import { readFile } from 'node:fs/promises'
import { connect } from 'node:net'
import type { z } from 'zod'
import type { Frame } from '../../ports/tap.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { defaultProfile } from '../../profile/profile-files.ts'
import type { HeldMessage, HeldMessages, HeldOutcome } from '../rules/held-messages.ts'
import type { TapRules } from '../rules/rule-schema.ts'
import type { Swapped, SwapOptions } from '../swap/server-swap.ts'
import { isSameText, readProof } from './control-proof.ts'
import {
  appMessageSchema,
  type swapSchema,
  toChannel,
  type AppMessage,
  type ChannelFrame,
  type ChannelHeld,
} from './control-messages.ts'
import { controlPlace } from './control-place.ts'
import { LineChannel } from './line-channel.ts'

/** An app that is started later is found within this time. */
const RETRY_MS = 2_000
/** Frames go out together, at most so often. */
const BATCH_MS = 20
/** Frames that are kept for an app which is not there yet. */
const MOST_EARLY = 500
/** Bytes that may wait for the app; what comes then is counted. */
const MOST_WAITING = 8 * 1024 * 1024

export type TapIdentity = { readonly name: string; readonly client?: string; readonly command: string }

export type TapControlOptions = {
  readonly profile?: string
  readonly identity: TapIdentity
  readonly held: HeldMessages
  readonly setRules: (rules: TapRules) => void
  readonly hits: () => Readonly<Record<string, number>>
  /** Replaces the server, if that is possible. */
  readonly swap?: (options: SwapOptions) => Promise<Swapped>
}

/**
 * The tap's end of the channel to the app. It shows the app what passes and does what the app says. Traffic never waits for
 * it: when the app goes, what is held goes on unchanged.
 */
export class TapControl {
  readonly #options: TapControlOptions
  readonly #startedAt = Date.now()
  #command: string
  #channel: LineChannel<AppMessage> | undefined
  #frames: ChannelFrame[] = []
  #missed = 0
  #batch: NodeJS.Timeout | undefined
  #retry: NodeJS.Timeout | undefined
  #isClosed = false

  constructor(options: TapControlOptions) {
    this.#options = options
    this.#command = options.identity.command
  }

  /** Looks for the app, now and from time to time. */
  async start(): Promise<void> {
    if (this.#isClosed) return
    const { profile = defaultProfile() } = this.#options
    const place = controlPlace(profile)
    const proof = readProof(await readFile(place.token, 'utf8').catch(() => ''))
    if (proof === undefined) {
      this.#later()
      return
    }
    if (this.#hasEnded()) return
    const socket = connect(place.socket)
    // The app must not keep a tap alive whose server has ended.
    socket.unref()
    const channel = new LineChannel(socket, appMessageSchema, {
      message: (message) => void this.#obey(message, proof.ofApp),
      closed: () => {
        if (this.#channel === channel) this.#options.held.watch(false)
        this.#channel = undefined
        this.#later()
      },
    })
    socket.once('connect', () => {
      const { identity } = this.#options
      this.#channel = channel
      channel.send({
        type: 'hello',
        token: proof.ofTap,
        ...identity,
        command: this.#command,
        pid: process.pid,
        startedAt: this.#startedAt,
        swaps: this.#options.swap !== undefined,
      })
      this.#options.held.watch(true)
      this.#send()
    })
  }

  /** Shows a frame to the app. */
  record(frame: Frame): void {
    const isWaiting = this.#channel === undefined
    if (
      (isWaiting && this.#frames.length >= MOST_EARLY) ||
      (this.#channel?.waitingBytes ?? 0) > MOST_WAITING
    ) {
      this.#missed += 1
      return
    }
    this.#frames.push(toChannel(frame))
    if (!isWaiting) this.#batch ??= setTimeout(() => this.#send(), BATCH_MS).unref()
  }

  /** Shows the app what is held now. */
  showHeld(messages: readonly HeldMessage[]): void {
    this.#send()
    this.#channel?.send({ type: 'held', held: messages.map(heldOf) })
  }

  close(): void {
    this.#send()
    this.#isClosed = true
    clearTimeout(this.#retry)
    this.#channel?.close()
  }

  // It may end while something is waited for, which the compiler does not see.
  #hasEnded(): boolean {
    return this.#isClosed
  }

  #send(): void {
    clearTimeout(this.#batch)
    this.#batch = undefined
    const channel = this.#channel
    if (channel === undefined) return
    if (this.#frames.length > 0) channel.send({ type: 'frames', frames: this.#frames.splice(0) })
    if (this.#missed > 0) channel.send({ type: 'missed', frames: this.#missed })
    this.#missed = 0
    const hits = this.#options.hits()
    if (Object.keys(hits).length > 0) channel.send({ type: 'hits', hits })
  }

  #later(): void {
    if (this.#isClosed) return
    clearTimeout(this.#retry)
    this.#retry = setTimeout(() => void this.start(), RETRY_MS).unref()
  }

  async #obey(message: AppMessage, proof: string): Promise<void> {
    const { held } = this.#options
    if (message.type === 'rules') this.#options.setRules(message.rules)
    else if (message.type === 'release') held.releaseAll('by you')
    else if (message.type === 'settle') held.settle(message.id, outcomeOf(message.outcome))
    else {
      const { number } = message
      const outcome = isSameText(message.proof, proof)
        ? await this.#swap(message.swap)
        : ({ type: 'failed', message: 'only the app may replace the server' } as const)
      this.#send()
      this.#channel?.send({ type: 'swapped', number, outcome })
    }
  }

  async #swap({ command, openRequests }: z.infer<typeof swapSchema>) {
    try {
      if (this.#options.swap === undefined) throw new Error('the server of this tap cannot be replaced')
      const swapped = await this.#options.swap({ openRequests, ...(command !== undefined && { command }) })
      this.#command = swapped.command
      return { type: 'done', swapped } as const
    } catch (error) {
      return { type: 'failed', message: messageOf(error) } as const
    }
  }
}

function outcomeOf(outcome: Extract<AppMessage, { readonly type: 'settle' }>['outcome']): HeldOutcome {
  const reason = 'by you'
  if (outcome.type === 'drop') return { type: 'drop', reason }
  if (outcome.type === 'answer')
    return { type: 'answer', bytes: Buffer.from(outcome.bytes, 'base64'), reason }
  if (outcome.bytes === undefined) return { type: 'forward', reason }
  return { type: 'forward', bytes: Buffer.from(outcome.bytes, 'base64'), reason }
}

function heldOf({ bytes, ...message }: HeldMessage): ChannelHeld {
  return { ...message, bytes: Buffer.from(bytes).toString('base64') }
}
