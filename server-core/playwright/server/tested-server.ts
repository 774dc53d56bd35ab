import type { Tap } from '../../ports/tap.ts'
import type { TransportFactory } from '../../transports/opener.ts'
import type { McpClient } from '../connection/mcp-client.ts'
import type { AuthorizationOption, ServerOption } from '../options.ts'
import { TestSetupError } from '../test-error.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { ListeningBackend } from './listening-backend.ts'
import { MemoryBackend } from './memory-backend.ts'
import { describeServer, type ServerBackend, type WantedTransport } from './server-backend.ts'
import { RecordedBackend } from './recorded-backend.ts'
import { StdioBackend } from './stdio-backend.ts'
import { UrlBackend } from './url-backend.ts'
import { WorkspaceBackend } from './workspace-backend.ts'

export type TestedServerOptions = {
  readonly server: ServerOption | undefined
  readonly authorization: AuthorizationOption | undefined
  readonly timeline: Timeline
  /** Milliseconds that a program may take until it listens. */
  readonly startTimeoutMs: number
}

/**
 * The server under test: its process and what it writes. It starts with the first connection.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('starts again', async ({ mcp, server }) => {
 *   const before = server.pid
 *   await server.restart()
 *   expect(server.pid).not.toBe(before)
 *   expect(await mcp.callTool('add', { a: 1, b: 2 })).toSucceed()
 * })
 * ```
 */
export class TestedServer {
  /** The option it was made of. */
  readonly option: ServerOption | undefined
  readonly #options: TestedServerOptions
  readonly #backend: ServerBackend | undefined
  readonly #clients = new Set<McpClient>()

  constructor(options: TestedServerOptions) {
    this.option = options.server
    this.#options = options
    this.#backend = backendOf(options)
  }

  /** The process that was started last; undefined if none runs, or if the server is not ours. */
  get pid(): number | undefined {
    return this.#backend?.pid
  }

  /** Where the server listens; undefined for one over stdio or in memory. */
  get url(): string | undefined {
    return this.#backend?.url
  }

  /** What the server wrote on stderr so far; of one that listens, with what it wrote on stdout. */
  get stderr(): string {
    const frames = this.#options.timeline.frames.filter(({ kind }) => kind === 'stderr')
    return frames.map(({ text }) => text).join('') + (this.#backend?.stderr ?? '')
  }

  /** Ends the process and starts it again. Clients that are open connect again. */
  async restart(): Promise<void> {
    const backend = this.#require()
    const clients = [...this.#clients]
    await Promise.all(clients.map((client) => client.close()))
    await backend.stop()
    await Promise.all(clients.map((client) => client.reconnect()))
  }

  /** Kills the process (SIGKILL). Requests in flight fail; `mcp.reconnect()` starts it again. */
  async kill(): Promise<void> {
    await this.#require().kill()
  }

  /** Ends what the test started. */
  async close(): Promise<void> {
    await Promise.all([...this.#clients].map((client) => client.close()))
    await this.#backend?.stop()
  }

  /** The ways to the server for one connection. */
  reach(transport: WantedTransport, tap: Tap): Promise<TransportFactory> {
    return this.#require().reach(transport, tap)
  }

  /** Remembers a client, to be closed with the server. */
  opened(client: McpClient): void {
    this.#clients.add(client)
  }

  toString(): string {
    return this.option === undefined ? 'no server' : describeServer(this.option)
  }

  #require(): ServerBackend {
    if (this.#backend !== undefined) return this.#backend
    throw noServerError()
  }
}

/** The error of a test that needs a server and has none. */
export function noServerError(): TestSetupError {
  const example = "test.use({ server: { command: 'node', args: ['build/index.js'] } })"
  return new TestSetupError(
    'option',
    `no server is set; name it in the configuration or in the file: ${example}`,
  )
}

function backendOf({
  server,
  authorization,
  startTimeoutMs,
}: TestedServerOptions): ServerBackend | undefined {
  if (server === undefined) return undefined
  if ('workspace' in server) return new WorkspaceBackend(server, authorization, startTimeoutMs)
  if ('recording' in server) return new RecordedBackend(server)
  if ('command' in server) {
    const { url } = server
    if (url === undefined) return new StdioBackend(server)
    return new ListeningBackend({ ...server, url }, authorization, startTimeoutMs)
  }
  if ('url' in server) return new UrlBackend(server, authorization)
  if ('connect' in server || 'attach' in server || 'create' in server) return new MemoryBackend(server)
  const members = 'command, url, workspace, recording, or a server of the official SDK'
  throw new TestSetupError(
    'option',
    `server: expected an object with ${members}, got ${JSON.stringify(server)}`,
  )
}
