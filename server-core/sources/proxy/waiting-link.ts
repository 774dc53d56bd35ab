import type { LinkReceiver, ServerLink } from '../../ports/contract.ts'
import type { EncodedMessage } from '../../ports/encoded-message.ts'

/** A link whose server is still being made: what comes meanwhile is kept in order, and given on once it starts. */
export class WaitingLink implements ServerLink {
  readonly kind: ServerLink['kind']
  readonly closed: Promise<void>
  readonly #link: ServerLink
  #target: LinkReceiver | undefined
  /** The client sends nothing more. */
  hasEnded = false
  #kept: ((receiver: LinkReceiver) => void)[] = []

  /**
   * @param onMessage is called with each message that is kept
   * @param onEnded is called when the client sends nothing more and no server was made for it
   */
  constructor(link: ServerLink, onMessage: (value: unknown) => void, onEnded: () => void) {
    this.kind = link.kind
    this.#link = link
    const gone = Promise.withResolvers<void>()
    this.closed = gone.promise
    link.start({
      message: (value) => {
        this.#give((receiver) => receiver.message(value))
        if (this.#target === undefined) onMessage(value)
      },
      invalid: (error) => {
        this.#give((receiver) => receiver.invalid(error))
      },
      ended: () => {
        this.hasEnded = true
        this.#give((receiver) => receiver.ended())
        if (this.#target === undefined) onEnded()
      },
      closed: () => {
        this.#give((receiver) => receiver.closed())
        gone.resolve()
      },
    })
  }

  start(receiver: LinkReceiver): void {
    this.#target = receiver
    for (const give of this.#kept.splice(0)) give(receiver)
  }

  send(message: Parameters<ServerLink['send']>[0]): void {
    this.#link.send(message)
  }

  sendEncoded(message: EncodedMessage): void {
    this.#link.sendEncoded(message)
  }

  close(): Promise<void> {
    return this.#link.close()
  }

  /** What was kept is for nobody any more. */
  forget(): void {
    this.#kept = []
  }

  #give(give: (receiver: LinkReceiver) => void): void {
    if (this.#target === undefined) this.#kept.push(give)
    else give(this.#target)
  }
}
