import type { Principal } from '../protocol/principal.ts'

/** A caller that may come in. */
export type Admitted = {
  /** Names the caller the same on every connection; two callers that may not see each other's work differ. */
  readonly caller: string
  /** When the admission ends, in milliseconds since 1970: nothing stays open longer. */
  readonly expiresAt?: number
  /** Who the token speaks for, where tokens say so. */
  readonly principal?: Principal
}

/** An HTTP answer that comes before JSON-RPC. */
export type Refused = {
  readonly status: 400 | 401 | 403 | 503
  readonly reason: string
  readonly headers?: Readonly<Record<string, string>>
}

/** What a network listener needs to know of who may call (specification: Authorization). */
export interface Authorization {
  /**
   * Decides on the `Authorization` header of a request to `path`. Never rejects: what cannot be decided is a refusal.
   */
  admit(authorization: string | undefined, path: string): Admitted | Refused | Promise<Admitted | Refused>
  /** Returns whether a caller that was admitted once still would be. */
  stillAdmits(caller: string): boolean
  /** Returns why this caller may not send this message (or batch), though it may send others. */
  refuseMessage?(admitted: Admitted, message: unknown, path: string): Refused | undefined
  /** The JSON document that anybody may read at `path` (RFC 9728), or undefined. */
  document?(path: string): string | undefined
  /** Hosts (without port) and origins by which clients know this server, beside those of the listener. */
  readonly publicNames?: { readonly hosts: readonly string[]; readonly origins: readonly string[] }
}

/** Everybody, while nobody has to say who they are. */
export const ANONYMOUS: Admitted = { caller: 'anonymous' }

/**
 * Names a caller to the server. An authenticated caller is the same on every listener and after a restart; anonymous
 * callers of one listener are unknown to another.
 *
 * @param listener names the listener
 */
export function ownerOf({ caller }: Admitted, listener: string): string {
  return caller === ANONYMOUS.caller ? `${listener} ${caller}` : caller
}
