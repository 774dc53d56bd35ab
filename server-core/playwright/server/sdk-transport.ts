import type { ServerLink } from '../../ports/contract.ts'
import type { JsonRpcMessage } from '../../protocol/messages.ts'

/** A link with the members that the official SDKs expect of a transport; they set the `on…` members. */
export class SdkTransport {
  onmessage?: (message: unknown) => void
  onclose?: () => void
  onerror?: (error: Error) => void
  readonly #link: ServerLink

  constructor(link: ServerLink) {
    this.#link = link
  }

  start(): Promise<void> {
    this.#link.start({
      message: (value) => this.onmessage?.(value),
      invalid: (error) => this.onerror?.(error),
      ended: () => undefined,
      closed: () => this.onclose?.(),
    })
    return Promise.resolve()
  }

  send(message: JsonRpcMessage): Promise<void> {
    this.#link.send(message)
    return Promise.resolve()
  }

  close(): Promise<void> {
    return this.#link.close()
  }
}
