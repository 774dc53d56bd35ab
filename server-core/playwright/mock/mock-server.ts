import path from 'node:path'
import { startHttpListener, type HttpListener } from '../../listener/http-listener.ts'
import type { ExplicitResult, ToolDefinition } from '../../registry/definitions.ts'
import type { HandlerContext } from '../../registry/context.ts'
import type { PromptArgumentDefinition, PromptReturn } from '../../registry/prompt-definitions.ts'
import type { RegistryView } from '../../registry/entries.ts'
import { Registry } from '../../registry/registry.ts'
import type { RecordedServer } from '../../replay/recorded-server.ts'
import type { ResourceReturn } from '../../registry/resource-definitions.ts'
import type { SchemaInput } from '../../registry/schema.ts'
import { createServer, type McpServer } from '../../server/server.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { ComposedRegistry } from '../../sources/compose.ts'
import { readRecordedServer } from '../server/recorded-backend.ts'
import { Faults } from '../connection/faults.ts'
import type { Timeline, TimelineExchange } from '../timeline/timeline.ts'

/** Runs a tool: what it returns becomes the result, as in `patchbay/server`. */
export type MockHandler = (
  args: JsonObject,
  context: HandlerContext,
) => string | JsonObject | ExplicitResult | Promise<string | JsonObject | ExplicitResult>

/** A tool of a mock server: its handler, or a definition with schemas. */
export type MockTool =
  | MockHandler
  | (Omit<ToolDefinition, 'name' | 'run' | 'input' | 'output'> & {
      readonly input?: SchemaInput
      readonly output?: SchemaInput
      readonly run: MockHandler
    })

/** What a mock server offers, by name. */
export type MockDefinition = {
  readonly name?: string
  readonly tools?: Readonly<Record<string, MockTool>>
  /** By URI: the content, or what reads it. */
  readonly resources?: Readonly<
    Record<
      string,
      string | Uint8Array | ((context: HandlerContext) => ResourceReturn | Promise<ResourceReturn>)
    >
  >
  readonly prompts?: Readonly<
    Record<
      string,
      | string
      | {
          readonly arguments?: readonly PromptArgumentDefinition[]
          readonly get: (args: Readonly<Record<string, string | undefined>>) => PromptReturn
        }
    >
  >
  /** A recording whose server it plays, where nothing here has the name; the file is relative to the test file. */
  readonly recording?: string
  /** The revisions it speaks; all unless given. */
  readonly revisions?: readonly Revision[]
}

/**
 * A mock server that listens on this machine. Change `registry` to change what it offers; `faults` breaks what it sends.
 */
export class MockServer {
  readonly registry: Registry
  readonly faults: Faults
  readonly #server: McpServer
  readonly #listener: HttpListener
  readonly #timeline: Timeline
  readonly #connection: number

  /** Made by the fixture `mock`. */
  constructor(parts: {
    readonly registry: Registry
    readonly faults: Faults
    readonly server: McpServer
    readonly listener: HttpListener
    readonly timeline: Timeline
    readonly connection: number
  }) {
    this.registry = parts.registry
    this.faults = parts.faults
    this.#server = parts.server
    this.#listener = parts.listener
    this.#timeline = parts.timeline
    this.#connection = parts.connection
  }

  /** Where clients reach it over Streamable HTTP. */
  get url(): string {
    return this.#listener.url
  }

  /** Where clients reach it, by transport. */
  get urls(): { readonly http: string; readonly sse: string; readonly websocket: string } {
    const { mcp = '', sse = '', ws = '' } = this.#listener.urls
    return { http: mcp, sse, websocket: ws }
  }

  /** The requests that clients sent, with their responses; of one method if it is given. */
  requests(method?: string): readonly TimelineExchange[] {
    return this.#timeline
      .exchanges(method)
      .filter(({ request, from }) => request.connection === this.#connection && from === 'client')
  }

  /** The arguments of each call of a tool, in order. */
  calls(tool: string): readonly JsonObject[] {
    return this.requests('tools/call')
      .filter(({ params }) => params['name'] === tool)
      .map(({ params }) => (isJsonObject(params['arguments']) ? params['arguments'] : {}))
  }

  async close(): Promise<void> {
    await this.#listener.close({ graceMs: 0 })
    await this.#server.close()
  }
}

/**
 * Starts a mock server. Throws a `RegistryError` for an invalid definition, and a `RecordingError` for a recording that
 * cannot be read.
 *
 * @param folder where relative names of recordings begin
 */
export async function mockServer(
  definition: MockDefinition,
  timeline: Timeline,
  folder: string,
): Promise<MockServer> {
  const { name, revisions, recording } = definition
  const registry = new Registry()
  fill(registry, definition)
  const recorded =
    recording === undefined
      ? undefined
      : await readRecordedServer({ recording: path.resolve(folder, recording) })
  const info = {
    ...(recorded?.lists.info ?? { name: 'mock', version: '1.0.0' }),
    ...(name !== undefined && { name }),
  }
  const served = recorded === undefined ? registry : beforeRecorded(registry, recorded)
  const server = createServer({ registry: served, info, ...(revisions !== undefined && { revisions }) })
  const faults = new Faults()
  const { tap, number: connection } = timeline.open('server')
  const listener = await startHttpListener({
    server,
    port: 0,
    tap,
    faults: faults.control,
    routes: { mcp: true, sse: true, ws: true },
    warns: false,
  })
  return new MockServer({ registry, faults, server, listener, timeline, connection })
}

/** What the test defines precedes what was recorded under the same name. */
function beforeRecorded(registry: Registry, recorded: RecordedServer): RegistryView {
  const composed = new ComposedRegistry()
  composed.add({ id: 'mock', origin: { kind: 'mock', label: 'the test' }, view: registry })
  composed.add({ id: 'recording', origin: { kind: 'mock', label: 'the recording' }, view: recorded })
  return composed
}

function fill(registry: Registry, { tools = {}, resources = {}, prompts = {} }: MockDefinition): void {
  for (const [name, tool] of Object.entries(tools)) {
    const { run, ...rest } = typeof tool === 'function' ? { run: tool } : tool
    // The registry has held the arguments against the input schema, whose type is not known here.
    registry.addTool({ ...rest, name, run: (args, context) => run(args as JsonObject, context) })
  }
  for (const [uri, read] of Object.entries(resources))
    registry.addResource({
      uri,
      name: uri,
      read: typeof read === 'function' ? (context) => read(context) : read,
    })
  for (const [name, prompt] of Object.entries(prompts)) {
    if (typeof prompt === 'string') registry.addPrompt({ name, get: () => prompt })
    else registry.addPrompt({ name, arguments: prompt.arguments ?? [], get: (args) => prompt.get(args) })
  }
}
