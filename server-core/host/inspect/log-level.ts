import type { Connection } from '../../client/connection.ts'
import { isJsonObject } from '../../protocol/json.ts'
import type { LogLevel } from '../../protocol/log-level.ts'
import { HostError } from '../host-error.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** The least severity of log messages that a server sends (specification: Logging), over all its connections. */
export class ChosenLogLevel {
  readonly #changed: () => void
  #level: LogLevel | undefined
  #connection: Connection | undefined

  constructor(changed: () => void) {
    this.#changed = changed
  }

  get level(): LogLevel | undefined {
    return this.#level
  }

  /** Sends the level that was chosen on an earlier connection. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    if (connection === undefined || this.#level === undefined) return
    if (!isJsonObject(connection.capabilities['logging'])) return
    // A refusal is on the timeline; the connection is of use all the same.
    void connection.setLogLevel(this.#level).catch(() => undefined)
  }

  /** @throws HostError `NOT_CONNECTED`, or `REFUSED` with the server's words */
  async choose(level: LogLevel): Promise<void> {
    if (this.#connection === undefined)
      throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
    try {
      await this.#connection.setLogLevel(level)
    } catch (cause) {
      const reason = messageOf(cause)
      throw new HostError('REFUSED', `The server did not take the level ${level}: ${reason}`, { cause })
    }
    this.#level = level
    this.#changed()
  }
}
