import type { Connection } from './connection.ts'
import { MessageId } from './message-id.ts'
import { OpenPlaces } from './open-places.ts'
import { PLACES, type Segment } from './segment.ts'

/**
 * Drops what is over in the oldest segment without folding it: requests with their answers and the other heads of their
 * HTTP exchanges, and notifications that nothing else needs. Answers and heads in the next segment are dropped with
 * their requests; what was answered still later stays, and so do handshakes.
 */
export class Settler {
  /** The places of requests without an answer. Of those whose ids have the same key, the newest alone is known. */
  readonly #open = new OpenPlaces<Connection>(PLACES)
  /** Ids that are looked at. */
  readonly #id = new MessageId()
  readonly #other = new MessageId()
  #dropped = 0

  /** Returns how many frames it dropped. */
  drop(oldest: Segment, next: Segment | undefined): number {
    this.#dropped = 0
    for (let place = oldest.first; place < oldest.places; place += 1) this.#settle(oldest, place)
    if (next !== undefined) {
      for (let place = next.first; place < next.places && this.#open.size > 0; place += 1) {
        this.#settleBehind(oldest, next, place)
      }
    }
    this.#open.clear()
    return this.#dropped + dropHeads(oldest, next)
  }

  /** Looks at a frame of the oldest segment. */
  #settle(oldest: Segment, place: number): void {
    if (oldest.isGone(place)) return
    if (oldest.findAsked(place, this.#id)) {
      const connection = oldest.connection(place)
      // A request hides what came before by the same id.
      if (connection !== undefined) this.#open.set(connection, this.#keyOf(oldest, place, connection), place)
    } else if (oldest.isNotice(place)) {
      oldest.drop(place)
      this.#dropped += 1
    } else this.#answer(oldest, oldest, place)
  }

  /** Looks at a frame of the next segment: its requests hide what came before by the same id too, and stay. */
  #settleBehind(oldest: Segment, next: Segment, place: number): void {
    if (next.isGone(place)) return
    if (next.findAsked(place, this.#id)) {
      const connection = next.connection(place)
      if (connection !== undefined) this.#open.delete(connection, this.#keyOf(next, place, connection))
    } else this.#answer(oldest, next, place)
  }

  /** Lets a frame that is an answer go with its request in the oldest segment. */
  #answer(oldest: Segment, segment: Segment, place: number): void {
    const connection = segment.connection(place)
    if (connection === undefined || !segment.findAnswered(place, this.#id)) return
    const key = this.#keyOf(segment, place, connection)
    const request = this.#open.get(connection, key)
    if (request < 0 || !oldest.findAsked(request, this.#other) || !this.#other.equals(this.#id)) return
    if (oldest.isReceived(request) === segment.isReceived(place)) return
    this.#open.delete(connection, key)
    if (oldest.isHandshake(request)) return
    oldest.drop(request)
    segment.drop(place)
    this.#dropped += 2
  }

  /** Where many clients use the same ids, an answer belongs to the request of its own HTTP exchange. */
  #keyOf(segment: Segment, place: number, { source }: Connection): number {
    if (source.isOneClient === true) return this.#id.key
    return segment.exchange(place) ?? this.#id.key
  }
}

/** The HTTP exchanges of requests that were dropped. */
type GoneExchanges = ReadonlyMap<Connection, ReadonlySet<number>>

/** Drops HTTP heads without a message that belong to dropped requests of the oldest segment. */
function dropHeads(oldest: Segment, next: Segment | undefined): number {
  if (!oldest.hasHeads && next?.hasHeads !== true) return 0
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
