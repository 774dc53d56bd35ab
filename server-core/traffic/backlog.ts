import { isJsonObject } from '../protocol/json.ts'
import { isRequestId, type RequestId } from '../protocol/messages.ts'
import type { Frame, HttpFacts, WireDirection } from '../transports/tap.ts'
import type { Connection } from './connection.ts'
import { opposite } from './stored-frame.ts'

/** A frame as it was recorded: nothing was done with it yet. */
export type Recorded = {
  readonly connection: Connection
  /** Milliseconds since 1970, with fractions. */
  readonly at: number
  readonly kind: Frame['kind']
  readonly direction: WireDirection
  readonly bytes: Uint8Array
  readonly http: HttpFacts | undefined
  /** The parsed value of a message, if somebody is there to read it soon; otherwise it is parsed again. */
  readonly parsed: unknown
  /** Why it is noise, or what happened in the connection's life. */
  readonly reason: string | undefined
  /** Of a life event. */
  readonly event: 'opened' | 'closed' | undefined
  /** The id of a request. */
  readonly asks: RequestId | undefined
  /** A request and its answer that both may go without anybody having looked at them. */
  over: boolean
}

/** What a frame costs beside its bytes, roughly: thousands of tiny frames must be bounded too. */
const OVERHEAD_BYTES = 256
const HTTP_BYTES = 1_024
/** Of a full backlog, so much is looked through at once to make room. */
const STEP_SHARE = 1 / 16
/** Frames that are gone from the front before the list is cut. */
const CUT_AFTER = 4_096

/**
 * Frames that were recorded and not yet folded into rows. While nobody looks they wait here; when there are too many
 * the oldest go, and only what is more than a request with its answer is folded first.
 */
export class Backlog {
  #frames: (Recorded | undefined)[] = []
  #first = 0
  #cost = 0

  /** Bytes of memory it takes, roughly. */
  get cost(): number {
    return this.#cost
  }

  get size(): number {
    return this.#frames.length - this.#first
  }

  push(recorded: Recorded): void {
    this.#frames.push(recorded)
    this.#cost += costOf(recorded)
  }

  /** Takes out the oldest. */
  take(): Recorded | undefined {
    const recorded = this.#frames[this.#first]
    if (recorded === undefined) return undefined
    this.#frames[this.#first] = undefined
    this.#first += 1
    this.#cost -= costOf(recorded)
    if (this.#first === this.#frames.length || this.#first > CUT_AFTER) {
      this.#frames = this.#frames.slice(this.#first)
      this.#first = 0
    }
    return recorded
  }

  /**
   * Makes room of at least a share of what is there. Requests that were answered go with their answers; everything
   * else among the oldest is given to `fold`, in order. Gives how many frames went.
   */
  makeRoom(fold: (recorded: Recorded) => void): number {
    const left = this.#cost * (1 - STEP_SHARE)
    let last = this.#first
    for (let cost = this.#cost; cost > left && last < this.#frames.length; last += 1) {
      const recorded = this.#frames[last]
      if (recorded !== undefined) cost -= costOf(recorded)
    }
    markAnswered(this.#frames, this.#first, last)
    let dropped = 0
    for (let count = last - this.#first; count > 0; count -= 1) {
      const recorded = this.take()
      if (recorded === undefined) break
      if (recorded.over) dropped += 1
      else fold(recorded)
    }
    return dropped
  }
}

function costOf({ bytes, http }: Recorded): number {
  return bytes.byteLength + OVERHEAD_BYTES + (http === undefined ? 0 : HTTP_BYTES)
}

/** What answers find a request by: over HTTP the exchange, since there many clients use the same ids. */
type Key = RequestId | undefined

function markAnswered(frames: readonly (Recorded | undefined)[], from: number, to: number): void {
  const open = new Map<Connection, { sent: Map<Key, Recorded>; received: Map<Key, Recorded> }>()
  for (let index = from; index < to; index += 1) {
    const recorded = frames[index]
    if (recorded?.kind !== 'message') continue
    let asked = open.get(recorded.connection)
    if (asked === undefined) {
      asked = { sent: new Map(), received: new Map() }
      open.set(recorded.connection, asked)
    }
    if (recorded.asks !== undefined) {
      asked[recorded.direction].set(recorded.http?.exchange ?? recorded.asks, recorded)
      continue
    }
    const id = answeredId(recorded.bytes)
    if (id === undefined) continue
    const requests = asked[opposite(recorded.direction)]
    const key = recorded.http?.exchange ?? id
    const request = requests.get(key)
    if (request?.asks !== id) continue
    requests.delete(key)
    request.over = true
    recorded.over = true
  }
}

const ANSWER_HEAD = /^\{"jsonrpc":"2\.0","id":(?:(-?\d{1,16})|"([^"\\\x80-\xff]*)"),"(?:result|error)":/
/** Ids that are longer than that are not read here. */
const HEAD_BYTES = 128

/** The id in the head of an answer that is written as we write ours; undefined for anything else. */
function answeredId(bytes: Uint8Array): RequestId | undefined {
  const head = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.byteLength, HEAD_BYTES))
  const match = ANSWER_HEAD.exec(head.toString('latin1'))
  if (match === null) return undefined
  return match[1] === undefined ? match[2] : Number(match[1])
}

/** The id by which a message waits for an answer, if it is a request. */
export function askedId(parsed: unknown): RequestId | undefined {
  if (!isJsonObject(parsed) || parsed['method'] === undefined) return undefined
  const id = parsed['id']
  return isRequestId(id) ? id : undefined
}
