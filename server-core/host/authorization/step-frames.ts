import type { OAuthStep, StepRequest, StepResponse } from '../../oauth/steps.ts'
import type { Tap } from '../../ports/tap.ts'

/** Steps that send no request of their own: the user's browser sends it, or it comes to us. */
const NOT_SENT: ReadonlySet<OAuthStep['kind']> = new Set(['authorization-request', 'callback'])

type Shown = {
  readonly exchange: number
  readonly request: StepRequest
  readonly response: StepResponse | undefined
  readonly isOver: boolean
}

/** Shows the requests of an authorization to a tap. Steps carry no secrets, so neither do the frames. */
export class StepFrames {
  readonly #tap: Tap
  readonly #shown = new Map<string, Shown>()
  #exchanges = 0

  constructor(tap: Tap) {
    this.#tap = tap
  }

  /** Shows what is new in a step. */
  note(step: OAuthStep): void {
    const { request, response } = step
    if (request === undefined || step.state === 'waiting' || NOT_SENT.has(step.kind)) return
    let shown = this.#shown.get(step.id)
    if (shown?.request !== request) {
      shown = { exchange: (this.#exchanges += 1), request, response: undefined, isOver: false }
      this.#record('sent', shown, request.headers, request.body)
    }
    if (response !== undefined && shown.response !== response) {
      shown = { ...shown, response, isOver: true }
      this.#record('received', shown, response.headers, response.body)
    } else if (step.state === 'failed' && !shown.isOver) {
      shown = { ...shown, isOver: true }
      this.#record('received', shown, {}, step.decision)
    }
    if (step.state === 'running') this.#shown.set(step.id, shown)
    else this.#shown.delete(step.id)
  }

  #record(
    direction: 'sent' | 'received',
    { exchange, request, response }: Shown,
    headers: Readonly<Record<string, string>>,
    body: string | undefined,
  ): void {
    const { method, url } = request
    const status = direction === 'received' && response !== undefined ? { status: response.status } : {}
    this.#tap.record({
      kind: 'http',
      direction,
      bytes: Buffer.from(body ?? ''),
      http: { exchange, method, url, headers, ...status },
    })
  }
}
