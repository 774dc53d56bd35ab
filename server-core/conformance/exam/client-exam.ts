import { randomUUID } from 'node:crypto'
import { fileURLToPath } from 'node:url'
import type { JsonObject } from '../../protocol/json.ts'
import type { CheckEntry } from '../catalogue/catalogue.ts'
import { Examination } from '../examination.ts'
import type { FrameLog } from '../frames/frame-log.ts'
import type { InMessage } from '../probe/inbox.ts'
import type { CommandSpec } from '../probe/process-handle.ts'
import { elapsed, type Waits } from '../probe/waits.ts'
import type { Revision } from '../../protocol/revisions.ts'
import type { Cell } from '../verdict.ts'
import type {
  ClientDriver,
  DrivenClient,
  DriverSettings,
  ExamAddress,
  Step,
  StepOutcome,
} from './client-driver.ts'
import { Dialogue, type Handler, type Turn } from './dialogue.ts'
import type { ExamConnection } from './exam-connection.ts'
import type { ExamContent } from './exam-content.ts'
import type { ExamHttp, HttpHandler } from './exam-http.ts'
import { ExamAuthority } from './exam-authority.ts'
import { ExamServer } from './exam-server.ts'
import type { BridgeEvent } from './bridge-carrier.ts'

export type ClientExamParts = {
  readonly entry: CheckEntry
  readonly cell: Cell
  readonly log: FrameLog
  readonly driver: ClientDriver
  readonly waits: Waits
  readonly seed: number
  /** Starts the bridge; the one beside this file if not given. */
  readonly bridge?: CommandSpec
}

/** A client that needs so long for one step hangs. */
const HANG_MS = 15_000

/** What became of a step that may never end. */
export type StepEnding = StepOutcome | { readonly type: 'hangs' }

/** A few words for a finding. */
export function describeEnding(ending: StepEnding): string {
  if (ending.type === 'hangs') return 'no end of it'
  return ending.type === 'failed' ? `a failure: ${ending.message}` : 'success'
}

/** The bridge beside this file, or beside the bundle that this file is part of. */
const BRIDGE = fileURLToPath(
  new URL(import.meta.url.endsWith('.ts') ? './stdio-bridge.ts' : '../stdio-bridge.js', import.meta.url),
)

/** What a check of clients works with: an exam server of its own, and the client, which it starts. */
export class ClientExam extends Examination {
  readonly waits: Waits
  readonly seed: number
  /** Every connection of the client, in order. */
  readonly connections: ExamConnection[] = []
  readonly #dialogue: Dialogue
  readonly #server: ExamServer
  readonly #driver: ClientDriver
  readonly #bridge: CommandSpec | undefined
  readonly #waiting = new Set<() => void>()
  #settings: DriverSettings = {}
  #sessionId: () => string | undefined = () => `${randomUUID()}!~`
  #client: DrivenClient | undefined
  #authority: ExamAuthority | undefined
  /** What a handler of the check threw. */
  #fault: unknown

  constructor(parts: ClientExamParts) {
    super(parts.entry, parts.cell, parts.log)
    this.waits = parts.waits
    this.seed = parts.seed
    this.#driver = parts.driver
    this.#bridge = parts.bridge
    this.#dialogue = new Dialogue(parts.cell.revision)
    this.#server = new ExamServer({
      dialogue: this.#dialogue,
      log: parts.log,
      cell: parts.cell,
      answerMs: parts.waits.answerMs,
      sessionId: () => this.#sessionId(),
      onConnection: (connection) => {
        connection.captured.revision = this.#dialogue.revision
        this.connections.push(connection)
        this.#wake()
      },
      onError: (error) => {
        this.#fault ??= error
        this.#wake()
      },
    })
  }

  /** What the exam server offers; change it before the client starts. */
  get content(): ExamContent {
    return this.#dialogue.content
  }

  /** The exam server: its URL and HTTP requests. */
  get server(): ExamServer {
    return this.#server
  }

  /** Every HTTP request of the client. */
  get exchanges(): readonly ExamHttp[] {
    return this.#server.exchanges
  }

  /** What the client did with the process it started over stdio. */
  get processEvents(): readonly BridgeEvent[] {
    return this.#server.processEvents
  }

  /** Every message of the client on all connections, in order of connections. */
  get received(): readonly InMessage[] {
    return this.connections.flatMap(({ inbox }) => inbox.messages)
  }

  /** Whether the client speaks revisions before 2026-07-28 too. */
  get speaksLegacy(): boolean {
    return this.#driver.revisions.some((revision) => revision < '2026-07-28')
  }

  /** Legacy Streamable HTTP: makes the session ids in another way; none where it gives undefined. */
  issueSessionIds(make: () => string | undefined): void {
    this.#sessionId = make
  }

  /** Makes the exam server one of another revision than that of the cell. */
  speak(revision: Revision): void {
    this.#dialogue.revision = revision
  }

  /** Answers a method in another way than a correct server. */
  on(method: string, handler: Handler): void {
    this.#dialogue.on(method, handler)
  }

  /** Changes the result that a correct server gives. */
  alter(method: string, change: (result: JsonObject, turn: Turn) => JsonObject): void {
    this.#dialogue.alter(method, change)
  }

  /** Answers HTTP requests before the server does: return true if the handler has answered. */
  onHttp(handler: HttpHandler): void {
    this.#server.onHttp(handler)
  }

  /** Makes the exam server a protected resource with an authorization server of its own; call it before the client starts. */
  protect(): ExamAuthority {
    return (this.#authority = new ExamAuthority(this.#server))
  }

  /** Declares capabilities of the client and answers its questions, if the driver supports it. */
  set(settings: DriverSettings): void {
    this.#settings = { ...this.#settings, ...settings }
  }

  /** Starts the client and lets it do what every client can; resolves when it has done so. */
  async run(): Promise<StepOutcome> {
    const client = await this.#start()
    const outcome = await client.basic()
    this.#throwFault()
    return outcome
  }

  /** Makes the client do one thing; not applicable where it cannot be driven. It is started by the first step. */
  async step(step: Step): Promise<StepOutcome> {
    const client = await this.#start()
    if (client.step === undefined) this.notApplicable(`the client cannot be driven to "${step.type}"`)
    const outcome = await client.step(step)
    this.#throwFault()
    return outcome
  }

  /** Whether the client does single steps, and answers as its user is said to. */
  async isDriven(): Promise<boolean> {
    return (await this.#start()).step !== undefined
  }

  /**
   * Takes back what was found of a client that does not authorize, which is optional: it is not driven, and sent no
   * request but those to the protected endpoint. Called by the runner at the end.
   */
  async settleAuthorization(): Promise<void> {
    const authority = this.#authority
    if (authority === undefined || authority.isUsed || this.findings.length === 0) return
    if (this.exchanges.length === 0 || (await this.isDriven())) return
    this.findings.length = 0
    this.notApplicable('the client does not authorize, which is optional')
  }

  /** Makes the client connect, and resolves with its connection. */
  async connect(): Promise<ExamConnection> {
    const outcome = await this.step({ type: 'connect' })
    if (outcome.type === 'failed') this.inconclusive(`the client did not connect: ${outcome.message}`)
    return this.connection()
  }

  /**
   * What became of a step, or `hangs` if it does not end in the time allowed. Inconclusive if the client has never
   * connected. Give the client a longer `requestTimeoutMs`, so that its own limit is not what ends it.
   */
  async ending(
    work: Promise<StepOutcome>,
    timeoutMs = Math.max(this.waits.answerMs * 2, HANG_MS),
  ): Promise<StepEnding> {
    work.catch(() => undefined)
    const ending = await Promise.race([work, elapsed(timeoutMs).then((): StepEnding => ({ type: 'hangs' }))])
    if (this.connections.length === 0 && this.exchanges.length === 0)
      this.inconclusive('the client never connected')
    return ending
  }

  /** Ends the client; the next step starts it again. */
  async endClient(): Promise<void> {
    await this.#client?.close()
    this.#client = undefined
    this.#server.forgetClient()
  }

  /** The driven client: its process and output. */
  async client(): Promise<DrivenClient> {
    return this.#start()
  }

  /** The newest connection; waits for the first one. Inconclusive if none comes. */
  async connection(): Promise<ExamConnection> {
    const over = elapsed(this.waits.answerMs * 2).then(() => 'late')
    while (this.connections.length === 0) {
      const woken = new Promise<void>((resolve) => this.#waiting.add(resolve))
      if ((await Promise.race([woken, over])) === 'late') break
      this.#throwFault()
    }
    const newest = this.connections.at(-1)
    if (newest === undefined) this.inconclusive('the client never connected')
    return newest
  }

  /** The first message on any connection that fits; undefined if none comes in time. */
  async waitFor(
    accepts: (item: InMessage) => boolean,
    timeoutMs = this.waits.answerMs,
  ): Promise<InMessage | undefined> {
    for (const until = performance.now() + timeoutMs; performance.now() < until;) {
      const found = this.received.find(accepts)
      if (found !== undefined) return found
      await elapsed(10)
      this.#throwFault()
    }
    this.timedOut = true
    return undefined
  }

  /** The first message of that method. */
  waitForMethod(method: string, timeoutMs?: number): Promise<InMessage | undefined> {
    return this.waitFor(({ message }) => message['method'] === method, timeoutMs)
  }

  /** The messages of one method so far. */
  messagesOf(method: string): readonly InMessage[] {
    return this.received.filter(({ message }) => message['method'] === method)
  }

  /** Ends the client and the server. Called by the runner. */
  async closeAll(): Promise<void> {
    await this.#client?.close()
    await this.#server.close()
  }

  /** Throws what a handler of the check threw. Called by the runner at the end. */
  throwFault(): void {
    this.#throwFault()
  }

  /** Starts the exam server. Called by the runner. */
  async listen(): Promise<void> {
    await this.#server.start()
  }

  async #start(): Promise<DrivenClient> {
    return (this.#client ??= await this.#driver.start(this.#address(), this.#settings))
  }

  #address(): ExamAddress {
    const { transport, revision } = this.cell
    if (transport !== 'stdio') return { transport, revision, url: this.#server.url }
    const { command, args = [] } = this.#bridge ?? { command: process.execPath, args: [BRIDGE] }
    return { transport, revision, command: { command, args: [...args, String(this.#server.bridgePort)] } }
  }

  #wake(): void {
    for (const wake of this.#waiting) wake()
    this.#waiting.clear()
  }

  #throwFault(): void {
    if (this.#fault !== undefined) throw this.#fault as Error
  }
}
