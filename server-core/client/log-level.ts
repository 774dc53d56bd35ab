import type { LogLevel } from '../protocol/log-level.ts'
import type { JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'
import type { Era } from '../protocol/revisions.ts'

/**
 * From which severity on the server is asked for log messages: once for a session by `logging/setLevel`, from 2026-07-28
 * on by a member of every request.
 */
export class LogLevelSetting {
  readonly #era: Era
  readonly #send: (method: string, params: JsonObject) => Promise<unknown>
  #level: LogLevel | undefined

  constructor(era: Era, send: (method: string, params: JsonObject) => Promise<unknown>) {
    this.#era = era
    this.#send = send
  }

  get level(): LogLevel | undefined {
    return this.#level
  }

  /** Throws as a request does. From 2026-07-28 on `undefined` asks for no more messages; a session cannot unset it. */
  async set(level: LogLevel | undefined): Promise<void> {
    if (this.#era === 'legacy' && level !== undefined) await this.#send('logging/setLevel', { level })
    this.#level = level
  }

  /** The members that ask for messages with a request of 2026-07-28. */
  meta(level: LogLevel | undefined = this.#level): JsonObject | undefined {
    return level === undefined || this.#era === 'legacy' ? undefined : { [MetaKey.logLevel]: level }
  }

  /** Sets the level again in a new session. */
  async restore(): Promise<{ restored: readonly string[]; lost: readonly string[] }> {
    const level = this.#level
    if (level === undefined) return { restored: [], lost: [] }
    try {
      await this.#send('logging/setLevel', { level })
      return { restored: [`log level ${level}`], lost: [] }
    } catch {
      this.#level = undefined
      return { restored: [], lost: [`log level ${level}`] }
    }
  }
}
