import type { Declaration } from '../../client/declaration.ts'
import { createServer, type McpServer, type ServerOptions } from '../../server/server.ts'
import { composeServers } from './compose-servers.ts'
import { MemberNames, type Separator, type ToolSelection } from './member-names.ts'
import { Remote } from './remote.ts'
import { UNLIMITED_MS } from './remote-entries.ts'
import type { OpenUpstream, UpstreamNotice } from './upstream.ts'

/** A server that is served on. */
export type UpstreamServer = {
  /** The prefix of its tools and prompts (`alias__tool`); only a single server needs none. */
  readonly alias?: string
  /** The prefix, if it is not the alias. */
  readonly prefix?: string
  /** Between the prefix and a name. Default: `__`. */
  readonly separator?: Separator
  readonly open: OpenUpstream
  readonly tools?: ToolSelection
}

/** What is the same for every client in front. */
export type DownstreamServerSettings = Pick<ServerOptions, 'limits' | 'revisions' | 'sealKey'> & {
  readonly info: Declaration['identity']
  readonly servers: readonly UpstreamServer[]
  readonly onNotice: (notice: UpstreamNotice) => void
  readonly patienceMs: number
  readonly retryMs: number | undefined
  /** Servers that were not there in time when they were waited for last: nobody waits for them again. */
  readonly late: Set<string>
}

/** What one client in front sees: a server of its own, over connections of its own. */
export type DownstreamServer = {
  readonly server: McpServer
  close(): Promise<void>
}

/**
 * Connects to the servers as that client and makes a server of what they have. One server alone is waited for, and it
 * rejects with the reason if it is not there; of several, those that are late or gone come when they come.
 */
export async function openDownstreamServer(
  settings: DownstreamServerSettings,
  declaration: Declaration,
  isOneClient: boolean,
): Promise<DownstreamServer> {
  const { servers, onNotice, retryMs } = settings
  const remotes = servers.map(({ alias, prefix, separator, open, tools }) => {
    const names = new MemberNames(prefix ?? alias, tools, separator)
    return new Remote({ open, names, alias, declaration, isOneClient, onNotice, retryMs })
  })
  const [only] = remotes
  const isAlone = only !== undefined && servers.length === 1 && servers[0]?.alias === undefined
  if (isAlone) {
    const failure = await only.settled
    if (failure !== undefined) {
      await only.close()
      throw failure
    }
  } else await inTime(settings, remotes)
  const registry = isAlone
    ? only
    : composeServers(
        remotes.map((view, at) => ({ alias: servers[at]?.alias ?? '', view })),
        (hidden) => onNotice({ type: 'hidden', ...hidden }),
      )
  const server = createServer({ ...serverOptions(settings, remotes, isAlone), registry })
  return {
    server,
    close: async () => {
      await server.close()
      await Promise.all(remotes.map((remote) => remote.close()))
    },
  }
}

function serverOptions(
  { info, limits, revisions, sealKey }: DownstreamServerSettings,
  remotes: readonly Remote[],
  isAlone: boolean,
): Omit<ServerOptions, 'registry'> {
  const [connection] = remotes.map((remote) => remote.connection)
  const theirs = isAlone ? connection?.serverInfo : undefined
  const { name, version } = theirs ?? {}
  const isNamed = typeof name === 'string' && name !== '' && typeof version === 'string' && version !== ''
  const instructions = remotes.flatMap((remote) => remote.instructions ?? []).join('\n\n')
  return {
    info: isNamed ? { ...theirs, name, version } : info,
    // The client in front says how long anything may take.
    limits: { ...limits, handlerMs: UNLIMITED_MS },
    ...(instructions !== '' && { instructions }),
    ...(revisions !== undefined && { revisions }),
    ...(sealKey !== undefined && { sealKey }),
  }
}

/** Waits for the first try of each server, but no longer than patience goes. */
async function inTime(
  { servers, patienceMs, late }: DownstreamServerSettings,
  remotes: readonly Remote[],
): Promise<void> {
  const timeUp = Promise.withResolvers<'late'>()
  const timer = setTimeout(() => timeUp.resolve('late'), patienceMs)
  const waits = remotes.map(async (remote, at) => {
    const alias = servers[at]?.alias ?? ''
    const there = remote.settled.then((failure) => {
      if (failure === undefined) late.delete(alias)
    })
    if (late.has(alias)) return
    if ((await Promise.race([there, timeUp.promise])) === 'late') late.add(alias)
  })
  await Promise.all(waits)
  clearTimeout(timer)
}
