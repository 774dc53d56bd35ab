import type { JsonObject } from '../protocol/json.ts'
import type { Emission, Question } from './invocation.ts'

/** The end of a session with a client, for what belongs to none of its calls. */
export interface SessionEnd {
  /** Ignored where the revision does not know it, or the client wants none of it. */
  emit(emission: Emission): void
  notify(method: string, params: JsonObject): void
  /**
   * Asks the client, and takes the question back when `withdrawn` is aborted. Rejects with the client's error as a
   * `ProtocolError`, or with an `InputUnavailableError` if it cannot be asked.
   */
  ask(question: Question, withdrawn: AbortSignal): Promise<JsonObject>
}

/** What a session passes on to what lies behind its registry. */
export interface UpstreamSession {
  /** A notification of the client, or a request that the session has answered itself (`logging/setLevel`). */
  onMessage(method: string, params: JsonObject): void
  ended(): void
}

/** What the entries themselves do not show. */
export type UpstreamFeature = 'completions' | 'logging' | 'subscriptions'

/** The other server behind a registry whose entries are not its own: what concerns no single entry goes there. */
export interface Upstream {
  /** Whether it has what our own server always offers. */
  offers(feature: UpstreamFeature): boolean
  /** Subscribes to a resource; returns an unsubscribe function. Rejects with the error for the client. */
  subscribe(uri: string): Promise<() => void>
  /** A session began (the revisions that open with a handshake). */
  session(end: SessionEnd): UpstreamSession
}
