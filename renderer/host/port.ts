import { CodedError } from '../../server-core/protocol/coded-error.ts'

/** One open way to the host: carries whole messages, in order, until it closes. */
export interface HostPort {
  post(data: string | Uint8Array): void
  onMessage(listener: (data: string | Uint8Array) => void): void
  /** Called once, when nothing more will come. */
  onClose(listener: () => void): void
  close(): void
}

/** How to get one. */
export interface HostCarrier {
  /**
   * Opens a port and resolves when it carries.
   * @throws HostUnreachableError
   */
  open(): Promise<HostPort>
}

/** The host does not answer, or not this page. */
export class HostUnreachableError extends CodedError<'no-token' | 'refused' | 'lost'> {
  override readonly name = 'HostUnreachableError'
}
