import type { TransportKind } from '../../protocol/transport-kind.ts'
import type { Connection, RequestOptions, RequestResult } from '../../client/connection.ts'
import { RequestFailedError } from '../../client/errors.ts'
import type { Listed } from '../../client/listed.ts'
import type { LogLevel } from '../../protocol/log-level.ts'
import type { RawExchange, RawSending } from '../../client/raw.ts'
import { callTool } from '../../client/requests/call-tool.ts'
import { complete, type CompletionQuestion } from '../../client/requests/complete.ts'
import { ping } from '../../client/requests/ping.ts'
import { getPrompt, readResource } from '../../client/requests/read.ts'
import { notifyRootsChanged } from '../../client/requests/roots-changed.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { TestSetupError } from '../test-error.ts'
import type { Timeline } from '../timeline/timeline.ts'
import {
  keepFrames,
  toolResult,
  type ContentBlock,
  type ResourceContents,
  type ToolResult,
} from './results.ts'
import type { ToolName, ToolOutput, ToolParameters } from './tool-types.ts'

/** A tool as the server lists it. */
export type ListedTool = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly inputSchema: JsonObject
  readonly outputSchema?: JsonObject
  readonly annotations?: JsonObject
} & JsonObject
/** A resource as the server lists it. */
export type ListedResource = {
  readonly uri: string
  readonly name: string
  readonly mimeType?: string
} & JsonObject
/** A resource template as the server lists it. */
export type ListedTemplate = { readonly uriTemplate: string; readonly name: string } & JsonObject
/** A prompt as the server lists it. */
export type ListedPrompt = {
  readonly name: string
  readonly description?: string
  readonly arguments?: readonly { readonly name: string; readonly required?: boolean }[]
} & JsonObject
/** A message of a prompt. */
export type PromptMessage = { readonly role: 'user' | 'assistant'; readonly content: ContentBlock }

/** Options of a single request. */
export type McpRequestOptions = Pick<RequestOptions, 'signal' | 'timeoutMs' | 'onProgress' | 'logLevel'>

/** An open connection, and where it is in the timeline. */
export type OpenConnection = { readonly connection: Connection; readonly number: number }

export type McpClientOptions = {
  readonly timeline: Timeline
  readonly open: () => Promise<OpenConnection>
  /** Runs an action as a named step of the test. */
  readonly step: <T>(title: string, body: () => Promise<T>) => Promise<T>
}

/**
 * A client of the server under test. Requests throw the server's own error as a `PeerError`, and a `RequestFailedError`
 * if no answer came; a tool that fails is a result.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('adds', async ({ mcp }) => {
 *   expect((await mcp.listTools()).map(({ name }) => name)).toContain('add')
 *   const result = await mcp.callTool('add', { a: 1, b: 2 })
 *   expect(result.structuredContent).toEqual({ sum: 3 })
 * })
 * ```
 */
export class McpClient {
  readonly #options: McpClientOptions
  #open: OpenConnection

  private constructor(options: McpClientOptions, open: OpenConnection) {
    this.#options = options
    this.#open = open
  }

  /** Connects. Rejects with a `ConnectError`. */
  static async connect(options: McpClientOptions): Promise<McpClient> {
    return new McpClient(options, await options.step('connect', options.open))
  }

  /** The revision that was agreed on. */
  get revision(): Revision {
    return this.connection.revision
  }

  get transport(): TransportKind {
    return this.connection.transport
  }

  /** Who the server says it is. */
  get serverInfo(): JsonObject | undefined {
    return this.connection.serverInfo
  }

  /** What the server declares. */
  get capabilities(): JsonObject {
    return this.connection.capabilities
  }

  get instructions(): string | undefined {
    return this.connection.instructions
  }

  /** The connection itself, for events and everything else that the client of Patchbay has. */
  get connection(): Connection {
    return this.#open.connection
  }

  /** The number of the connection in the timeline. */
  get number(): number {
    return this.#open.number
  }

  /** All tools. Throws a `TestSetupError` that names entries which cannot be used. */
  async listTools(): Promise<readonly ListedTool[]> {
    return this.#list<ListedTool>('tools/list', () => this.connection.listTools({ cache: 'refresh' }))
  }

  /** All resources. Throws as `listTools` does. */
  async listResources(): Promise<readonly ListedResource[]> {
    return this.#list<ListedResource>('resources/list', () =>
      this.connection.listResources({ cache: 'refresh' }),
    )
  }

  /** All resource templates. Throws as `listTools` does. */
  async listResourceTemplates(): Promise<readonly ListedTemplate[]> {
    return this.#list<ListedTemplate>('resources/templates/list', () =>
      this.connection.listResourceTemplates({ cache: 'refresh' }),
    )
  }

  /** All prompts. Throws as `listTools` does. */
  async listPrompts(): Promise<readonly ListedPrompt[]> {
    return this.#list<ListedPrompt>('prompts/list', () => this.connection.listPrompts({ cache: 'refresh' }))
  }

  /**
   * Calls a tool and waits for its result, also where the call becomes a task. The tools are listed before the first call,
   * so that the output can be checked against its schema.
   */
  async callTool<Name extends ToolName>(
    name: Name,
    ...[args, options]: ToolParameters<Name, McpRequestOptions>
  ): Promise<ToolResult<ToolOutput<Name>>> {
    return this.#request(`tools/call ${name}`, async () => {
      const { connection } = this
      if (!connection.toolsAreKnown && 'tools' in connection.capabilities) await connection.listTools()
      const started = this.#options.timeline.next
      const call = { name, arguments: args ?? {} }
      const outcome = await callTool(connection, call, options)
      if (outcome.type === 'result') {
        const { result, outputCheck } = outcome
        return toolResult(result, { tool: name, outputCheck, frames: this.#framesSince(started) })
      }
      const { result } = await outcome.task.result()
      const outputCheck = { state: 'not-checked', reason: 'The call ran as a task.' } as const
      return toolResult(result, { tool: name, outputCheck, frames: this.#framesSince(started) })
    })
  }

  /** Reads a resource. */
  async readResource(uri: string, options?: McpRequestOptions): Promise<readonly ResourceContents[]> {
    return this.#request(`resources/read ${uri}`, async () => {
      const { contents } = await readResource(this.connection, uri, options)
      return contents as readonly ResourceContents[]
    })
  }

  /** Gets a prompt. */
  async getPrompt(
    name: string,
    args?: Readonly<Record<string, string>>,
    options?: McpRequestOptions,
  ): Promise<{ readonly description?: string; readonly messages: readonly PromptMessage[] }> {
    return this.#request(`prompts/get ${name}`, async () => {
      const prompt = { name, ...(args !== undefined && { arguments: args }) }
      const { description, messages } = await getPrompt(this.connection, prompt, options)
      return {
        ...(description !== undefined && { description }),
        messages: messages as unknown as readonly PromptMessage[],
      }
    })
  }

  /** Asks for values of an argument of a prompt or of a variable of a resource template. */
  async complete(question: CompletionQuestion, options?: McpRequestOptions): Promise<readonly string[]> {
    return this.#request('completion/complete', async () => {
      const { values } = await complete(this.connection, question, options)
      return values
    })
  }

  /** Subscribes to a resource. `expect(timeline).toHaveNotified('notifications/resources/updated')` waits for changes. */
  async subscribe(uri: string): Promise<void> {
    await this.#request(`subscribe ${uri}`, () => this.connection.subscribe(uri))
  }

  /** Ends a subscription. */
  async unsubscribe(uri: string): Promise<void> {
    await this.#request(`unsubscribe ${uri}`, () => this.connection.unsubscribe(uri))
  }

  /**
   * Has the server notify of list changes, which it does only when asked from 2026-07-28 on. Resolves when the server has
   * acknowledged it.
   */
  async listenForChanges(): Promise<void> {
    const { connection } = this
    if (connection.era === 'legacy') return
    const all = { toolsListChanged: true, promptsListChanged: true, resourcesListChanged: true } as const
    await this.#request('subscriptions/listen', () => connection.listen(all))
  }

  /** Asks for log messages from a severity on. */
  async setLogLevel(level: LogLevel): Promise<void> {
    await this.#request('logging/setLevel', () => this.connection.setLogLevel(level))
  }

  /** Asks for a sign of life; returns the milliseconds it took. */
  async ping(options?: McpRequestOptions): Promise<number> {
    return this.#request('ping', () => ping(this.connection, options))
  }

  /** Notifies the server that `answers.roots` changed. Returns false where the revision has no such notification. */
  async notifyRootsChanged(): Promise<boolean> {
    return this.#request('notifications/roots/list_changed', () => notifyRootsChanged(this.connection))
  }

  /** Sends any request; returns its result as it came. */
  async request(method: string, params?: JsonObject, options?: McpRequestOptions): Promise<JsonObject> {
    const sent: () => Promise<RequestResult> = () => this.connection.request(method, params, options)
    return (await this.#request(method, sent)).result
  }

  /** Sends any notification. */
  async notify(method: string, params?: JsonObject): Promise<void> {
    await this.#request(method, () => this.connection.notify(method, params))
  }

  /** Sends bytes, text or a JSON value past every check, and returns the answers as they came. */
  async raw(data: unknown, options?: RawSending): Promise<RawExchange> {
    return this.#request('raw', () => this.connection.sendRaw(data, options))
  }

  /** Ends the connection and opens it again; a process is started again. */
  async reconnect(): Promise<void> {
    await this.close()
    this.#open = await this.#options.step('reconnect', this.#options.open)
  }

  /** Ends the connection. */
  async close(): Promise<void> {
    await this.connection.close()
  }

  async #list<Item>(method: string, read: () => Promise<Listed>): Promise<readonly Item[]> {
    return this.#request(method, async () => {
      const { items, malformed, problem } = await read()
      const faults = malformed.map(({ index, reason }) => `entry ${index}: ${reason}`)
      if (problem !== undefined) faults.push(problem)
      if (faults.length > 0)
        throw new TestSetupError('protocol', `${method} cannot be used as it is: ${faults.join('; ')}`)
      return items as unknown as readonly Item[]
    })
  }

  /** Runs an action as a step, and keeps the frames of a failure. */
  async #request<T>(title: string, body: () => Promise<T>): Promise<T> {
    return this.#options.step(title, async () => {
      const started = this.#options.timeline.next
      try {
        return await body()
      } catch (error) {
        keepFrames(error, this.#framesSince(started))
        throw named(error, title)
      }
    })
  }

  #framesSince(number: number): ReturnType<Timeline['since']> {
    return this.#options.timeline.since(number, this.number)
  }
}

/** A request that got no answer says which it was. */
function named(error: unknown, title: string): unknown {
  if (error instanceof RequestFailedError && !error.message.includes(title))
    error.message = `${title}: ${error.message}`
  return error
}
