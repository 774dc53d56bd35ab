import { SerialQueue } from '../protocol/serial-queue.ts'
import type { ComposedRegistry, Source } from '../sources/compose.ts'
import type { Configured } from '../sources/configurer.ts'
import type { ConfigData } from '../scripts/config-data.ts'
import type { LiveFault } from './live-state.ts'
import { messageOf } from '../protocol/error-message.ts'

export type ConfiguredParts = {
  /** Makes the sources that a configuration names; without it there are none. */
  readonly configure: ((config: ConfigData) => Promise<Configured>) | undefined
  readonly composed: ComposedRegistry
  /** Puts around a source what is the workspace's own. */
  readonly own: (source: Source) => Source
  /** Called with all present faults of the sources. */
  readonly onFaults: (faults: readonly LiveFault[]) => void
}

/** The sources that the configuration of a workspace names, in its registry. */
export class ConfiguredSources {
  readonly #parts: ConfiguredParts
  #current: Configured | undefined
  readonly #turns = new SerialQueue()
  #closed = false

  constructor(parts: ConfiguredParts) {
    this.#parts = parts
  }

  /** Puts what is named now in place of what was named before, one configuration after the other. */
  set(config: ConfigData): void {
    const { configure, onFaults } = this.#parts
    if (configure === undefined) return
    // One that could not be taken, or let go of, says so and does not keep the next from coming.
    this.#turns
      .run(() => this.#take(configure, config))
      .catch((error: unknown) => {
        onFaults(faultsOf(error))
      })
  }

  /** Resolves when what was set is served, or known to be broken. */
  settled(): Promise<void> {
    return this.#turns.idle()
  }

  /** No other configuration is taken. To be called before `close`, as soon as the workspace begins to close. */
  end(): void {
    this.#closed = true
  }

  /** Lets go of what is named. */
  async close(): Promise<void> {
    this.end()
    await this.#turns.idle()
    await this.#current?.close()
  }

  async #take(configure: NonNullable<ConfiguredParts['configure']>, config: ConfigData): Promise<void> {
    if (this.#closed) return
    const { composed, own, onFaults } = this.#parts
    const before = this.#current
    const next = await configure(config).catch((error: unknown): Configured => {
      const faults = () => faultsOf(error)
      return { sources: [], faults, onFaults: () => () => undefined, close: () => Promise.resolve() }
    })
    this.#current = next
    const ids = new Set(next.sources.map(({ id }) => id))
    composed.batch(() => {
      for (const { id } of before?.sources ?? []) if (!ids.has(id)) composed.remove(id)
      for (const source of next.sources) composed.replace(own(source))
    })
    onFaults(next.faults())
    next.onFaults(() => {
      onFaults(next.faults())
    })
    await before?.close()
  }
}

function faultsOf(error: unknown): LiveFault[] {
  return [{ code: 'config', message: messageOf(error) }]
}
