import { z } from 'zod'
import type { TokenLedger } from '../../responders/models/token-budget.ts'
import { DocumentFile, type OnSetAside } from '../../workspace/document-file.ts'

/** Days that are kept. */
const DAYS = 7

const tokensSchema = z.looseObject({
  /** By day (UTC), then by server. */
  days: z.record(z.string(), z.record(z.string(), z.number())).default({}),
})
type Tokens = z.infer<typeof tokensSchema>

/** What models used up, kept over restarts so that a day's budget holds for the day. To be loaded before it is asked. */
export class TokenFile implements TokenLedger {
  readonly #document: DocumentFile<Tokens>
  #days: Tokens['days'] = {}

  constructor(file: string, onSetAside: OnSetAside) {
    this.#document = new DocumentFile({
      file,
      version: 1,
      schema: tokensSchema,
      empty: () => ({ days: {} }),
      onSetAside,
    })
  }

  async load(): Promise<void> {
    this.#days = (await this.#document.read()).days
  }

  used(day: string, serverId: string): number {
    const servers = Object.hasOwn(this.#days, day) ? this.#days[day] : undefined
    return servers !== undefined && Object.hasOwn(servers, serverId) ? (servers[serverId] ?? 0) : 0
  }

  async add(day: string, serverId: string, tokens: number): Promise<void> {
    const added = (days: Tokens['days']): Tokens['days'] => {
      const servers = days[day] ?? {}
      const all = { ...days, [day]: { ...servers, [serverId]: (servers[serverId] ?? 0) + tokens } }
      return Object.fromEntries(
        Object.entries(all)
          .sort(([a], [b]) => (a < b ? -1 : 1))
          .slice(-DAYS),
      )
    }
    // Counted at once: the next answer may be asked for before this is on the disk.
    this.#days = added(this.#days)
    const { days } = await this.#document.update((current) => ({ ...current, days: added(current.days) }))
    this.#days = days
  }
}
