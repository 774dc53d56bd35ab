import type { JsonObject } from '../protocol/json.ts'
import type { Emission } from '../registry/invocation.ts'
import type { Audience } from './audience.ts'
import { DEPRECATED_EMISSIONS } from './deprecated/table.ts'
import { encodeNotification } from './encode.ts'

const NO_META = {}

/**
 * Makes notifications of what a handler sends before its result (specification: Progress): progress only with a
 * token and only when it rises.
 */
export class EmissionFilter {
  readonly #token: string | number | undefined
  readonly #audience: Audience
  readonly #progressMessages: boolean
  readonly #meta: { readonly _meta?: JsonObject }
  #progress = Number.NEGATIVE_INFINITY

  /** `progressMessages`: the revision lets progress carry a message. `meta` goes out with everything. */
  constructor(progressToken: unknown, audience: Audience, progressMessages = true, meta?: JsonObject) {
    this.#progressMessages = progressMessages
    this.#meta = meta === undefined ? NO_META : { _meta: meta }
    this.#token =
      typeof progressToken === 'string' || typeof progressToken === 'number' ? progressToken : undefined
    this.#audience = audience
  }

  /** The bytes to send, or undefined if the client gets nothing of it. */
  encode(emission: Emission): Buffer | undefined {
    if (emission.type === 'progress') return this.#encodeProgress(emission)
    return DEPRECATED_EMISSIONS.get(emission.type)?.(emission, this.#audience, this.#meta)
  }

  #encodeProgress(emission: Extract<Emission, { type: 'progress' }>): Buffer | undefined {
    const { progress, total, message } = emission
    if (this.#token === undefined || !Number.isFinite(progress) || progress <= this.#progress)
      return undefined
    this.#progress = progress
    return encodeNotification('notifications/progress', {
      progressToken: this.#token,
      progress,
      ...(total === undefined || !Number.isFinite(total) ? {} : { total }),
      ...(message === undefined || !this.#progressMessages ? {} : { message }),
      ...this.#meta,
    })
  }
}
