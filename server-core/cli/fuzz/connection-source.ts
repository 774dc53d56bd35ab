import type { Connection } from '../../client/connect.ts'
import type { ConnectionSource } from '../../fuzz/fuzz-tool.ts'
import type { ClientSettings } from '../connection/client-flags.ts'
import { openConnection, type OpenConnection } from '../connection/open-connection.ts'

/** Connections to one server, one after the other, each with a process of its own where a command is started. */
export class CommandConnections implements ConnectionSource {
  readonly #settings: ClientSettings
  readonly #signal: AbortSignal
  #open: OpenConnection | undefined

  constructor(settings: ClientSettings, signal: AbortSignal) {
    this.#settings = settings
    this.#signal = signal
  }

  async connection(): Promise<Connection> {
    this.#open ??= await openConnection(this.#settings, this.#signal)
    return this.#open.connection
  }

  async drop(): Promise<void> {
    const open = this.#open
    this.#open = undefined
    await open?.close()
  }
}
