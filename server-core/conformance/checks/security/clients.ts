import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import { networkInterfaces } from 'node:os'
import type { AddressInfo } from 'node:net'
import { clientCheck, type Check } from '../../check.ts'

/** A server that nobody may reach: it notes the paths that are asked for. */
type Canary = {
  readonly origin: string
  readonly requests: { readonly path: string; readonly headers: Readonly<Record<string, unknown>> }[]
  readonly close: () => void
}

/** Starts a canary on an address; on loopback if none is given. */
export async function startCanary(address = '127.0.0.1'): Promise<Canary> {
  const requests: Canary['requests'] = []
  const server: Server = createServer((request, response) => {
    requests.push({ path: request.url ?? '', headers: request.headers })
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}')
  })
  server.listen(0, address)
  await once(server, 'listening')
  return {
    origin: `http://${address}:${(server.address() as AddressInfo).port}`,
    requests,
    close: () => {
      server.closeAllConnections()
      server.close()
    },
  }
}

/** A private address of this machine that is not loopback; the unspecified one, which reaches it too, if it has none. */
function privateAddress(): string {
  const all = Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? [])
  const found = all.find(
    ({ family, internal, address }) =>
      family === 'IPv4' && !internal && /^(10|172\.(1[6-9]|2\d|3[01])|192\.168|169\.254)\./.test(address),
  )
  return found?.address ?? '0.0.0.0'
}

const ssrf = clientCheck(
  'security.client.ssrf',
  async (exam) => {
    const address = privateAddress()
    const canary = await startCanary(address)
    try {
      const authority = exam.protect()
      const { metadata } = authority
      const spoiled: readonly (() => void)[] = [
        () => {
          authority.metadata = { ...metadata, token_endpoint: `${canary.origin}/token` }
        },
        () => {
          authority.metadata = { ...metadata, registration_endpoint: `${canary.origin}/register` }
        },
        () => {
          authority.metadata = metadata
          exam.onHttp((exchange) => {
            if (!/oauth-authorization-server|openid-configuration/.test(exchange.path)) return false
            exchange.respond(302, { location: `${canary.origin}/metadata` })
            return true
          })
        },
      ]
      for (const spoil of spoiled) {
        spoil()
        authority.tokens.clear()
        await exam.ending(exam.run())
        await exam.endClient()
      }
      const [hit] = canary.requests
      if (hit === undefined) return
      exam.warn({
        expected: 'no request to a private address that the server names',
        actual: `a request for ${hit.path} at ${address}`,
        statement: 'security.ssrf-private-ranges',
        frame: exam.exchanges.at(-1)?.frame,
      })
    } finally {
      canary.close()
    }
  },
  { title: 'Clients reach no private address for a server' },
)

const reasons = [
  [
    'security.client.url-open',
    'Pages are opened without a shell',
    'the opener of the client cannot be replaced by a canary',
  ],
  ['security.client.csp', 'Web clients have a content security policy', 'the client is not a web page'],
] as const

/** The checks of what clients do to be safe. */
export const CLIENT_SAFETY_CHECKS: readonly Check[] = [
  ssrf,
  ...reasons.map(([id, title, reason]) =>
    clientCheck(id, (exam) => Promise.resolve(exam.notApplicable(reason)), { title }),
  ),
]
