import { connect } from '../../client/connect.ts'
import type { Connection } from '../../client/connection.ts'
import { ConnectError } from '../../client/errors.ts'
import type { Masking } from '../../traffic/redaction.ts'
import type { ClientTransport, TransportError, TransportEvidence } from '../../transports/contract.ts'
import type { Failure, ServerState } from '../contract/servers.ts'
import { ResourceWatches } from '../inspect/resource-watches.ts'
import { failureOf } from './failure.ts'
import type { FailureMoment } from './failure-words.ts'

export type Identity = { readonly name: string; readonly title: string; readonly version: string }

/** What a live server tells the room about. */
export type LiveEvents = {
  changed(): void
  listsChanged(): void
  resourceUpdated(uri: string): void
}

type Phase =
  | { readonly status: 'disconnected' }
  | { readonly status: 'connecting'; readonly abort: AbortController; readonly done: Promise<void> }
  | { readonly status: 'connected'; readonly connection: Connection }
  | { readonly status: 'failed'; readonly failure: Failure }

type Probe = ServerState['probe']

/**
 * The connection to one server and what is known of it: at most one at a time. A connection that ends by itself
 * leaves its cause behind; what the peer said about itself stays until the next connection.
 */
export class LiveServer {
  /** Resources whose changes pages want to hear of, over every connection. */
  readonly resourceWatches = new ResourceWatches()
  readonly #events: LiveEvents
  readonly #identity: Identity
  readonly #masking: Masking
  #phase: Phase = { status: 'disconnected' }
  #probe: Probe = []
  #latencyMs: number | undefined

  /** @param masking takes stored secrets out of what the server says when it fails */
  constructor(identity: Identity, masking: Masking, events: LiveEvents) {
    this.#identity = identity
    this.#masking = masking
    this.#events = events
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
    if (phase.status !== 'connected') return { status: phase.status, probe }
    const { connection } = phase
    const { pid } = connection.evidence()
    return {
      status: phase.status,
      probe,
      revision: connection.revision,
      ...(connection.serverInfo !== undefined && { serverInfo: connection.serverInfo }),
      capabilities: connection.capabilities,
      ...(connection.instructions !== undefined && { instructions: connection.instructions }),
      ...(pid !== undefined && { pid }),
      ...(this.#latencyMs !== undefined && { latencyMs: this.#latencyMs }),
    }
  }

  /** Notes the round trip of a request that was answered. */
  answered(latencyMs: number): void {
    this.#latencyMs = latencyMs
    this.#events.changed()
  }

  /**
   * Connects, unless it is connected or at it. Resolves when it is connected or has failed; never throws for a
   * failure of the server, which becomes part of the facts.
   */
  async connect(open: () => ClientTransport): Promise<void> {
    if (this.#phase.status === 'connected') return
    if (this.#phase.status === 'connecting') return this.#phase.done
    const abort = new AbortController()
    const done = this.#connect(open, abort)
    this.#become({ status: 'connecting', abort, done })
    await done
  }

  /** Ends the connection, or the attempt to make one. Resolves when nothing of it is left. */
  async disconnect(): Promise<void> {
    const phase = this.#phase
    if (phase.status === 'connecting') {
      phase.abort.abort()
      await phase.done
      return this.disconnect()
    }
    if (phase.status === 'connected') {
      this.#become({ status: 'disconnected' })
      await phase.connection.close()
    } else if (phase.status === 'failed') this.#become({ status: 'disconnected' })
  }

  async #connect(open: () => ClientTransport, abort: AbortController): Promise<void> {
    // The phase is set by the caller before anything happens here.
    await Promise.resolve()
    this.#latencyMs = undefined
    this.#probe = []
    let transport: ClientTransport | undefined
    try {
      const connection = await connect({
        open: () => (transport = open()),
        identity: this.#identity,
        signal: abort.signal,
      })
      this.#probe = this.#shown(connection.steps)
      if (abort.signal.aborted) {
        await connection.close()
        this.#become({ status: 'disconnected' })
        return
      }
      this.#listen(connection)
      this.#become({ status: 'connected', connection })
    } catch (error) {
      this.#probe = error instanceof ConnectError ? this.#shown(error.steps) : []
      if (abort.signal.aborted) this.#become({ status: 'disconnected' })
      else
        this.#become({
          status: 'failed',
          failure: this.#failureOf(error, 'connecting', transport?.evidence()),
        })
    }
  }

  #listen(connection: Connection): void {
    connection.onListChanged(() => this.#events.listsChanged())
    connection.onResourceUpdated((uri) => this.#events.resourceUpdated(uri))
    void connection.closed.then((end) => this.#lost(connection, end))
  }

  #lost(connection: Connection, end: TransportError): void {
    if (this.#phase.status !== 'connected' || this.#phase.connection !== connection) return
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
    this.resourceWatches.follow(this.connection)
    this.#events.changed()
  }
}
