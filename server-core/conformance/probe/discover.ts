import type { WireTransport } from '../../protocol/transport-kind.ts'
import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { messageOf } from '../../protocol/error-message.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { Cell } from '../verdict.ts'
import type { ProbeConnection } from './connection.ts'
import { HttpConnection } from './http-connection.ts'
import { createConnection } from './open-connection.ts'
import { describeOutcome } from './outcome.ts'
import type { ServerFacts } from './server-facts.ts'
import { transportsOf, type ServerTarget } from './server-target.ts'
import type { Waits } from './waits.ts'

/** A cell that the server supports, or why it does not. */
export type Discovered =
  | { readonly supported: true; readonly facts: ServerFacts; readonly log: FrameLog }
  | { readonly supported: false; readonly cell: Cell; readonly reason: string }

export type DiscoverOptions = {
  readonly target: ServerTarget
  readonly waits: Waits
  /** Makes the log of a cell, so that a recording sees the frames. */
  readonly log: () => FrameLog
}

/** Whether a transport carries a revision: HTTP+SSE belongs to 2024-11-05, Streamable HTTP to the later ones. */
export function isPossible(transport: WireTransport, revision: Revision): boolean {
  if (transport === 'sse') return revision === '2024-11-05'
  return transport !== 'http' || revision !== '2024-11-05'
}

/** The cells of the matrix that could be examined, on the transports by which the target is reached. */
export function possibleCells(
  target: ServerTarget,
  { revisions, transports }: { revisions?: readonly Revision[]; transports?: readonly WireTransport[] },
): readonly Cell[] {
  return transportsOf(target)
    .filter((transport) => transports?.includes(transport) ?? true)
    .flatMap((transport) =>
      SUPPORTED.filter((revision) => revisions?.includes(revision) ?? true)
        .filter((revision) => isPossible(transport, revision))
        .map((revision): Cell => ({ side: 'server', revision, transport })),
    )
}

/** Connects in one cell, lists everything and measures three barriers. Never throws. */
export async function discoverCell(options: DiscoverOptions, cell: Cell): Promise<Discovered> {
  const log = options.log()
  const connection = createConnection(
    options.target,
    cell.transport,
    cell.revision,
    {},
    {
      log,
      waits: () => options.waits,
      guard: () => undefined,
      onTimeout: () => undefined,
      inputSchema: () => undefined,
    },
  )
  try {
    const flood = log.full.then((bytes): Discovered => {
      return { supported: false, cell, reason: `the server sent more than ${bytes} bytes` }
    })
    const found = discover(connection, cell, log)
    found.catch(() => undefined)
    return await Promise.race([found, flood])
  } catch (error) {
    return { supported: false, cell, reason: messageOf(error) }
  } finally {
    await connection.close()
  }
}

async function discover(connection: ProbeConnection, cell: Cell, log: FrameLog): Promise<Discovered> {
  await connection.open()
  const opening = await openingOf(connection)
  if (!opening.ok) return { supported: false, cell, reason: opening.reason }
  const facts = await factsOf(connection, cell, opening.value)
  return { supported: true, facts, log }
}

/** The result of the handshake in that revision. */
async function openingOf(connection: ProbeConnection): Promise<Parsed<JsonObject>> {
  const outcome = connection.isModern
    ? await connection.call('server/discover', {}, { match: 'any' })
    : await connection.handshake()
  if (outcome === undefined || outcome.type !== 'result') {
    const answer = outcome === undefined ? 'nothing' : describeOutcome(outcome)
    return { ok: false, reason: `the handshake was answered by ${answer}` }
  }
  const { result } = outcome
  if (connection.isModern) {
    const versions = result['supportedVersions']
    return Array.isArray(versions) && versions.includes(connection.revision)
      ? { ok: true, value: result }
      : { ok: false, reason: `server/discover does not list ${connection.revision}` }
  }
  const version = result['protocolVersion']
  return version === connection.revision
    ? { ok: true, value: result }
    : { ok: false, reason: `the server answered with ${String(version)}` }
}

async function factsOf(connection: ProbeConnection, cell: Cell, opening: JsonObject): Promise<ServerFacts> {
  const capabilities = isJsonObject(opening['capabilities']) ? opening['capabilities'] : {}
  const list = (capability: string, method: string, member: string) =>
    capabilities[capability] === undefined ? [] : listAll(connection, method, member)
  const tools = await list('tools', 'tools/list', 'tools')
  const resources = await list('resources', 'resources/list', 'resources')
  const templates = await list('resources', 'resources/templates/list', 'resourceTemplates')
  const prompts = await list('prompts', 'prompts/list', 'prompts')
  const threeBarriersMs = await timeOfThreeBarriers(connection)
  const meta = isJsonObject(opening['_meta']) ? opening['_meta'] : {}
  const info = opening['serverInfo'] ?? meta['io.modelcontextprotocol/serverInfo']
  return {
    cell,
    capabilities,
    serverInfo: isJsonObject(info) ? info : undefined,
    instructions: opening['instructions'],
    tools,
    resources,
    templates,
    prompts,
    opening,
    hasSession: connection instanceof HttpConnection && connection.sessionId !== undefined,
    threeBarriersMs,
  }
}

/** Zero if one is not answered: then it says nothing about the speed of the machine. */
async function timeOfThreeBarriers(connection: ProbeConnection): Promise<number> {
  const began = performance.now()
  for (let count = 0; count < 3; count += 1) {
    const { type } = await connection.tryBarrier()
    if (type !== 'result' && type !== 'error') return 0
  }
  return performance.now() - began
}

const MAX_PAGES = 100

async function listAll(
  connection: ProbeConnection,
  method: string,
  member: string,
): Promise<readonly JsonObject[]> {
  const items: JsonObject[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const outcome = await connection.call(method, cursor === undefined ? {} : { cursor }, { match: 'any' })
    if (outcome.type !== 'result') break
    const listed = outcome.result[member]
    if (Array.isArray(listed)) items.push(...(listed as unknown[]).filter(isJsonObject))
    cursor = outcome.result['nextCursor']
    if (typeof cursor !== 'string') break
  }
  return items
}
