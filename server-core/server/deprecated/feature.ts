import type { JsonObject } from '../../protocol/json.ts'
import type { Emission } from '../../registry/invocation.ts'
import type { Audience, SessionAudience } from '../audience.ts'
import type { QuestionKind } from '../question-kind.ts'

/**
 * Makes the notification for an emission of a handler, or undefined if its audience gets nothing of it. `meta` holds
 * the `_meta` that goes out with it, if any.
 */
export type EmissionEncoder = (
  emission: Emission,
  audience: Audience,
  meta: { readonly _meta?: JsonObject },
) => Buffer | undefined

/** All by which the server knows of a feature that 2026-07-28 deprecates. */
export type DeprecatedFeature = {
  /** As in "Sampling". */
  readonly name: string
  /** What handlers do instead. */
  readonly instead: string
  /** A method by which handlers ask the client. */
  readonly question?: readonly [method: string, kind: QuestionKind]
  /** A kind of what handlers send before their results. */
  readonly emission?: readonly [type: string, encode: EmissionEncoder]
  /** A request that a legacy session answers by itself; throws a `ProtocolError` on its parameters. */
  readonly sessionMethod?: readonly [
    method: string,
    answer: (session: SessionAudience, params: JsonObject) => JsonObject,
  ]
  /** The server capability of whoever has handlers. It lasts: it is not declared where there is no session. */
  readonly capability?: string
  /** Throws a `ProtocolError` on the `_meta` of a request of 2026-07-28. */
  readonly checkMeta?: (meta: JsonObject) => void
}
