import { createProxy, type Proxy, type UpstreamServer } from '../../sources/proxy/proxy.ts'
import { noticeText } from '../../sources/proxy/upstream.ts'
import { connectTo } from '../../client/connect-to.ts'
import { ProbeMemory } from '../../client/probe-memory.ts'
import { productVersion } from '../../host/version.ts'
import { ExitCode, UsageError } from '../output/exit-code.ts'
import { readProxyMember, type FileServer, type ProxyFile } from './proxy-file.ts'
import type { ProxyCommand } from './proxy-flags.ts'
import type { ServeLog } from '../serve/serve-log.ts'
import { keptSealKey, readServing, serveUntilEnd, tapFor } from '../serve/serving.ts'
import type { Target } from '../connection/target.ts'
import { openServerSession, type ServerSession } from '../connection/server-session.ts'

/** Milliseconds for one attempt to reach a server. */
const START_MS = 30_000

/** A server as it was named, and what it is called in front of its tools. */
type Named = Pick<UpstreamServer, 'alias' | 'prefix' | 'separator' | 'tools'> & { readonly target: Target }

/** `patchbay proxy`: exposes other servers until it is ended. */
export async function proxy(command: ProxyCommand, signal: AbortSignal): Promise<ExitCode> {
  const serving = await readServing(command.flags, 'proxy')
  if (serving.isOff) {
    throw new UsageError(`${serving.file} switches the server off: remove "enabled": false of "serve"`)
  }
  const { plan, log } = serving
  const file = readProxyMember(serving.proxy, serving.file)
  const named = namedServers(command, file)
  const closing: ServerSession[] = []
  let server: Proxy | undefined
  try {
    const servers: UpstreamServer[] = []
    for (const each of named) {
      const reached = await openServerSession(
        {
          target: each.target,
          json: false,
          timeoutMs: START_MS,
          ...(command.profile !== undefined && { profile: command.profile }),
        },
        signal,
      )
      closing.push(reached)
      servers.push(upstreamOf(each, reached, log))
    }
    const pageItems = command.pageItems ?? file.pageItems
    server = proxyOf({
      servers,
      info: { name: 'patchbay-proxy', title: 'Patchbay proxy', version: productVersion },
      sealKey: () => keptSealKey(log),
      onNotice: (notice) => {
        if (notice.type === 'up') log.info(noticeText(notice))
        else log.warning(noticeText(notice))
      },
      ...(plan.revisions !== undefined && { revisions: plan.revisions }),
      ...(pageItems !== undefined && { limits: { pageItems } }),
    })
    await serveUntilEnd({ server, name: 'The proxy', serverName: 'proxy' }, serving, signal)
  } finally {
    await server?.close()
    await Promise.all(closing.map((reached) => reached.close()))
  }
  return ExitCode.ok
}

function upstreamOf(
  { alias, prefix, separator, tools }: Named,
  { address, direct, parts }: ServerSession,
  log: ServeLog,
): UpstreamServer {
  const tap = tapFor(log, alias === undefined ? 'behind' : `behind ${alias}`)
  const { protocol } = direct
  const memory = new ProbeMemory()
  return {
    ...(alias !== undefined && { alias }),
    ...(prefix !== undefined && { prefix }),
    ...(separator !== undefined && { separator }),
    ...(tools !== undefined && { tools }),
    open: ({ declaration, responders, listeners, signal }) =>
      connectTo(
        address,
        {
          identity: declaration.identity,
          declaration,
          responders,
          listeners,
          memory,
          signal,
          startTimeoutMs: START_MS,
          ...(protocol !== undefined && { protocol }),
        },
        { ...parts, tap: tap.fork?.() ?? tap },
      ),
  }
}

/** A stored server is called by its name where several are served, or by what the file calls it. */
function namedServers({ targets, flags, profile }: ProxyCommand, { servers }: ProxyFile): readonly Named[] {
  if (targets.length === 1) return targets.map((target) => ({ target }))
  if (targets.length > 1) return targets.map((target) => ({ target, ...calledBy(target, servers) }))
  if (servers.length === 0) {
    throw new UsageError(
      'name a server: --url URL, --server NAME, or -- COMMAND at the end; or say in patchbay.json: {"proxy": {"servers": {"NAME": {}}}}',
    )
  }
  const { workspace } = flags
  return servers.map(({ name, ...server }) => ({
    ...server,
    target: {
      type: 'stored',
      name,
      ...(profile !== undefined && { profile }),
      ...(workspace !== undefined && { workspace }),
    },
  }))
}

function calledBy(target: Target, servers: readonly FileServer[]): Omit<Named, 'target'> {
  const name = target.type === 'stored' ? target.name : ''
  const inFile = servers.find((server) => server.name === name)
  if (inFile !== undefined) {
    const { name: _, ...choices } = inFile
    return choices
  }
  return { alias: name.replace(/[^A-Za-z0-9.-]+/g, '-').replace(/^[.-]+|-+$/g, '') }
}

function proxyOf(options: Parameters<typeof createProxy>[0]): Proxy {
  try {
    return createProxy(options)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new UsageError(error.message, { cause: error })
  }
}
