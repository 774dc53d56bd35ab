import { connectTo } from '../client/connect-to.ts'
import type { Connection } from '../client/connect.ts'
import type { RequestOptions } from '../client/request-options.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Frame, Tap } from '../ports/tap.ts'
import type { OurEntry } from './our-entry.ts'

/** The result of starting an entry and calling it. */
export type Trial = {
  /** Milliseconds from the start to the last answer. */
  readonly ms: number
  /** Name and version, as the server says them. */
  readonly server: string
  readonly revision: string
  readonly tools: readonly string[]
  /** How many it lists; undefined where it declares none. */
  readonly resources?: number
  readonly prompts?: number
  /** A tool that takes no arguments and changes nothing, which was called. */
  readonly called?: string
  /** Lines of its log that report errors: scripts that cannot be loaded, for example. */
  readonly faults: readonly string[]
}

/** How it is tried. */
export type TrialOptions = {
  /** How we call ourselves. */
  readonly identity: { readonly name: string; readonly version: string }
  /** Milliseconds for each request; the start counts as one. */
  readonly timeoutMs: number
  /** The folder it is started in; clients start servers in any. */
  readonly folder: string
  readonly signal?: AbortSignal
}

/**
 * Starts exactly what an entry says, with the variables that a client would pass on, and calls it: the handshake, the
 * lists, and one tool if there is one without arguments that says it only reads.
 *
 * @throws what connecting and requests throw, with cause and the process's last words
 */
export async function tryEntry(entry: OurEntry, options: TrialOptions): Promise<Trial> {
  const { identity, timeoutMs, folder, signal } = options
  const startedAt = performance.now()
  const { command, args, env } = entry
  const log = new ErrorLines()
  const connection = await connectTo(
    { transport: 'stdio', command, args: [...args], env: { ...env }, cwd: folder },
    {
      identity,
      requestTimeoutMs: timeoutMs,
      startTimeoutMs: timeoutMs,
      ...(signal !== undefined && { signal }),
    },
    { tap: log },
  )
  try {
    const requests = signal === undefined ? {} : { signal }
    const tools = await toolsOf(connection, requests)
    const harmless = tools.find(isHarmless)
    if (harmless !== undefined) await call(connection, harmless.name, requests)
    const { resources, prompts } = connection.capabilities
    const listed = {
      ...(resources !== undefined && { resources: (await connection.listResources(requests)).items.length }),
      ...(prompts !== undefined && { prompts: (await connection.listPrompts(requests)).items.length }),
    }
    const { name, version } = connection.serverInfo ?? { name: 'server', version: '' }
    return {
      ms: Math.round(performance.now() - startedAt),
      server: `${String(name)} ${String(version)}`.trim(),
      revision: connection.revision,
      tools: tools.map((tool) => tool.name),
      ...listed,
      ...(harmless !== undefined && { called: harmless.name }),
      faults: log.found,
    }
  } finally {
    await connection.close()
  }
}

/** Keeps the lines on standard error in which our own log reports errors. */
class ErrorLines implements Tap {
  readonly found: string[] = []
  readonly #decoder = new TextDecoder()
  #rest = ''

  record(frame: Frame): void {
    if (frame.kind !== 'stderr') return
    const lines = `${this.#rest}${this.#decoder.decode(frame.bytes, { stream: true })}`.split('\n')
    this.#rest = lines.pop() ?? ''
    this.found.push(...lines.filter((line) => line.startsWith('patchbay: error: ')))
  }
}

type NamedTool = { readonly name: string; readonly tool: JsonObject }

async function toolsOf(connection: Connection, requests: RequestOptions): Promise<readonly NamedTool[]> {
  if (connection.capabilities['tools'] === undefined) return []
  const { items } = await connection.listTools(requests)
  return items.flatMap((tool) =>
    isJsonObject(tool) && typeof tool['name'] === 'string' ? [{ name: tool['name'], tool }] : [],
  )
}

function isHarmless({ tool }: NamedTool): boolean {
  const { annotations, inputSchema } = tool
  const required = isJsonObject(inputSchema) ? inputSchema['required'] : undefined
  const takesNothing = required === undefined || (Array.isArray(required) && required.length === 0)
  return isJsonObject(annotations) && annotations['readOnlyHint'] === true && takesNothing
}

/** An error that the tool answers with is an answer too, and so is a question. */
async function call(connection: Connection, name: string, requests: RequestOptions): Promise<void> {
  try {
    await connection.request('tools/call', { name, arguments: {} }, { ...requests, rounds: 'manual' })
  } catch (error) {
    if (!(error instanceof ProtocolError)) throw error
  }
}
