import type { RequestContext } from '../ports/server-port.ts'

/** What of a request's origin its handler gets. */
export function handlerFacts({ headers, principal }: RequestContext): RequestContext {
  return principal === undefined ? { headers } : { headers, principal }
}
