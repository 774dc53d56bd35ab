import type { TransportKind } from '../protocol/transport-kind.ts'
import type { ReplySink } from './server-port.ts'

/**
 * Where the server's side of a transport looks whether faults are to be made on purpose. It costs one look at each
 * message; without an injector it has no other effect.
 */
export type FaultGate = {
  /** What makes faults; undefined while none is set. It changes while connections are open. */
  readonly injector: FaultInjector | undefined
}

/** A gate that stays shut. */
export const NO_FAULTS: FaultGate = { injector: undefined }

/** How a connection carries out an injected fault. All of these are the transport's own ways, past every fault. */
export type FaultOutlet = {
  /** Sends a message as it is. */
  pass(bytes: Uint8Array): void
  /** Sends the beginning of a message's frame and breaks the connection; missing where there are no frames. */
  cut?(bytes: Uint8Array): void
  /** Breaks the connection without a word. */
  close(): void
  /** Writes so many bytes on standard error; missing where there is none. */
  flood?(bytes: number): void
  /** Notes on the tap what was done. */
  mark(note: string): void
}

/** The reply to one HTTP request, which faults can break in more ways than a sink has. */
export type FaultyTarget = {
  readonly sink: ReplySink
  /** Sends the beginning of a message and breaks the connection; the answer has a status, what precedes it has none. */
  cut(bytes: Uint8Array, status: number | undefined): void
  /** Breaks the connection; what follows is kept where streams are kept. */
  close(): void
  mark(note: string): void
}

/** One duplex connection, or the stream of one session, seen by what makes faults. */
export interface FaultConnection {
  /** A message came: the answer to it may be one that faults are set for. */
  received(message: unknown): void
  /** Receives a message that is about to be sent, and sends it, changed or not, or drops it. */
  send(bytes: Uint8Array): void
  /** The connection has ended: nothing is delayed for it any more. */
  end(): void
}

/** A request that is not served. */
export type FaultRefusal = {
  readonly status: number
  /** Seconds. */
  readonly retryAfter?: number
}

/** Makes the faults that are set. Every method decides again, at the moment of the call. */
export interface FaultInjector {
  line(kind: TransportKind, outlet: FaultOutlet): FaultConnection
  /** The sink to answer `message` with. */
  reply(kind: TransportKind, message: unknown, target: FaultyTarget): ReplySink
  /** What `message` is refused with, without being served; without a message it is a connection that opens. */
  refusal(kind: TransportKind, message: unknown): FaultRefusal | undefined
  /** Whether the session that `message` came in is lost just now. */
  losesSession(kind: TransportKind, message: unknown): boolean
}
