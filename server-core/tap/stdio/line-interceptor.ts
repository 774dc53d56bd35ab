import { DelayQueue } from '../../faults/delay-queue.ts'
import type { Frame } from '../../ports/tap.ts'
import { frameOfLine } from '../recording/frame-recorder.ts'
import { answerBytes, type Decision } from '../rules/apply-action.ts'
import type { HeldMessages, HeldOutcome } from '../rules/held-messages.ts'
import type { MessageFacts, MessageReader } from '../rules/message-facts.ts'
import type { RuleEngine } from '../rules/rule-engine.ts'
import type { Direction } from '../rules/rule-schema.ts'
import type { Interceptor } from './flow.ts'
import { withoutEnding } from './line-cutter.ts'

const LINE_FEED = Buffer.of(0x0a)
/** Characters of a message that a note repeats. */
const SHOWN = 2_000
/** JSON-RPC: internal error. */
const NOT_FORWARDED = -32_603

export type LineInterceptorOptions = {
  readonly direction: Direction
  readonly engine: RuleEngine
  readonly held: HeldMessages
  /** Remembers requests, where not all messages of the engine belong together. */
  readonly reader?: MessageReader
  /** On to where lines were going. */
  readonly forward: (bytes: Buffer) => void
  /** Back to where they came from. */
  readonly back: (bytes: Buffer) => void
  readonly record: (frame: Frame) => void
  /** Closes both sides; the reason is in words. */
  readonly close: (reason: string) => void
  /** Whatever is on its way has to arrive before it resolves. */
  readonly settled: () => Promise<void>
}

/** Applies rules to the lines of one direction. A line that no rule applies to goes on with the bytes it came with. */
export class LineInterceptor implements Interceptor {
  readonly #options: LineInterceptorOptions
  readonly #delayed: DelayQueue<Delayed>
  readonly #holding = new Set<Promise<void>>()
  #isClosed = false

  constructor(options: LineInterceptorOptions) {
    this.#options = options
    this.#delayed = new DelayQueue<Delayed>(({ line, arrived }) => {
      this.#forward(line)
      arrived()
    }, new Set())
  }

  /** Returns a promise if something waits; it resolves when all of the line has gone where it goes. */
  line(line: Buffer): Promise<void> | undefined {
    const { direction, engine, reader } = this.#options
    const bytes = withoutEnding(line)
    if (bytes.length === 0) {
      this.#forward(line)
      return undefined
    }
    const frame = frameOfLine(wireOf(direction), bytes)
    const decided = engine.decide(direction, frame, reader)
    if (decided === undefined) {
      this.#forward(line)
      this.#options.record(frame)
      return undefined
    }
    return this.#apply(decided.decision, decided.facts, { line, frame, ruleId: decided.ruleId })
  }

  async end(): Promise<void> {
    await Promise.all(this.#holding)
    this.#delayed.flush()
    await this.#options.settled()
  }

  /** Lets everything go on that is delayed, for when the rules change. */
  flush(): void {
    this.#delayed.flush()
  }

  #apply(decision: Decision, facts: MessageFacts, came: Came): Promise<void> | undefined {
    const { forward, reply, delayMs, hold, close, note } = decision
    if (hold !== undefined) {
      const holding = this.#hold(hold, facts, came).finally(() => this.#holding.delete(holding))
      this.#holding.add(holding)
      return holding
    }
    const waiting: Promise<void>[] = []
    const ending = endingOf(came.line)
    const isSame = forward.length > 0 && forward.every((bytes) => bytes === came.frame.bytes)
    for (const bytes of forward) {
      const line = bytes === came.frame.bytes ? came.line : Buffer.concat([bytes, ending])
      if (delayMs === undefined) this.#forward(line)
      else {
        const { promise, resolve: arrived } = Promise.withResolvers<void>()
        this.#delayed.push({ line, arrived }, { delayMs, alone: true, overtakenBy: 0 })
        waiting.push(promise)
      }
      this.#options.record(
        bytes === came.frame.bytes ? came.frame : frameOfLine(came.frame.direction, Buffer.from(bytes)),
      )
    }
    if (forward.length === 0) this.#options.record(came.frame)
    if (note !== undefined)
      this.#note(isSame || forward.length === 0 ? note : `${note}; it came as ${shown(came)}`)
    if (reply !== undefined) this.#reply(reply, came)
    if (close === true && note !== undefined) this.#close(note)
    return waiting.length === 0 ? undefined : Promise.all(waiting).then(() => undefined)
  }

  async #hold(action: NonNullable<Decision['hold']>, facts: MessageFacts, came: Came): Promise<void> {
    const { bytes } = came.frame
    const outcome = await this.#options.held.hold(facts, { bytes, ruleId: came.ruleId }, action)
    this.#settle(outcome, facts, came)
  }

  #settle(outcome: HeldOutcome, facts: MessageFacts, came: Came): void {
    const held = `rule ${came.ruleId}: held`
    const { frame } = came
    if (outcome.type === 'forward') {
      const { bytes = frame.bytes, reason } = outcome
      const isSame = bytes === frame.bytes
      this.#forward(isSame ? came.line : Buffer.concat([bytes, endingOf(came.line)]))
      this.#options.record(isSame ? frame : frameOfLine(frame.direction, Buffer.from(bytes)))
      this.#note(
        isSame
          ? `${held}, forwarded unchanged: ${reason}`
          : `${held}, edited: ${reason}; it came as ${shown(came)}`,
      )
      return
    }
    this.#options.record(frame)
    this.#note(`${held}, ${OUTCOMES[outcome.type]}: ${outcome.reason}`)
    if (outcome.type === 'answer') this.#reply(outcome.bytes, came)
    if (outcome.type === 'error' && facts.kind === 'request')
      this.#reply(
        answerBytes(frame.bytes, {
          error: { code: NOT_FORWARDED, message: `The tap did not forward this request: ${outcome.reason}.` },
        }),
        came,
      )
  }

  #reply(bytes: Uint8Array, { line, frame }: Came): void {
    const ending = endingOf(line)
    this.#options.back(Buffer.concat([bytes, ending.length === 0 ? LINE_FEED : ending]))
    this.#options.record(frameOfLine(frame.direction === 'sent' ? 'received' : 'sent', Buffer.from(bytes)))
  }

  #forward(line: Buffer): void {
    if (!this.#isClosed) this.#options.forward(line)
  }

  #note(text: string): void {
    this.#options.record({ kind: 'fault', direction: 'sent', bytes: Buffer.from(text) })
  }

  #close(reason: string): void {
    this.#isClosed = true
    this.#delayed.stop()
    this.#options.close(reason)
  }
}

type Delayed = { readonly line: Buffer; readonly arrived: () => void }
type Came = { readonly line: Buffer; readonly frame: Frame; readonly ruleId: string }

const OUTCOMES = { drop: 'dropped', answer: 'answered here', error: 'answered with an error' } as const

function wireOf(direction: Direction): 'sent' | 'received' {
  return direction === 'to-server' ? 'sent' : 'received'
}

function endingOf(line: Buffer): Buffer {
  return line.subarray(withoutEnding(line).length)
}

function shown({ frame: { bytes } }: Came): string {
  return Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, SHOWN)).toString()
}
