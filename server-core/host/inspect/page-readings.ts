import { randomUUID } from 'node:crypto'
import type { Connection } from '../../client/connection.ts'
import type { Page } from '../../client/listed.ts'
import type { ListName } from '../../protocol/list-kind.ts'
import { HostError } from '../host-error.ts'

/** Readings of one connection that may be gone on with; beyond these the oldest ends. */
const MAX_READINGS = 32

/** A page, and where in the whole list it begins. */
export type PlacedPage = { readonly page: Page; readonly first: number }

type Reading = {
  readonly list: ListName
  readonly pages: AsyncGenerator<Page, void, void>
  /** Entries of the pages that were taken. */
  count: number
}

/** Lists that are read one page at a time, as far as somebody asks; they go with their connection. */
export class PageReadings {
  readonly #readings = new WeakMap<Connection, Map<string, Reading>>()

  /** Begins to read a list. Gives its first page, and the id to go on with if there are more. */
  async begin(connection: Connection, list: ListName): Promise<PlacedPage & { readingId?: string }> {
    const reading: Reading = { list, pages: connection.pages(list, { cache: 'refresh' }), count: 0 }
    const placed = await take(reading)
    if (placed.page.nextCursor === undefined) return placed
    const readings = this.#readings.get(connection) ?? new Map<string, Reading>()
    this.#readings.set(connection, readings)
    const readingId = randomUUID()
    readings.set(readingId, reading)
    for (const [oldest] of readings) {
      if (readings.size <= MAX_READINGS) break
      readings.delete(oldest)
    }
    return { ...placed, readingId }
  }

  /** The next page of a reading. Throws what the client throws, and if the reading is over. */
  async next(connection: Connection, readingId: string): Promise<PlacedPage & { readonly list: ListName }> {
    const readings = this.#readings.get(connection)
    const reading = readings?.get(readingId)
    if (reading === undefined)
      throw new HostError('NOT_FOUND', 'This reading of the list is over: fetch it again')
    try {
      const placed = await take(reading)
      if (placed.page.nextCursor === undefined) readings?.delete(readingId)
      return { ...placed, list: reading.list }
    } catch (error) {
      readings?.delete(readingId)
      throw error
    }
  }
}

async function take(reading: Reading): Promise<PlacedPage> {
  const { done, value: page } = await reading.pages.next()
  if (done === true) throw new HostError('NOT_FOUND', 'The list has no further page: fetch it again')
  const first = page.restarted === true ? 0 : reading.count
  reading.count = first + page.items.length + page.malformed.length
  return { page, first }
}
