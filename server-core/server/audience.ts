import type { JsonObject } from '../protocol/json.ts'

/** A session of a handshake revision. Modules that remember something of one know it by this object. */
export type SessionAudience = { readonly type: 'session' }

/** Whom a handler reaches before its result: a session, the sender of one request with that `_meta`, or nobody. */
export type Audience =
  SessionAudience | { readonly type: 'request'; readonly meta: JsonObject } | { readonly type: 'nobody' }
