import { startHttpListener, type HttpListenerOptions } from '../../../server-core/listener/http-listener.ts'
import type { ServerTarget } from '../../../server-core/conformance/probe/server-target.ts'
import { createServer, type McpServer, type ServerOptions } from '../../../server-core/server/server.ts'
import { stdioServerLink } from '../../../server-core/transports/stdio/stdio-server.ts'
import type { Fault } from '../mutant.ts'
import { MessageMutator } from './message-mutator.ts'
import { pipeLines } from './mutating-lines.ts'
import { isProxied, MutatingProxy } from './mutating-proxy.ts'
import { startProtectedReference } from './protected-reference.ts'
import { PlayedProcess } from './played-process.ts'
import { referenceRegistry } from './reference-registry.ts'

/** The reference server, correct or with one fault, on all transports. */
export type ReferenceServer = { readonly target: ServerTarget; readonly close: () => Promise<void> }

/** Starts the reference server with everything that checks need. */
export async function startReferenceServer(fault: Fault = {}): Promise<ReferenceServer> {
  const server = createReference(fault)
  await server.prepare()
  const usual: HttpListenerOptions = {
    server,
    port: 0,
    routes: { mcp: true, sse: true, ws: true },
    warns: false,
  }
  const listener = await startHttpListener(fault.listener?.(usual) ?? usual)
  const origin = new URL(listener.url).origin
  const proxy = isProxied(fault) ? new MutatingProxy(fault, 'server', origin) : undefined
  const seen = (await proxy?.start()) ?? origin
  const peer = new Map<string, unknown>()
  const shielded = await startProtectedReference(server, fault, isProxied(fault))
  const target: ServerTarget = {
    stdio: () => Promise.resolve(playServer(server, fault, peer)),
    http: `${seen}/mcp`,
    sse: `${seen}/sse`,
    websocket: `${seen.replace(/^http/, 'ws')}/ws`,
    protected: shielded.protectedServer,
  }
  return {
    target: fault.target?.(target) ?? target,
    close: async () => {
      await proxy?.close()
      await shielded.close()
      await listener.close({ graceMs: 50 })
      await server.close()
    },
  }
}

const ICON = { src: 'https://example.com/icon.png', mimeType: 'image/png', theme: 'light' }

/** The server itself, without listener. */
export function createReference(fault: Fault = {}): McpServer {
  const registry = referenceRegistry()
  fault.registry?.(registry)
  const info = {
    name: 'patchbay-reference',
    version: '1.0.0',
    websiteUrl: 'https://example.com/',
    icons: [ICON],
  }
  // Few on a page, so that the tools fill several.
  const options: ServerOptions = { registry, info, limits: { pageItems: 20 } }
  return createServer(fault.server?.(options) ?? options)
}

/** One process of the server over stdio, played in this one. */
function playServer(server: McpServer, fault: Fault, peer: Map<string, unknown>): PlayedProcess {
  const played = new PlayedProcess()
  const inner = new PlayedProcess()
  const mutator = new MessageMutator(fault, 'stdio', peer)
  if (MessageMutator.isNeeded(fault)) {
    const end = () => inner.stdin.end()
    const crash = () => {
      played.exit(1)
    }
    pipeLines(mutator, 'incoming', played.stdin, inner.stdin, played.stdout, end, crash)
    pipeLines(mutator, 'outgoing', inner.stdout, played.stdout, inner.stdin, () => undefined)
  } else {
    played.stdin.pipe(inner.stdin)
    inner.stdout.pipe(played.stdout, { end: false })
  }
  const attachment = server.attach(
    stdioServerLink({ input: inner.stdin, output: inner.stdout, errors: played.stderr }),
  )
  void attachment.closed.then(() => {
    setImmediate(() => {
      if (played.endsWithInput) played.exit(0)
    })
  })
  fault.process?.(played)
  return played
}
