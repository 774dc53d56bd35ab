import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import type { Frame } from '../../ports/tap.ts'
import { frameOfLine } from '../recording/frame-recorder.ts'
import { answerBytes } from '../rules/apply-action.ts'
import { startFailure, startServer, type ServerCommand, type ServerProcess } from '../stdio/server-process.ts'
import type { Flows } from '../stdio/stdio-rules.ts'
import { TapError } from '../tap-error.ts'
import { NewSession, SUBSCRIPTION_ID, type SessionChanges } from './new-session.ts'
import { SessionMemory, type OpenRequest } from './session-memory.ts'

/** Requests that are open have this time to be answered by the server that goes. */
const WAIT_MS = 5_000
/** The client finishes the message that it is sending within this time. */
const LINE_MS = 5_000
const INTERNAL_ERROR = -32_603
const LINE_FEED = Buffer.of(0x0a)
const NO_BYTES = new Uint8Array()

/**
 * What becomes of requests that are open: the former server has 5 seconds to answer them and the others fail, they fail at
 * once, or they are sent to the new server.
 */
export type OpenRequests = 'wait' | 'error' | 'again'

/** The server of a tap, which another one can take the place of. */
export type TappedServer = {
  readonly command: ServerCommand
  current(): ServerProcess
  /** `errors` is what the new server has written to stderr. */
  replaced(next: ServerProcess, errors: Buffer): void
}

export type SwapOptions = {
  /** The same command, if none is named. */
  readonly command?: { readonly command: string; readonly args: readonly string[] }
  readonly openRequests: OpenRequests
}

/** What a swap did. */
export type Swapped = {
  readonly command: string
  readonly pid: number
  readonly serverInfo?: string
  /** What is different for the client, in words. */
  readonly changes: readonly string[]
  /** Requests that failed because they were open. */
  readonly failed: number
}

/** Puts another server behind a tap while the client stays connected. */
export class ServerSwap {
  readonly #flows: Flows
  readonly #record: (frame: Frame) => void
  readonly #server: TappedServer
  readonly #memory = new SessionMemory()
  #command: ServerCommand
  #running: Promise<unknown> | undefined

  constructor(flows: Flows, record: (frame: Frame) => void, server: TappedServer) {
    this.#flows = flows
    this.#record = record
    this.#server = server
    this.#command = server.command
  }

  /** Resolves when the swap that runs is over; undefined if none runs. */
  get running(): Promise<unknown> | undefined {
    return this.#running
  }

  /** Sees what passes. */
  observe(frame: Frame): void {
    this.#memory.observe(frame)
  }

  /**
   * Starts another server, repeats the session of the client there, and only then lets it take the place of the present one,
   * which goes on if anything fails.
   *
   * @throws TapError `swap`
   */
  async swap(options: SwapOptions): Promise<Swapped> {
    if (this.#running !== undefined) throw new TapError('swap', 'the server is being replaced already')
    const swapping = this.#swap(options)
    this.#running = swapping.catch(() => undefined)
    try {
      return await swapping
    } finally {
      this.#running = undefined
    }
  }

  async #swap({ command, openRequests }: SwapOptions): Promise<Swapped> {
    if (Object.values(this.#flows).some(({ hasEnded }) => hasEnded))
      throw new TapError('swap', 'the connection of the client is closed already')
    const wanted: ServerCommand = { ...this.#command, ...command }
    const next = await started(wanted)
    const session = new NewSession(next)
    let changes: SessionChanges
    try {
      changes = await session.open(this.#memory)
      await this.#holdClient(openRequests)
    } catch (error) {
      this.#flows['to-server'].release('swap')
      session.release()
      await next.end()
      throw error instanceof TapError ? error : new TapError('swap', messageOf(error), { cause: error })
    }
    const former = this.#server.current()
    const open = this.#memory.openToServer
    if (openRequests !== 'again') this.#failOpen(open, wanted)
    this.#cancelQuestions()
    this.#flows['to-server'].replaceTarget(next.stdin)
    const early = session.release()
    this.#server.replaced(next, early.errors)
    this.#command = wanted
    this.#lifecycle('closed', `replaced by ${textOf(wanted)}`)
    this.#lifecycle('opened', `process ${next.pid} started in place of ${former.pid}`)
    if (changes.result !== undefined) this.#memory.introduced(changes.result)
    this.#memory.forgetServer()
    this.#flows['to-client'].replaceSource(next.stdout, early.output)
    next.supervise()
    if (openRequests === 'again') for (const { bytes } of open) this.#toServer(Buffer.from(bytes))
    for (const method of changes.listChanged) this.#announce(method)
    this.#flows['to-server'].release('swap')
    void former.end()
    return {
      command: textOf(wanted),
      pid: next.pid ?? 0,
      ...(changes.serverInfo !== undefined && { serverInfo: changes.serverInfo }),
      changes: changes.changes,
      failed: openRequests === 'again' ? 0 : open.length,
    }
  }

  /** From here on the client's messages wait. */
  async #holdClient(openRequests: OpenRequests): Promise<void> {
    const toServer = this.#flows['to-server']
    const isAtEnd = await toServer.lineEnd(LINE_MS)
    toServer.hold('swap')
    if (!isAtEnd)
      throw new TapError(
        'swap',
        `the client has been sending one message for ${LINE_MS / 1_000} s; try again when it has ended`,
      )
    if (openRequests === 'wait') await this.#memory.idle(WAIT_MS)
    await this.#flows['to-client'].lineEnd(LINE_MS)
    if (Object.values(this.#flows).some(({ hasEnded }) => hasEnded))
      throw new TapError('swap', 'the connection was closed meanwhile')
  }

  #failOpen(open: readonly OpenRequest[], wanted: ServerCommand): void {
    const message = `The server was replaced by "${textOf(wanted)}" before it answered. The request may or may not have run.`
    for (const { bytes } of open)
      this.#toClient(Buffer.from(answerBytes(bytes, { error: { code: INTERNAL_ERROR, message } })))
  }

  /** Requests of the former server need no answer. */
  #cancelQuestions(): void {
    for (const { message } of this.#memory.openToClient) {
      const params = { requestId: message['id'], reason: 'The server was replaced.' }
      this.#toClient(json({ jsonrpc: '2.0', method: 'notifications/cancelled', params }))
    }
  }

  /** Notifies the client that a list changed: on its streams of notifications, or in its session. */
  #announce(method: string): void {
    const { listening } = this.#memory
    if (this.#memory.initialize !== undefined) {
      this.#toClient(json({ jsonrpc: '2.0', method }))
      return
    }
    const kind = KINDS[method]
    for (const { message } of listening) {
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const wanted = isJsonObject(params['notifications']) ? params['notifications'] : {}
      if (kind === undefined || wanted[kind] !== true) continue
      const meta = { [SUBSCRIPTION_ID]: message['id'] }
      this.#toClient(json({ jsonrpc: '2.0', method, params: { _meta: meta } }))
    }
  }

  #toClient(bytes: Buffer): void {
    this.#flows['to-client'].inject(Buffer.concat([bytes, LINE_FEED]))
    this.#record(frameOfLine('received', bytes))
  }

  #toServer(bytes: Buffer): void {
    this.#flows['to-server'].inject(Buffer.concat([bytes, LINE_FEED]))
    this.#record(frameOfLine('sent', bytes))
  }

  #lifecycle(event: 'opened' | 'closed', note: string): void {
    const direction = event === 'opened' ? 'sent' : 'received'
    this.#record({ kind: 'lifecycle', direction, bytes: NO_BYTES, event, note })
  }
}

const KINDS: Readonly<Record<string, string>> = {
  'notifications/tools/list_changed': 'toolsListChanged',
  'notifications/prompts/list_changed': 'promptsListChanged',
  'notifications/resources/list_changed': 'resourcesListChanged',
}

async function started(wanted: ServerCommand): Promise<ServerProcess> {
  try {
    return await startServer(wanted)
  } catch (error) {
    const cause = error instanceof Error ? error : new Error(messageOf(error))
    throw new TapError('swap', await startFailure(wanted.command, cause), { cause: error })
  }
}

function textOf({ command, args }: ServerCommand): string {
  return [command, ...args].join(' ')
}

function json(message: JsonObject): Buffer {
  return Buffer.from(JSON.stringify(message))
}
