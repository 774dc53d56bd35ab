import type { HttpRequest } from './http-exchange.ts'

/** `/t/TOKEN/mcp` and `/t/TOKEN/ws`, with or without a query. HTTP+SSE names paths of its own, so it is left out. */
const WITH_TOKEN = /^\/t\/([A-Za-z0-9._~+-]+=*)(\/(?:mcp|ws)(?:\?.*)?)$/

/**
 * Moves a token from the path of a request to its `Authorization` header, so that a client which knows nothing but an
 * address can send one. Everything behind this sees neither the token nor the longer path. A request that has an
 * `Authorization` header already keeps it.
 */
export function moveTokenToHeader(request: HttpRequest): void {
  const [, token, path] = WITH_TOKEN.exec(request.url ?? '') ?? []
  if (token === undefined || path === undefined) return
  request.url = path
  if (request.headers.authorization !== undefined) return
  request.headers = { ...request.headers, authorization: `Bearer ${token}` }
}
