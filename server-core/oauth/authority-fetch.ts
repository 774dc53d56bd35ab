/**
 * Sends one request to whoever a server names: an authorization server, a metadata document. The guarded fetch of
 * `network/` has this shape; it decides which addresses are reached, and caps size, time and redirects.
 */
export type AuthorityFetch = (
  url: string,
  init: {
    readonly method: 'GET' | 'POST'
    readonly headers: Readonly<Record<string, string>>
    readonly body?: string
    readonly signal?: AbortSignal
  },
) => Promise<{
  readonly status: number
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}>
