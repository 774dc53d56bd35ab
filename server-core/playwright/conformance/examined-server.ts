import type { ServerTarget } from '../../conformance/probe/server-target.ts'
import { targetOf } from '../../conformance/probe/target-of.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { NO_TAP } from '../../ports/tap.ts'
import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { McpServer } from '../../server/server.ts'
import { authorize } from '../connection/authorize.ts'
import type { AuthorizationOption, CommandServer, ServerOption, WorkspaceServer } from '../options.ts'
import { ListeningBackend } from '../server/listening-backend.ts'
import { WorkspaceBackend, workspaceCommand } from '../server/workspace-backend.ts'
import { TestSetupError } from '../test-error.ts'

/** A server as the probe reaches it, until it is closed. */
export type ExaminedServer = { readonly target: ServerTarget; readonly close: () => Promise<void> }

export type ExaminedServerOptions = {
  readonly server: ServerOption
  readonly authorization: AuthorizationOption | undefined
  /** The transports that were asked for. */
  readonly transports: readonly WireTransport[] | undefined
  /** Milliseconds that a program may take until it listens. */
  readonly startTimeoutMs: number
}

/** Starts what has to run before the first check. Rejects with a `TestSetupError` for a server that cannot be examined. */
export async function openServer(options: ExaminedServerOptions): Promise<ExaminedServer> {
  const { server, authorization, startTimeoutMs } = options
  if ('workspace' in server) return served(server, options)
  if ('command' in server) {
    const { url } = server
    if (url === undefined) return { target: targetOf(commandOf(server)), close: nothing }
    return addressed(new ListeningBackend({ ...server, url }, authorization, startTimeoutMs), options)
  }
  if ('url' in server) {
    const headers = await headersFor(server.url, authorization)
    return { target: addressOf(server.url, { ...server.headers, ...headers }), close: nothing }
  }
  const made = 'create' in server ? server.create() : server
  if ('attach' in made) return inThisProcess(made)
  throw new TestSetupError(
    'option',
    'conformance() needs a server with a command, a url or a workspace: one of the official SDK in this process has no transport to examine',
  )
}

const nothing = (): Promise<void> => Promise.resolve()

/** A program at one address, which says which transports it may have. */
async function addressed(
  backend: ListeningBackend,
  { authorization }: ExaminedServerOptions,
): Promise<ExaminedServer> {
  const close = () => backend.stop()
  try {
    await backend.reach('auto', NO_TAP)
    const { url = '' } = backend
    return { target: addressOf(url, await headersFor(url, authorization)), close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A workspace: over stdio, or as one program for each transport that is asked for. */
async function served(
  server: WorkspaceServer,
  { authorization, transports = ['stdio'], startTimeoutMs }: ExaminedServerOptions,
): Promise<ExaminedServer> {
  const backends: WorkspaceBackend[] = []
  const close = async (): Promise<void> => {
    await Promise.all(backends.map((backend) => backend.stop()))
  }
  let target = transports.includes('stdio') ? targetOf(commandOf(workspaceCommand(server, '--stdio'))) : {}
  try {
    for (const transport of transports) {
      if (transport === 'stdio') continue
      const backend = new WorkspaceBackend(server, authorization, startTimeoutMs)
      backends.push(backend)
      await backend.reach(transport, NO_TAP)
      const { url = '' } = backend
      target = { ...target, [transport]: url, headers: await headersFor(url, authorization) }
    }
    return { target, close }
  } catch (error) {
    await close()
    throw error
  }
}

/** A server of Patchbay in this process, which listens for its checks. */
async function inThisProcess(server: McpServer): Promise<ExaminedServer> {
  const routes = { mcp: true, sse: true, ws: true }
  const listener = await startHttpListener({ server, port: 0, routes, warns: false })
  const { mcp, sse, ws } = listener.urls
  return {
    target: {
      ...(mcp !== undefined && { http: mcp }),
      ...(sse !== undefined && { sse }),
      ...(ws !== undefined && { websocket: ws }),
    },
    close: () => listener.close(),
  }
}

function addressOf(url: string, headers: Readonly<Record<string, string>>): ServerTarget {
  return targetOf({ url, headers: [] }, headers)
}

function commandOf({ command, args = [], env = {}, cwd }: CommandServer) {
  const pairs = Object.entries(env).map(([name, value]) => ({ name, value }))
  return { command, args, env: pairs, ...(cwd !== undefined && { cwd }) }
}

async function headersFor(
  url: string,
  authorization: AuthorizationOption | undefined,
): Promise<Readonly<Record<string, string>>> {
  const { headers = {}, authorization: client } = await authorize(authorization, url)
  return { ...headers, ...(await client?.headers({ method: 'POST', url })) }
}
