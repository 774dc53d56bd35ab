import { SerialQueue } from '../../protocol/serial-queue.ts'
import { connect } from '../../client/connect.ts'
import type { Connection } from '../../client/connection.ts'
import { ConnectError } from '../../client/errors.ts'
import { ProbeMemory } from '../../client/probe-memory.ts'
import type { Masking } from '../../capture/redaction.ts'
import type { ClientTransport, TransportError, TransportEvidence } from '../../ports/contract.ts'
import type { Open, TransportFactory } from '../../transports/opener.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import { listKindSchema } from '../contract/inspect.ts'
import type { Failure, ServerState } from '../contract/servers.ts'
import { LatencyRecorder, type Latency } from '../inspect/latency.ts'
import { ServerInspection } from '../inspect/server-inspection.ts'
import type { TaskTrackerOptions } from '../tasks/task-tracker.ts'
import { HostError } from '../host-error.ts'
import type { ConnectionResponders } from '../responders/responders-service.ts'
import type { Choices } from '../../profile/choices.ts'
import { failureOf } from '../../diagnosis/failure.ts'
import type { FailureMoment } from '../../diagnosis/explain-failure.ts'
import { Waiting } from './waiting.ts'

export type Identity = { readonly name: string; readonly title: string; readonly version: string }

/** What a live server reports to its service. */
export type LiveEvents = {
  changed(): void
  /** Lists of these kinds may have changed: the server said so, or it was connected again. */
  listsChanged(kinds: readonly ListKind[]): void
  resourceUpdated(uri: string): void
  latencyChanged(): void
  /** What its user set up on it by hand. */
  inspectionChanged(): void
  tasksChanged(): void
  /** How the structured result of a tool stands to its output schema. */
  checkOutput: TaskTrackerOptions['checkOutput']
  /** Begins to answer what it asks over a new connection. */
  answering(): ConnectionResponders
}

type Phase =
  | { readonly status: 'disconnected' }
  | { readonly status: 'connecting'; readonly done: Promise<void>; readonly waiting: Waiting }
  | { readonly status: 'connected'; readonly connection: Connection }
  | { readonly status: 'failed'; readonly failure: Failure }

type Probe = ServerState['probe']

/** What opens a server, and what was chosen about speaking with it. */
export type Prepared = {
  readonly transports: TransportFactory
  readonly choices: Choices
  /** Another for everything else that is run or sent. */
  readonly fingerprint: string
}
/** Returns what opens the server as it is now, or throws why it may not be opened. */
export type Prepare = () => Promise<Prepared>

/** Resolves when an attempt to connect is over, whatever came of it. */
type Attempt = { readonly done: Promise<void> }
const NO_ATTEMPT: Attempt = { done: Promise.resolve() }

/**
 * The connection to one server and what is known of it: at most one at a time, and no process of an earlier one beside
 * it. What callers ask for is done in turn. A connection that ends by itself leaves its cause behind; what the peer
 * said about itself stays until the next connection.
 */
export class LiveServer {
  /** What its user set up on it by hand, over every connection. */
  readonly inspection: ServerInspection
  readonly #events: LiveEvents
  readonly #identity: Identity
  readonly #masking: Masking
  #phase: Phase = { status: 'disconnected' }
  #probe: Probe = []
  readonly #latency = new LatencyRecorder()
  /** What is read in a turn holds until its end. An attempt to connect goes on after its turn. */
  readonly #turns = new SerialQueue()
  /** Aborted when connects that were requested before are cancelled. */
  #wish = new AbortController()
  /** Resolves when nothing is left of the last connection or attempt. */
  #ended: Promise<void> = Promise.resolve()
  #wasConnected = false
  /** What connecting has shown of what was run or sent last. */
  #shownBy: { readonly fingerprint: string; readonly memory: ProbeMemory } | undefined
  #isClosed = false

  /** @param masking takes stored secrets out of what the server says when it fails */
  constructor(identity: Identity, masking: Masking, events: LiveEvents) {
    this.#identity = identity
    this.#masking = masking
    this.#events = events
    this.inspection = new ServerInspection(() => events.inspectionChanged(), {
      changed: () => events.tasksChanged(),
      shown: (text) => masking.text(text),
      checkOutput: (tool, result) => events.checkOutput(tool, result),
    })
  }

  get status(): ServerState['status'] {
    return this.#phase.status
  }

  get connection(): Connection | undefined {
    return this.#phase.status === 'connected' ? this.#phase.connection : undefined
  }

  /** Its part of the state that pages see. */
  facts(): Pick<ServerState, 'status' | 'probe'> & Partial<ServerState> {
    const phase = this.#phase
    const probe = this.#probe
    if (phase.status === 'failed') return { status: phase.status, probe, failure: phase.failure }
    if (phase.status === 'connecting') {
      const { said } = phase.waiting
      return { status: phase.status, probe, ...(said !== undefined && { waiting: said }) }
    }
    if (phase.status !== 'connected') return { status: phase.status, probe }
    const { connection } = phase
    const { pid } = connection.evidence()
    const { transport } = connection
    return {
      status: phase.status,
      probe,
      ...(transport !== 'memory' && { transport }),
      revision: connection.revision,
      ...(connection.serverInfo !== undefined && { serverInfo: connection.serverInfo }),
      capabilities: connection.capabilities,
      ...(connection.instructions !== undefined && { instructions: connection.instructions }),
      ...(pid !== undefined && { pid }),
    }
  }

  /** Has every page read the lists from the server again. */
  refreshLists(): void {
    this.#listsChanged(listKindSchema.options)
  }

  /** Notes how long the server took for a call. */
  answered(ms: number): void {
    this.#latency.add(ms)
    this.#events.latencyChanged()
  }

  /** How long it takes on the present connection, if a call was answered. */
  get latency(): Latency | undefined {
    return this.#phase.status === 'connected' ? this.#latency.latency : undefined
  }

  /** Why there is no connection, if the last one failed. */
  get failure(): Failure | undefined {
    return this.#phase.status === 'failed' ? this.#phase.failure : undefined
  }

  /**
   * Connects, unless it is connected or at it. Resolves when it is connected, has failed or was given up; never throws
   * for a failure of the server, which becomes part of the facts.
   *
   * @param prepare finds out what may be opened, once it is this call's turn; what it throws, this throws
   * @throws HostError `NOT_CONNECTED` after `close`
   */
  async connect(prepare: Prepare): Promise<void> {
    const { signal } = this.#wish
    const { done } = await this.#turns.run(async (): Promise<Attempt> => {
      if (this.#phase.status === 'connected' || signal.aborted) return NO_ATTEMPT
      if (this.#phase.status === 'connecting') return this.#phase
      return this.#start(await this.#prepared(prepare), signal)
    })
    await done
  }

  /** Ends what there is and connects again, if `prepare` does not refuse it. Otherwise as `connect`. */
  async restart(prepare: Prepare): Promise<void> {
    const asked = this.#wish.signal
    const { done } = await this.#turns.run(async (): Promise<Attempt> => {
      if (asked.aborted) return NO_ATTEMPT
      const prepared = await this.#prepared(prepare)
      if (isGivenUp(asked)) return NO_ATTEMPT
      const ended = this.#end()
      const { signal } = this.#wish
      await ended
      return this.#start(prepared, signal)
    })
    await done
  }

  /** Ends the connection, or the attempt to make one. Resolves when nothing of it is left. */
  async disconnect(): Promise<void> {
    await this.whileDisconnected(() => Promise.resolve())
  }

  /** Disconnects and runs `work`; nothing connects before that is done. */
  async whileDisconnected<T>(work: () => Promise<T>): Promise<T> {
    this.#giveUp()
    return this.#turns.run(async () => {
      await this.#end()
      return work()
    })
  }

  /** Runs `change` while nobody begins to connect. Disconnects if it says that the connection does not fit any more. */
  async change(change: () => Promise<{ readonly voids: boolean }>): Promise<void> {
    await this.#turns.run(async () => {
      if ((await change()).voids) await this.#end()
    })
  }

  /** Disconnects for good and runs `work` then; what wants to connect afterwards is refused. */
  async close(work: () => Promise<void> = () => Promise.resolve()): Promise<void> {
    this.#isClosed = true
    await this.whileDisconnected(work)
  }

  async #prepared(prepare: Prepare): Promise<Prepared> {
    if (this.#isClosed) {
      const message = 'There is nothing to connect to: the server was removed, or Patchbay is ending.'
      throw new HostError('NOT_CONNECTED', message)
    }
    return prepare()
  }

  /** Whoever wants to connect as yet does not any more. */
  #giveUp(): void {
    this.#wish.abort()
    this.#wish = new AbortController()
  }

  async #end(): Promise<void> {
    this.#giveUp()
    if (this.#phase.status === 'connecting') await this.#phase.done
    const { connection } = this
    if (this.#phase.status !== 'disconnected') this.#become({ status: 'disconnected' })
    if (connection !== undefined) this.#ended = connection.close()
    await this.#ended
  }

  #start({ transports, ...prepared }: Prepared, signal: AbortSignal): Attempt {
    if (signal.aborted) return NO_ATTEMPT
    let transport: ClientTransport | undefined
    const waiting = new Waiting({
      evidence: () => transport?.evidence(),
      masking: this.#masking,
      changed: () => this.#events.changed(),
    })
    const done = this.#attempt(
      { transports: recording(transports, (opened) => (transport = opened)), ...prepared },
      signal,
    ).finally(() => waiting.end())
    this.#become({ status: 'connecting', done, waiting })
    return { done }
  }

  async #attempt({ transports, choices, fingerprint }: Prepared, signal: AbortSignal): Promise<void> {
    // A process that ended our connection or failed may take seconds to go; its successor waits for that.
    await this.#ended
    this.#latency.clear()
    this.#probe = []
    let transport: ClientTransport | undefined
    const answering = this.#events.answering()
    try {
      const connection = await connect({
        ...recording(transports, (opened) => (transport = opened)),
        identity: this.#identity,
        ...choices,
        responders: answering.responders,
        memory: this.#memoryOf(fingerprint),
        signal,
        onNotification: (message) => {
          this.inspection.notification(message)
          answering.notification(message)
        },
        onClosed: () => answering.end(),
        onStep: (step) => {
          this.#probe = [...this.#probe, ...this.#shown([step])]
          this.#events.changed()
        },
      })
      this.#probe = this.#shown(connection.steps)
      if (signal.aborted) {
        this.#ended = connection.close()
        this.#become({ status: 'disconnected' })
        return
      }
      this.#listen(connection)
      this.#become({ status: 'connected', connection })
      // Another run of a server may offer something else.
      if (this.#wasConnected) this.#listsChanged(listKindSchema.options)
      this.#wasConnected = true
    } catch (error) {
      answering.end()
      this.#probe = error instanceof ConnectError ? this.#shown(error.steps) : []
      if (error instanceof ConnectError) this.#ended = error.ended
      if (signal.aborted) this.#become({ status: 'disconnected' })
      else
        this.#become({
          status: 'failed',
          failure: this.#failureOf(error, 'connecting', transport?.evidence()),
        })
    }
  }

  #memoryOf(fingerprint: string): ProbeMemory {
    if (this.#shownBy?.fingerprint !== fingerprint) this.#shownBy = { fingerprint, memory: new ProbeMemory() }
    return this.#shownBy.memory
  }

  #listen(connection: Connection): void {
    connection.onListChanged((kind) => this.#listsChanged([kind]))
    connection.onResourceUpdated((uri) => this.#events.resourceUpdated(uri))
    void connection.closed.then((end) => this.#lost(connection, end))
  }

  #listsChanged(kinds: readonly ListKind[]): void {
    this.inspection.lists.changed(kinds)
    this.#events.listsChanged(kinds)
  }

  #lost(connection: Connection, end: TransportError): void {
    if (this.connection !== connection) return
    this.#ended = connection.close()
    this.#become({ status: 'failed', failure: this.#failureOf(end, 'connected', connection.evidence()) })
  }

  #failureOf(error: unknown, moment: FailureMoment, evidence: TransportEvidence | undefined): Failure {
    return failureOf(error, moment, { masking: this.#masking, ...(evidence !== undefined && { evidence }) })
  }

  #shown(steps: Readonly<Probe>): Probe {
    return steps.map(({ step, outcome }) => ({ step, outcome: this.#masking.text(outcome) }))
  }

  #become(phase: Phase): void {
    this.#phase = phase
    this.inspection.follow(this.connection)
    this.#events.changed()
    this.#events.latencyChanged()
  }
}

/** The same ways, telling of every transport that is made. */
function recording(
  { open, openOlder }: TransportFactory,
  note: (transport: ClientTransport) => void,
): TransportFactory {
  const withRecord =
    (way: Open): Open =>
    async () => {
      const transport = await way()
      note(transport)
      return transport
    }
  return { open: withRecord(open), ...(openOlder !== undefined && { openOlder: withRecord(openOlder) }) }
}

/** Asks again: while its caller waited, that may have changed. */
function isGivenUp(signal: AbortSignal): boolean {
  return signal.aborted
}
