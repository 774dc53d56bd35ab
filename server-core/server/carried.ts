import type { Carried } from '../transports/server-port.ts'

/** What of a request's origin its handler gets. */
export function carriedFacts({ headers, principal }: Carried): Carried {
  return principal === undefined ? { headers } : { headers, principal }
}
