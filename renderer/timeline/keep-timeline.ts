import { z } from 'zod'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { isInboxOpen } from '../app/inbox-shown.ts'
import { Persisted } from '../state/persisted.ts'
import { pageNames, shownPage, showPage, type PageName } from '../state/page.ts'
import { following, framesOpen, selectedExchange, timeline } from './selection.ts'
import { findStoredRow } from './stored-row.ts'
import { timelineText } from './text.ts'
import { changeFilter, typedFilter } from './typed-filter.ts'

/** Milliseconds that the rows of earlier runs may take to come. */
const ROWS_MS = 10_000

const PAGES = Object.keys(pageNames) as [PageName, ...PageName[]]

const storedSchema = z.object({
  filter: z.string(),
  follow: z.boolean(),
  /** Following resumes when the frames are closed. */
  resumes: z.boolean(),
  framesOpen: z.boolean(),
  /** The row by what it is: after a restart it has another id. */
  selected: z
    .object({ id: z.string(), serverId: z.string(), method: z.string(), startedAt: z.number() })
    .exactOptional(),
  /** `inbox` while the inbox is open. */
  dock: z.enum(['timeline', 'inbox']),
  page: z.enum(PAGES),
})
type Stored = z.infer<typeof storedSchema>

const stored = new Persisted<Stored>({
  key: 'patchbay.timeline',
  name: timelineText.keepTimeline.timelineState,
  schema: storedSchema,
  maxLength: 100_000,
  part: { name: 'timeline' },
})

/** Brings back the filter, the selected row, following and the page that was shown, and keeps them from now on. */
export function keepTimeline(): void {
  const kept = stored.load()
  if (kept !== undefined) bringBack(kept)
  const save = (): void => stored.saveSoon(stateNow)
  for (const changes of [typedFilter, selectedExchange, framesOpen, following.state, isInboxOpen, shownPage])
    changes.subscribe(save)
}

function stateNow(): Stored {
  const follow = following.state.get()
  const row = rowOf(selectedExchange.get())
  return {
    filter: typedFilter.get().text,
    follow: follow.follow,
    resumes: !follow.follow && follow.resumes,
    framesOpen: framesOpen.get(),
    ...(row !== undefined && {
      selected: { id: row.id, serverId: row.serverId, method: row.method, startedAt: row.startedAt },
    }),
    dock: isInboxOpen.get() ? 'inbox' : 'timeline',
    page: shownPage.get(),
  }
}

function rowOf(id: string | undefined): Exchange | undefined {
  const { rows, tree } = timeline.view.get()
  return id === undefined ? undefined : rows[tree.placeOf(id) ?? -1]
}

function bringBack({ filter, follow, resumes, framesOpen: isOpen, selected, dock, page }: Stored): void {
  if (filter !== '') changeFilter(filter)
  isInboxOpen.set(dock === 'inbox')
  // An address that names a page is newer.
  if (location.hash === '') showPage(page)
  if (!follow) following.state.set({ follow, lastSeen: undefined, resumes })
  if (selected !== undefined) selectWhenThere(selected, isOpen)
}

/** Selects the row once it came, unless the user selects another one before. */
function selectWhenThere(wanted: NonNullable<Stored['selected']>, isOpen: boolean): void {
  const look = (): void => {
    const { rows, tree } = timeline.view.get()
    const row = findStoredRow(wanted, rows, rows[tree.placeOf(wanted.id) ?? -1])
    if (row === undefined) return
    stop()
    selectedExchange.set(row.id)
    framesOpen.set(isOpen)
  }
  const stops = [timeline.view.subscribe(look), selectedExchange.subscribe(() => stop())]
  const timer = setTimeout(() => stop(), ROWS_MS)
  const stop = (): void => {
    clearTimeout(timer)
    for (const each of stops) each()
  }
  look()
}
