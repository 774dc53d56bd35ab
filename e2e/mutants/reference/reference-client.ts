import { WIRE_TRANSPORTS } from '../../../server-core/protocol/transport-kind.ts'
import { connect, type Connection, type ConnectOptions } from '../../../server-core/client/connect.ts'
import { OutputChecker } from '../../../server-core/client/output-check.ts'
import { callTool } from '../../../server-core/client/requests/call-tool.ts'
import type { TaskHandle } from '../../../server-core/client/tasks/task-handle.ts'
import type {
  ClientDriver,
  DrivenClient,
  DriverSettings,
  ExamAddress,
  ExamList,
  Step,
  StepOutcome,
} from '../../../server-core/conformance/exam/client-driver.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import { SUPPORTED, type Revision } from '../../../server-core/protocol/revisions.ts'
import { transportsFor } from '../../../server-core/transports/opener.ts'
import { messageOf } from '../../../server-core/protocol/error-message.ts'
import type { OAuthAuthorization } from '../../../server-core/oauth/client-authorization.ts'
import type { Fault } from '../mutant.ts'
import { authorizationFor } from './client-authorization.ts'
import { MutatingBridge } from './mutating-bridge.ts'
import { isProxied, MutatingProxy } from './mutating-proxy.ts'
import { respondersOf, withRootChanges } from './reference-responders.ts'
import { ReferenceSubscriptions } from './reference-subscriptions.ts'

const IDENTITY = { name: 'patchbay-reference-client', version: '1.0.0' }

/** Our own client core with every step, correct or with one fault. */
export function referenceDriver(fault: Fault = {}): ClientDriver {
  return {
    name: 'reference client',
    transports: WIRE_TRANSPORTS,
    revisions: SUPPORTED,
    start: async (address, settings) => {
      const { changed, close } = await mutated(address, fault)
      const client = new ReferenceClient(changed, settings, fault, close)
      return fault.driver?.(client) ?? client
    },
  }
}

/** The address with a proxy before it that makes the faults of messages. */
async function mutated(
  address: ExamAddress,
  fault: Fault,
): Promise<{ readonly changed: ExamAddress; readonly close: () => Promise<void> }> {
  if (!isProxied(fault)) return { changed: address, close: () => Promise.resolve() }
  if (address.url !== undefined) {
    const url = new URL(address.url)
    const proxy = new MutatingProxy(fault, 'client', `http://${url.host}`)
    const origin = new URL(await proxy.start())
    url.host = origin.host
    return { changed: { ...address, url: url.href }, close: () => proxy.close() }
  }
  const { command } = address
  if (command === undefined) return { changed: address, close: () => Promise.resolve() }
  const bridge = new MutatingBridge(fault, Number(command.args?.at(-1)))
  const port = await bridge.start()
  const args = [...(command.args ?? []).slice(0, -1), String(port)]
  return { changed: { ...address, command: { ...command, args } }, close: () => bridge.close() }
}

class ReferenceClient implements DrivenClient {
  readonly #address: ExamAddress
  readonly #settings: DriverSettings
  readonly #fault: Fault
  readonly #closeProxy: () => Promise<void>
  readonly #subscriptions = new ReferenceSubscriptions()
  #connection: Connection | undefined
  #authorization: OAuthAuthorization | undefined
  #output = ''
  /** The era that the server last showed, where the client is free to choose. */
  #knownLegacy: Revision | undefined

  constructor(address: ExamAddress, settings: DriverSettings, fault: Fault, closeProxy: () => Promise<void>) {
    this.#address = address
    this.#settings = settings
    this.#fault = fault
    this.#closeProxy = closeProxy
  }

  output(): string {
    return this.#output
  }

  async basic(): Promise<StepOutcome> {
    const connected = await this.step({ type: 'connect' })
    if (connected.type === 'failed') return connected
    const failures: StepOutcome[] = []
    const list = async (of: 'tools' | 'resources' | 'templates' | 'prompts'): Promise<unknown> => {
      const outcome = await this.step({ type: 'list', list: of })
      if (outcome.type === 'failed') failures.push(outcome)
      return outcome.type === 'done' && Array.isArray(outcome.value)
        ? (outcome.value as unknown[])[0]
        : undefined
    }
    const tool = await list('tools')
    const resource = await list('resources')
    await list('templates')
    const prompt = await list('prompts')
    const steps: Step[] = []
    if (isJsonObject(tool))
      steps.push({ type: 'call', tool: String(tool['name']), arguments: { text: 'exam' } })
    if (isJsonObject(resource)) steps.push({ type: 'read', uri: String(resource['uri']) })
    if (isJsonObject(prompt)) steps.push({ type: 'get', prompt: String(prompt['name']) })
    for (const step of [...steps, { type: 'close' } as const]) {
      const outcome = await this.step(step)
      if (outcome.type === 'failed') failures.push(outcome)
    }
    return failures[0] ?? { type: 'done' }
  }

  readonly step = async (step: Step): Promise<StepOutcome> => {
    try {
      return { type: 'done', value: await this.#do(step) }
    } catch (error) {
      this.#output += `${messageOf(error)}\n`
      const code = error instanceof Error && 'code' in error ? { code: error.code } : {}
      return { type: 'failed', message: messageOf(error), ...code }
    }
  }

  async close(): Promise<void> {
    this.#subscriptions.stop()
    await this.#connection?.close()
    await this.#authorization?.close()
    await this.#closeProxy()
  }

  async #do(step: Step): Promise<unknown> {
    switch (step.type) {
      case 'connect':
        this.#connection = await this.#connect()
        return undefined
      case 'new-conversation':
        // Conversations of the reference client share its connection.
        await this.#open()
        return undefined
      case 'listen': {
        const connection = await this.#open()
        return this.#subscriptions.open(connection, step.filter, async () => {
          this.#connection = await this.#connect()
          return this.#connection
        })
      }
      case 'close':
        this.#subscriptions.stop()
        return this.#connection?.close()
      case 'parallel':
        return Promise.all(step.steps.map((each) => this.step(each)))
      case 'idle':
        return new Promise((resolve) => setTimeout(resolve, step.milliseconds))
      default:
        return perform(step, await this.#open())
    }
  }

  async #open(): Promise<Connection> {
    return (this.#connection ??= await this.#connect())
  }

  /** Connects, and remembers the era of the server until it proves wrong. */
  async #connect(): Promise<Connection> {
    const known = this.#knownLegacy
    this.#knownLegacy = undefined
    const options = this.#options()
    const connection = await connect({
      ...options,
      ...(known !== undefined && { protocol: known }),
    }).catch((error: unknown) => {
      if (known === undefined) throw error
      return connect(options)
    })
    if (this.#settings.anyRevision === true && connection.revision < '2026-07-28')
      this.#knownLegacy = connection.revision
    return connection
  }

  #options(): ConnectOptions {
    const { transport, url, command, revision } = this.#address
    if (url !== undefined && transport === 'http') this.#authorization ??= authorizationFor(url)
    const factory =
      transport === 'stdio'
        ? transportsFor({
            transport,
            command: command?.command ?? '',
            args: command?.args ?? [],
            ...(this.#fault.graceMs !== undefined && { graceMs: this.#fault.graceMs }),
          })
        : transportsFor({
            transport: transport === 'http' && this.#settings.anyRevision === true ? 'auto' : transport,
            url: url ?? '',
            ...(this.#authorization !== undefined && { authorization: this.#authorization }),
          })
    const options: ConnectOptions = {
      ...factory,
      identity: IDENTITY,
      protocol: this.#settings.anyRevision === true ? 'auto' : revision,
      // A process may take seconds to start on a busy machine; a slow server is not necessarily an old one.
      probeTimeoutMs: 6_000,
      listeners: {
        notification: (message) => {
          this.#subscriptions.notice({ ...message })
        },
        closed: () => {
          void this.#subscriptions.restore()
        },
      },
      ...(this.#settings.capabilities?.includes('tasks') === true && {
        declaration: { identity: IDENTITY, capabilities: declarationOf(this.#settings, revision) },
      }),
      responders: respondersOf(this.#settings),
      requestTimeoutMs: this.#settings.requestTimeoutMs ?? 30_000,
    }
    return withRootChanges(this.#fault.connect?.(options, this.#settings) ?? options)
  }
}

async function perform(
  step: Exclude<Step, { type: 'connect' | 'parallel' | 'idle' | 'listen' | 'close' | 'new-conversation' }>,
  connection: Connection,
): Promise<unknown> {
  switch (step.type) {
    case 'list':
      return listOf(connection, step.list)
    case 'call':
      return call(connection, step)
    case 'read':
      return (await connection.request('resources/read', { uri: step.uri })).result
    case 'get':
      return (await connection.request('prompts/get', { name: step.prompt, arguments: step.arguments ?? {} }))
        .result
    case 'complete':
      return (await connection.request('completion/complete', step.params)).result
    case 'set-log-level':
      return (await connection.request('logging/setLevel', { level: step.level })).result
    case 'subscribe':
      return connection.subscribe(step.uri)
    case 'unsubscribe':
      return connection.unsubscribe(step.uri)
    case 'ping':
      return (await connection.request('ping')).result
    case 'change-roots':
      return connection.notify('notifications/roots/list_changed')
    case 'notify':
      return connection.notify(step.method, step.params)
    case 'request':
      return (await connection.request(step.method, step.params)).result
  }
}

async function listOf(connection: Connection, list: ExamList) {
  switch (list) {
    case 'tools':
      return (await connection.listTools()).items
    case 'resources':
      return (await connection.listResources()).items
    case 'templates':
      return (await connection.listResourceTemplates()).items
    case 'prompts':
      return (await connection.listPrompts()).items
    case 'tasks':
      return listTasks(connection)
  }
}

async function listTasks(connection: Connection): Promise<readonly unknown[]> {
  const items: unknown[] = []
  for await (const page of connection.pages('tasks')) items.push(...page.items)
  return items
}

async function call(connection: Connection, step: Extract<Step, { type: 'call' }>): Promise<JsonObject> {
  const { tool, arguments: args = {}, cancelAfterMs, timeoutMs, maximumMs, progress } = step
  const controller = new AbortController()
  const timer =
    cancelAfterMs === undefined
      ? undefined
      : setTimeout(() => {
          controller.abort()
        }, cancelAfterMs)
  try {
    const outcome = await callTool(
      connection,
      { name: tool, arguments: args },
      {
        signal: controller.signal,
        ...(step.task === true && { task: {} }),
        ...(timeoutMs !== undefined && { timeoutMs }),
        ...(maximumMs !== undefined && { maximumMs }),
        ...(progress === true && { onProgress: () => undefined }),
      },
    )
    if (outcome.type === 'task') return await resultOf(outcome.task, controller.signal)
    await requireSound(connection, tool, outcome.result)
    return outcome.result
  } finally {
    clearTimeout(timer)
  }
}

/** Throws for a result that breaks the revision or the output schema of its tool. */
async function requireSound(connection: Connection, tool: string, result: JsonObject): Promise<void> {
  if ('content' in result && !Array.isArray(result['content']))
    throw new TypeError('The content is not an array')
  const schema = connection.knownTool(tool)?.outputSchema
  if (!isJsonObject(schema)) return
  const checked = await new OutputChecker().check(schema, result)
  const { $schema: dialect } = schema
  if (typeof dialect === 'string' && !/json-schema\.org/.test(dialect))
    throw new TypeError(`The output schema has the unknown dialect ${dialect}`)
  if (checked.state === 'not-checked') throw new TypeError(checked.reason)
  if (checked.state === 'differs')
    throw new TypeError(checked.findings.map(({ message }) => message).join('; '))
}

/** The result of a task; it is cancelled if the caller gives up. */
async function resultOf(task: TaskHandle, signal: AbortSignal): Promise<JsonObject> {
  try {
    return (await task.result({ signal })).result
  } catch (error) {
    if (signal.aborted) await task.cancel()
    throw error
  }
}

/** The declaration of a client that serves tasks. */
function declarationOf({ capabilities = [] }: DriverSettings, revision: Revision): JsonObject {
  const serves = (name: string) => capabilities.some((each) => each.startsWith(name))
  const own = {
    ...(serves('sampling') && { sampling: {} }),
    ...(serves('elicitation') && { elicitation: { form: {} } }),
  }
  if (revision >= '2026-07-28') return { ...own, extensions: { 'io.modelcontextprotocol/tasks': {} } }
  return {
    ...own,
    tasks: {
      list: {},
      cancel: {},
      requests: {
        ...(serves('sampling') && { sampling: { createMessage: {} } }),
        ...(serves('elicitation') && { elicitation: { create: {} } }),
      },
    },
  }
}
