import type { Connection } from '../../client/connection.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import type { LogLevel } from '../contract/inspection.ts'
import { HostError } from '../host-error.ts'

/**
 * The severity from which on a server shall send log messages (specification: Logging). Sessions of the legacy
 * revisions are told once each, by `logging/setLevel`; from 2026-07-28 on each request carries it.
 */
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

  /** A new connection is told what was chosen on an earlier one. */
  follow(connection: Connection | undefined): void {
    if (connection === this.#connection) return
    this.#connection = connection
    if (connection === undefined || this.#level === undefined || !offersLogging(connection)) return
    // A refusal stands on the timeline; the connection is of use all the same.
    void tell(connection, this.#level).catch(() => undefined)
  }

  /** @throws HostError `NOT_CONNECTED`, or `REFUSED` with the server's words */
  async choose(level: LogLevel): Promise<void> {
    const connection = this.#connection
    if (connection === undefined)
      throw new HostError('NOT_CONNECTED', 'There is no open connection to this server. Connect it first.')
    try {
      await tell(connection, level)
    } catch (cause) {
      const reason = cause instanceof Error ? cause.message : String(cause)
      throw new HostError('REFUSED', `The server did not take the level ${level}: ${reason}`, { cause })
    }
    this.#level = level
    this.#changed()
  }

  /** The parameters of a request with the level in their `_meta`, where the revision wants it there. */
  described(connection: Connection, params: JsonObject): JsonObject {
    if (this.#level === undefined || connection.era === 'legacy' || !offersLogging(connection)) return params
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    return { ...params, _meta: { [MetaKey.logLevel]: this.#level, ...meta } }
  }
}

function offersLogging({ capabilities }: Connection): boolean {
  return isJsonObject(capabilities['logging'])
}

async function tell(connection: Connection, level: LogLevel): Promise<void> {
  if (connection.era === 'legacy') await connection.request('logging/setLevel', { level })
}
