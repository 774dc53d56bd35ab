import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { Tap } from '../../ports/tap.ts'
import { transportsFor, type TransportFactory } from '../../transports/opener.ts'
import { authorize } from '../connection/authorize.ts'
import type { AuthorizationOption, RemoteServer } from '../options.ts'
import { TestSetupError } from '../test-error.ts'
import type { ServerBackend, WantedTransport } from './server-backend.ts'

/** Returns the ways to a URL. Throws a `TestSetupError` for a transport that it cannot have. */
export async function reachUrl(
  { url, headers }: RemoteServer,
  transport: WantedTransport,
  authorization: AuthorizationOption | undefined,
  tap: Tap,
): Promise<TransportFactory> {
  const authorized = await authorize(authorization, url)
  const merged = { ...headers, ...authorized.headers }
  return transportsFor(
    {
      transport: transportTo(url, transport),
      url,
      ...(Object.keys(merged).length > 0 && { headers: merged }),
      ...(authorized.authorization !== undefined && { authorization: authorized.authorization }),
    },
    { tap },
  )
}

/** A server that runs already. */
export class UrlBackend implements ServerBackend {
  readonly pid = undefined
  readonly stderr = ''
  readonly url: string
  readonly #server: RemoteServer
  readonly #authorization: AuthorizationOption | undefined

  constructor(server: RemoteServer, authorization: AuthorizationOption | undefined) {
    this.url = server.url
    this.#server = server
    this.#authorization = authorization
  }

  reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    return reachUrl(this.#server, transport, this.#authorization, tap)
  }

  /** The connections end; the server is not ours. */
  stop(): Promise<void> {
    return Promise.resolve()
  }

  kill(): Promise<void> {
    const message = `server.kill(): ${this.url} was not started by this test, so it cannot be killed`
    return Promise.reject(new TestSetupError('server', message))
  }
}

function transportTo(
  url: string,
  transport: WantedTransport,
): Exclude<TransportKind, 'stdio' | 'memory'> | 'auto' {
  const isWebSocket = /^wss?:/i.test(url)
  if (transport === 'auto' || (transport === 'websocket') === isWebSocket) {
    if (transport === 'stdio' || transport === 'memory') throw misfit(url, transport)
    return transport
  }
  throw misfit(url, transport)
}

function misfit(url: string, transport: WantedTransport): TestSetupError {
  return new TestSetupError('option', `the transport "${transport}" does not fit the server ${url}`)
}
