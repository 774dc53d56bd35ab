import { InFlight } from '../protocol/in-flight.ts'
import type { Connection } from './connection.ts'
import { MessageId } from './message-id.ts'
import type { Segment } from './segment.ts'

/**
 * Lets go of what is over in the oldest segment: requests with their answers and the other heads of their HTTP
 * exchanges, and notifications that stand for themselves. An answer, or a head, may stand in the next segment, where it
 * goes too; what was answered still later stays. Gives how many frames went.
 */
export function dropSettled(oldest: Segment, next: Segment | undefined): number {
  const open = new OpenRequests()
  let dropped = 0
  for (let place = oldest.first; place < oldest.places; place += 1) {
    if (oldest.isGone(place)) continue
    if (oldest.findAsked(place, open.id)) note(open, oldest, place)
    else if (oldest.isNotice(place)) {
      oldest.drop(place)
      dropped += 1
    } else dropped += answer(open, oldest, oldest, place)
  }
  if (next !== undefined) {
    for (let place = next.first; place < next.places && open.size > 0; place += 1) {
      if (next.isGone(place)) continue
      if (next.findAsked(place, open.id)) hide(open, next, place)
      else dropped += answer(open, oldest, next, place)
    }
  }
  return dropped + dropHeads(oldest, next)
}

/** Notes the request whose id was found, which hides what came before by the same id. */
function note(open: OpenRequests, segment: Segment, place: number): void {
  const connection = segment.connection(place)
  if (connection !== undefined)
    open.set(connection, keyOf(connection, segment.exchange(place), open.id), place)
}

/** The request of the next segment whose id was found hides what came before by the same id, and stays. */
function hide(open: OpenRequests, segment: Segment, place: number): void {
  const connection = segment.connection(place)
  if (connection !== undefined) open.delete(connection, keyOf(connection, segment.exchange(place), open.id))
}

/** Lets an answer go with its request in the oldest segment. Gives how many frames went. */
function answer(open: OpenRequests, oldest: Segment, segment: Segment, place: number): number {
  const connection = segment.connection(place)
  if (connection === undefined || !segment.findAnswered(place, open.id)) return 0
  const key = keyOf(connection, segment.exchange(place), open.id)
  const request = open.get(connection, key)
  if (request === undefined || !oldest.findAsked(request, open.other) || !open.other.equals(open.id)) return 0
  if (oldest.isReceived(request) === segment.isReceived(place)) return 0
  open.delete(connection, key)
  oldest.drop(request)
  segment.drop(place)
  return 2
}

/** The places of requests that have no answer yet. Of those whose ids have the same key, the newest alone is known. */
class OpenRequests {
  /** Ids that are looked at. */
  readonly id = new MessageId()
  readonly other = new MessageId()
  readonly #byConnection = new Map<Connection, InFlight<number>>()
  /** Most frames in a row are of one connection. */
  #last: Connection | undefined
  #ofLast = new InFlight<number>()
  #size = 0

  get size(): number {
    return this.#size
  }

  get(connection: Connection, key: number): number | undefined {
    return this.#of(connection).get(key)
  }

  set(connection: Connection, key: number, place: number): void {
    const requests = this.#of(connection)
    this.#size -= requests.size
    requests.set(key, place)
    this.#size += requests.size
  }

  delete(connection: Connection, key: number): void {
    if (this.#of(connection).delete(key)) this.#size -= 1
  }

  #of(connection: Connection): InFlight<number> {
    if (connection === this.#last) return this.#ofLast
    let requests = this.#byConnection.get(connection)
    if (requests === undefined) this.#byConnection.set(connection, (requests = new InFlight()))
    this.#last = connection
    this.#ofLast = requests
    return requests
  }
}

/** The HTTP exchanges of requests that are gone. */
type GoneExchanges = ReadonlyMap<Connection, ReadonlySet<number>>

/** Lets go of HTTP heads without a message that belong to requests of the oldest segment that are gone. */
function dropHeads(oldest: Segment, next: Segment | undefined): number {
  const gone = new Map<Connection, Set<number>>()
  for (let place = oldest.first; place < oldest.places; place += 1) {
    if (!oldest.isGone(place)) continue
    const connection = oldest.connection(place)
    const exchange = oldest.exchange(place)
    if (connection === undefined || exchange === undefined || !oldest.asks(place)) continue
    const exchanges = gone.get(connection)
    if (exchanges === undefined) gone.set(connection, new Set([exchange]))
    else exchanges.add(exchange)
  }
  if (gone.size === 0) return 0
  return dropHeadsOf(gone, oldest) + (next === undefined ? 0 : dropHeadsOf(gone, next))
}

function dropHeadsOf(gone: GoneExchanges, segment: Segment): number {
  let dropped = 0
  for (let place = segment.first; place < segment.places; place += 1) {
    if (!segment.isHead(place) || segment.isGone(place)) continue
    const connection = segment.connection(place)
    const exchange = segment.exchange(place)
    if (connection === undefined || exchange === undefined) continue
    if (gone.get(connection)?.has(exchange) !== true) continue
    segment.drop(place)
    dropped += 1
  }
  return dropped
}

/** Where many clients use the same ids, an answer belongs to the request of its own HTTP exchange. */
function keyOf({ source }: Connection, exchange: number | undefined, id: MessageId): number {
  return source.isOneClient === true || exchange === undefined ? id.key : exchange
}
