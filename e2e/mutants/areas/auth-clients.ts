import type { ChangeHttp, Fault, Mutant, ProxyRequest, ProxyResponse } from '../mutant.ts'

const RESOURCE = '/.well-known/oauth-protected-resource'
const NEWER = ['2025-11-25', '2026-07-28'] as const

/** Changes the parameters of authorization requests. */
const changeAuthorization =
  (change: (parameters: URLSearchParams) => void): ChangeHttp =>
  (request, next) => {
    const [path = '', query = ''] = request.path.split('?')
    if (!path.endsWith('/authorize')) return next(request)
    const parameters = new URLSearchParams(query)
    change(parameters)
    return next({ ...request, path: `${path}?${parameters.toString()}` })
  }

/** Changes the address to which an authorization leads back. */
const changeCallback =
  (change: (callback: URL, asked: URLSearchParams) => void): ChangeHttp =>
  async (request, next) => {
    const response = await next(request)
    const { location } = response.headers
    if (!request.path.includes('/authorize?') || location === undefined) return response
    const callback = new URL(location)
    change(callback, new URLSearchParams(request.path.split('?')[1]))
    return { ...response, headers: { ...response.headers, location: callback.href } }
  }

const notFound: ProxyResponse = { status: 404, headers: {}, body: Buffer.alloc(0) }

/** Some paths are not there for the client. */
const without =
  (isMeant: (request: ProxyRequest) => boolean): ChangeHttp =>
  (request, next) =>
    isMeant(request) ? notFound : next(request)

const isMetadata = (message: Readonly<Record<string, unknown>>) =>
  message['issuer'] !== undefined && message['token_endpoint'] !== undefined

/** Reads the metadata of the authorization server in another way. */
const misreadsMetadata = (change: (metadata: Record<string, unknown>) => Record<string, unknown>): Fault => ({
  incoming: (message) => (isMetadata(message) ? change({ ...message }) : message),
})

/** The right address of an endpoint beside one that is there. */
function rightEndpoints(metadata: Record<string, unknown>): Record<string, unknown> {
  const issuer = String(metadata['issuer'])
  const isSafe = (address: unknown) => typeof address === 'string' && address.startsWith(issuer)
  const right = (name: string) => {
    const member = `${name}_endpoint`
    const path = { authorization: 'authorize', token: 'token', registration: 'register' }[name] ?? ''
    return isSafe(metadata[member]) ? {} : { [member]: `${issuer}/${path}` }
  }
  return { ...metadata, ...right('authorization'), ...right('token'), ...right('registration') }
}

/** Mutants of clients that authorize. */
export const AUTH_CLIENT_MUTANTS: readonly Mutant[] = [
  {
    id: 'm.auth.client.discovery-wellknown',
    side: 'client',
    fault: {
      http: (request, next) =>
        next(request.path === `${RESOURCE}/mcp` ? { ...request, path: RESOURCE } : request),
    },
    revisions: NEWER,
  },
  {
    id: 'm.auth.client.as-forms',
    side: 'client',
    fault: { http: without(({ path }) => path === '/as/.well-known/openid-configuration') },
    revisions: NEWER,
  },
  {
    id: 'm.auth.client.2503-root',
    side: 'client',
    fault: {
      http: (request, next) =>
        next(
          request.path === '/.well-known/oauth-authorization-server'
            ? { ...request, path: `${request.path}/mcp` }
            : request,
        ),
    },
  },
  {
    id: 'm.auth.client.issuer-mismatch',
    side: 'client',
    fault: misreadsMetadata((metadata) => ({
      ...metadata,
      issuer: String(metadata['issuer']).replace(/\/$/, ''),
    })),
  },
  {
    id: 'm.auth.client.resource-mismatch',
    side: 'client',
    fault: {
      incoming: (message) => {
        const [issuer] = Array.isArray(message['authorization_servers'])
          ? (message['authorization_servers'] as unknown[])
          : []
        if (typeof issuer !== 'string') return message
        return { ...message, resource: `${new URL(issuer).origin}/mcp` }
      },
    },
  },
  {
    id: 'm.auth.client.scope-choice',
    side: 'client',
    fault: {
      http: changeAuthorization((parameters) => {
        if (parameters.get('scope') === 'special') parameters.set('scope', 'read')
      }),
    },
  },
  {
    id: 'm.auth.client.step-up',
    side: 'client',
    fault: {
      http: changeAuthorization((parameters) => {
        if (parameters.get('scope')?.includes('more') === true) parameters.set('scope', 'more')
      }),
    },
  },
  {
    id: 'm.auth.client.dcr',
    side: 'client',
    fault: {
      outgoing: (message) => {
        const { application_type: _, ...rest } = message
        return Array.isArray(message['redirect_uris']) ? rest : message
      },
    },
    revisions: ['2026-07-28'],
  },
  {
    id: 'm.auth.client.dcr-refused',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const response = await next(request)
        if (!request.path.endsWith('/register') || response.status === 201) return response
        const asked = JSON.parse(request.body.toString()) as object
        const body = Buffer.from(JSON.stringify({ ...asked, client_id: 'undefined' }))
        return { status: 201, headers: { 'content-type': 'application/json' }, body }
      },
    },
  },
  {
    id: 'm.auth.client.as-change',
    side: 'client',
    fault: {
      http: changeAuthorization((parameters) => {
        parameters.set('client_id', 'client-1')
      }),
    },
  },
  {
    id: 'm.auth.client.pkce-refuse',
    side: 'client',
    fault: misreadsMetadata((metadata) => ({ code_challenge_methods_supported: ['S256'], ...metadata })),
  },
  {
    id: 'm.auth.client.resource',
    side: 'client',
    fault: {
      http: (request, next) => {
        const form = new URLSearchParams(request.body.toString())
        if (form.get('grant_type') !== 'refresh_token') return next(request)
        form.delete('resource')
        return next({ ...request, body: Buffer.from(form.toString()) })
      },
    },
  },
  {
    id: 'm.auth.client.state',
    side: 'client',
    fault: {
      http: changeCallback((callback, asked) => {
        callback.searchParams.set('state', asked.get('state') ?? '')
      }),
    },
  },
  {
    id: 'm.auth.client.iss',
    side: 'client',
    fault: {
      http: changeCallback((callback) => {
        const issuer = callback.searchParams.get('iss')
        if (issuer !== null) callback.searchParams.set('iss', issuer.replace(/\/$/, ''))
      }),
    },
  },
  {
    id: 'm.auth.client.token-other-host',
    side: 'client',
    fault: {
      http: async (request, next) => {
        const response = await next(request)
        const { authorization } = request.headers
        const { location } = response.headers
        if (response.status !== 307 || location === undefined || authorization === undefined) return response
        await fetch(location, { method: 'POST', headers: { authorization }, body: request.body.toString() })
        return response
      },
    },
  },
  {
    id: 'm.auth.client.refresh',
    side: 'client',
    fault: {
      http: changeAuthorization((parameters) => {
        parameters.set('scope', `${parameters.get('scope') ?? ''} offline_access`.trim())
      }),
    },
  },
  {
    id: 'm.auth.client.401-loop',
    side: 'client',
    fault: {
      http: async (request, next) => {
        let response = await next(request)
        const isSent = request.headers['authorization'] !== undefined
        for (let count = 0; isSent && response.status === 401 && count < 10; count += 1)
          response = await next(request)
        return response
      },
    },
  },
  {
    id: 'm.auth.client.registration-order',
    side: 'client',
    revisions: NEWER,
    fault: { http: without(({ path }) => path.endsWith('/register')) },
  },
  {
    id: 'm.auth.client.iss-error',
    side: 'client',
    revisions: ['2026-07-28'],
    fault: {
      http: changeCallback((callback, asked) => {
        const resource = asked.get('resource')
        if (!callback.searchParams.has('error') || resource === null) return
        callback.searchParams.set('iss', new URL('/as', resource).href)
      }),
    },
  },
  { id: 'm.auth.client.ssrf', side: 'client', fault: misreadsMetadata(rightEndpoints) },
]
