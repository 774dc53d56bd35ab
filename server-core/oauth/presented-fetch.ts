import type { ServerFacts } from './flow-state.ts'
import type { StepFetch, TokenPresentation } from './grant.ts'

/**
 * Adds the headers of the presentation (a DPoP proof) to requests to the token endpoint, and sends one again if the
 * reply asks for another proof.
 */
export function presentedFetch(
  fetch: StepFetch,
  server: ServerFacts,
  presentation: TokenPresentation | undefined,
): StepFetch {
  const endpoint = server.metadata['token_endpoint']
  if (presentation === undefined || typeof endpoint !== 'string') return fetch
  const tokenUrl = URL.parse(endpoint)?.href
  return async (url, init) => {
    if (URL.parse(url)?.href !== tokenUrl) return fetch(url, init)
    const send = async (): Promise<Response> => {
      const headers = await presentation.tokenRequestHeaders({ method: init.method, url })
      return fetch(url, { ...init, headers: { ...init.headers, ...headers } })
    }
    const first = await send()
    const body = await first.clone().text()
    return presentation.tokenReply(url, first.status, first.headers, body) ? send() : first
  }
}
