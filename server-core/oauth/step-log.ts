import { CodedError } from '../protocol/coded-error.ts'
import type { AuthorityFetch } from './authority-fetch.ts'
import type { FlowState } from './flow-state.ts'
import type { StepFetch } from './grant.ts'
import { OAuthError } from './oauth-error.ts'
import { SecretMask } from './secret-mask.ts'
import type { Gate, OAuthStep, OAuthStepKind, StepRequest } from './steps.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Steps that can be repeated; older ones are forgotten. */
const KEPT_STATES = 200

export type StepLogOptions = {
  readonly network: AuthorityFetch
  /** Gets each step when it begins, when it waits, and when it is over. */
  readonly onStep?: ((step: OAuthStep) => void) | undefined
  readonly gate?: Gate | undefined
  readonly onSecret?: ((secret: string) => void) | undefined
}

/** The gate asked for an earlier step to be done again. */
export class RepeatStep extends CodedError<'repeat-step'> {
  override readonly name = 'RepeatStep'
  readonly stepId: string

  constructor(stepId: string) {
    super('repeat-step', `step ${stepId} is to be repeated`)
    this.stepId = stepId
  }
}

/** Changes a step and publishes it. */
type Change = (part: Partial<OAuthStep>) => OAuthStep

export type Outcome<T> = { readonly decision: string; readonly value: T }

/**
 * The steps of the authorizations at one server: numbers and records them, masks secrets, pauses them at the gate,
 * and remembers for each the state of the authorization before it.
 */
export class StepLog {
  readonly mask: SecretMask
  readonly #options: StepLogOptions
  readonly #states = new Map<string, FlowState>()
  #current: FlowState | undefined
  #count = 0

  constructor(options: StepLogOptions) {
    this.#options = options
    this.mask = new SecretMask(options.onSecret)
  }

  /** Steps from now on belong to this state. */
  at(state: FlowState): void {
    this.#current = state
  }

  /** The state of the authorization before a step. */
  stateBefore(stepId: string): FlowState | undefined {
    return this.#states.get(stepId)
  }

  /** Records a decision that needs no request. */
  note(kind: OAuthStepKind, decision: string, why: string): void {
    this.#publish({ ...this.#begin(kind, why), state: 'done', decision: this.mask.text(decision) })
  }

  /** Records that something came to nothing before anything was sent. */
  recordFailure(kind: OAuthStepKind, decision: string, why: string): void {
    this.#publish({ ...this.#begin(kind, why), state: 'failed', decision: this.mask.text(decision) })
  }

  /** Runs a step that sends one request (or one and its repetition), and gives what `work` makes of the reply. */
  async exchange<T>(
    kind: OAuthStepKind,
    why: string,
    signal: AbortSignal,
    work: (fetch: StepFetch) => Promise<Outcome<T>>,
  ): Promise<T> {
    return this.#run(kind, why, (change) =>
      work(async (url, init) => {
        const request = await this.#released(change, requestOf(url, init))
        change({ state: 'running' })
        return this.#send(change, request, signal)
      }),
    )
  }

  /** Runs a step that leads the user's browser to a URL. */
  async lead<T>(
    kind: OAuthStepKind,
    why: string,
    url: string,
    work: (url: string) => Promise<Outcome<T>>,
  ): Promise<T> {
    return this.#run(kind, why, async (change) => {
      const { url: released } = await this.#released(change, { method: 'GET', url, headers: {} })
      change({ state: 'running' })
      return work(released)
    })
  }

  /** Runs a step that waits for something to arrive; `arrived` is recorded as the request it came with. */
  async receive<T>(
    kind: OAuthStepKind,
    why: string,
    wait: (arrived: (url: string) => void) => Promise<Outcome<T>>,
  ): Promise<T> {
    return this.#run(kind, why, (change) =>
      wait((url) => change({ request: this.mask.request({ method: 'GET', url, headers: {} }).shown })),
    )
  }

  async #run<T>(kind: OAuthStepKind, why: string, work: (change: Change) => Promise<Outcome<T>>): Promise<T> {
    let step: OAuthStep = { ...this.#begin(kind, why), state: 'running' }
    let sentAt = performance.now()
    const change: Change = (part) => {
      if (part.state === 'running') sentAt = performance.now()
      step = { ...step, ...part }
      this.#publish(step)
      return step
    }
    const over = (part: Pick<OAuthStep, 'state' | 'decision'>): OAuthStep =>
      change({ ...part, durationMs: Math.round(performance.now() - sentAt) })
    change({})
    try {
      const { decision, value } = await work(change)
      over({ state: 'done', decision: this.mask.text(decision) })
      return value
    } catch (error) {
      const said = error instanceof RepeatStep ? 'Left, to repeat an earlier step.' : messageOf(error)
      over({ state: 'failed', decision: this.mask.text(said) })
      throw error
    }
  }

  /** Holds a request at the gate, if there is one, and gives what is to be sent. */
  async #released(change: Change, request: StepRequest): Promise<StepRequest> {
    const { shown, restore } = this.mask.request(request)
    const { gate } = this.#options
    if (gate === undefined) {
      change({ request: shown })
      return request
    }
    const answer = await gate(change({ request: shown, state: 'waiting' }))
    switch (answer.action) {
      case 'stop':
        throw new OAuthError('stopped', 'The authorization was stopped before this request.')
      case 'repeat':
        throw new RepeatStep(answer.stepId)
      case 'continue': {
        if (answer.request === undefined || sameRequest(answer.request, shown)) return request
        change({ request: answer.request, edited: true })
        return restore(answer.request)
      }
    }
  }

  async #send(change: Change, request: StepRequest, signal: AbortSignal): Promise<Response> {
    const { method, url, headers, body } = request
    let reply
    try {
      reply = await this.#options.network(url, {
        method,
        headers,
        ...(body === undefined ? {} : { body }),
        signal,
      })
    } catch (cause) {
      if (signal.aborted) throw new OAuthError('stopped', 'The authorization was stopped.', { cause })
      const said = messageOf(cause)
      throw new OAuthError('network', `${originOf(url)} could not be asked: ${said}`, { cause })
    }
    const text = Buffer.from(reply.body).toString()
    change({ response: this.mask.response(reply.status, reply.headers, text) })
    const bodiless = reply.status === 204 || reply.status === 205 || reply.status === 304
    return new Response(bodiless ? null : text, { status: reply.status, headers: { ...reply.headers } })
  }

  #begin(kind: OAuthStepKind, why: string): Omit<OAuthStep, 'state'> {
    this.#count += 1
    const id = `s${this.#count}`
    if (this.#current !== undefined) this.#states.set(id, this.#current)
    const [oldest] = this.#states.keys()
    if (oldest !== undefined && this.#states.size > KEPT_STATES) this.#states.delete(oldest)
    return { id, at: Date.now(), kind, decision: '', why: this.mask.text(why) }
  }

  #publish(step: OAuthStep): void {
    this.#options.onStep?.(step)
  }
}

function requestOf(url: string, init: Parameters<StepFetch>[1]): StepRequest {
  const { method, headers, body } = init
  return {
    method: method === 'POST' ? 'POST' : 'GET',
    url,
    headers,
    ...(body === undefined || body === null ? {} : { body: String(body) }),
  }
}

function sameRequest(one: StepRequest, other: StepRequest): boolean {
  return (
    one.method === other.method &&
    one.url === other.url &&
    one.body === other.body &&
    JSON.stringify(one.headers) === JSON.stringify(other.headers)
  )
}

function originOf(url: string): string {
  return URL.parse(url)?.origin ?? 'The address'
}
