import type { Masking } from '../../capture/redaction.ts'
import type { TransportEvidence } from '../../ports/contract.ts'
import { visibleText } from '../../protocol/visible-text.ts'
import type { ServerState } from '../contract/servers.ts'

/** Milliseconds after which somebody who waits wants to know for what. */
const LONG_MS = 2_000
const POLL_MS = 250

type Said = NonNullable<ServerState['waiting']>

type WaitingOptions = {
  /** What the transport knows of the other side now. */
  readonly evidence: () => TransportEvidence | undefined
  /** Masks stored secrets in what the server sent. */
  readonly masking: Masking
  readonly changed: () => void
}

/**
 * Watches a connection while it is being made. A server may rightly take a minute for its first answer, and one that
 * will never answer takes as long to fail: until then this reports what it has said instead.
 */
export class Waiting {
  readonly #options: WaitingOptions
  readonly #since = Date.now()
  readonly #timer: NodeJS.Timeout
  #said: Said | undefined

  constructor(options: WaitingOptions) {
    this.#options = options
    this.#timer = setInterval(() => this.#look(), POLL_MS)
    this.#timer.unref()
  }

  /** Undefined while there is nothing to tell yet. */
  get said(): Said | undefined {
    return this.#said
  }

  end(): void {
    clearInterval(this.#timer)
  }

  #look(): void {
    const { evidence, masking, changed } = this.#options
    const { stderr, strayOutput } = evidence() ?? {}
    if (strayOutput === undefined && Date.now() - this.#since < LONG_MS) return
    const shown = (text: string): string => visibleText(masking.text(text))
    const said: Said = {
      since: this.#since,
      ...(stderr !== undefined && stderr !== '' && { stderr: shown(stderr) }),
      ...(strayOutput !== undefined && { strayOutput: shown(strayOutput) }),
    }
    if (
      this.#said?.stderr === said.stderr &&
      this.#said?.strayOutput === said.strayOutput &&
      this.#said !== undefined
    )
      return
    this.#said = said
    changed()
  }
}
