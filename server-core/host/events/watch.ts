import type { Batch } from '../contract/events.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import { LIVE_PARTS, type LivePart, type LiveState } from '../contract/live-parts.ts'
import type { ScriptLog } from '../contract/registry.ts'
import type { ShownRow } from '../../capture/exchange.ts'
import type { Exchange } from '../contract/traffic.ts'
import type { HostChange, PresentState } from './host-change.ts'

/** Milliseconds between two batches: a page draws no more often. */
const FRAME_MS = 16
/** Rows in one batch. */
const ROWS = 1_000
/** Updated resources and progress kept for a page that does not acknowledge. */
const KEPT = 1_000

/**
 * One page's view of what changes. Changes are merged by what they are about, so that a page that is slow or
 * never acknowledges costs no more memory than the state itself. `batches` gives a batch at most every 16 ms, and
 * the next one only after the last was acknowledged.
 */
export class Watch {
  readonly #present: () => PresentState
  #seq = 0
  #acknowledged = 0
  #sentAt = -Infinity
  #wake = Promise.withResolvers<void>()
  #ended = false
  /** Parts of which the page does not have the newest state. */
  #parts = new Set<LivePart>(LIVE_PARTS)
  #activates = false
  #cleared = true
  #scriptLog: ScriptLog | undefined
  /** Entries of the registry that were called; undefined if no client did anything. */
  #called: Set<string> | undefined
  readonly #listsChanged = new Map<string, Set<ListKind>>()
  readonly #resources = new Map<string, { serverId: string; uri: string }>()
  readonly #progress = new Map<string, NonNullable<Batch['progress']>[number]>()
  /** Rows that the page was not sent in their newest state, in order. They are read when they are sent. */
  readonly #rows = new Set<ShownRow>()
  #removed = new Set<string>()
  #forgetAt = KEPT

  constructor(present: () => PresentState) {
    this.#present = present
    for (const row of present().rows()) this.#rows.add(row)
  }

  /** Merges a change into the next batch for this page. */
  publish(change: HostChange): void {
    switch (change.type) {
      case 'part':
        this.#parts.add(change.part)
        break
      case 'activate':
        this.#activates = true
        break
      case 'registry-activity':
        this.#called = new Set([...(this.#called ?? []), ...change.keys])
        break
      case 'script-log':
        this.#scriptLog = joined(this.#scriptLog, change.log)
        break
      case 'lists':
        this.#publishLists(change.serverId, change.kinds)
        break
      case 'resource':
        this.#publishResource(change.serverId, change.uri)
        break
      case 'progress':
        this.#progress.delete(change.progress.callId)
        this.#progress.set(change.progress.callId, change.progress)
        dropFirst(this.#progress)
        break
      case 'traffic':
        this.#publishTraffic(change)
    }
    this.#wake.resolve()
  }

  /** The page has taken in the batch of that number. Gives false if it is not a batch of this watch. */
  acknowledge(seq: number): boolean {
    if (seq > this.#seq || seq < this.#acknowledged) return false
    this.#acknowledged = seq
    this.#wake.resolve()
    return true
  }

  /** Ends `batches`. */
  end(): void {
    this.#ended = true
    this.#wake.resolve()
  }

  /** The batches, until the signal aborts or the watch is ended. */
  async *batches(signal: AbortSignal | undefined): AsyncGenerator<Batch, void, void> {
    const end = (): void => this.end()
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted === true) this.end()
    try {
      while (await this.#ready()) yield this.#take()
    } finally {
      signal?.removeEventListener('abort', end)
    }
  }

  /** Waits until there is a batch and it may be sent. Returns false when the watch has ended. */
  async #ready(): Promise<boolean> {
    while (!this.#ended) {
      if (this.#acknowledged === this.#seq && this.#hasNews()) {
        const wait = this.#sentAt + FRAME_MS - performance.now()
        if (wait <= 0) return true
        await new Promise((resolve) => setTimeout(resolve, wait))
      } else {
        await this.#wake.promise
        this.#wake = Promise.withResolvers()
      }
    }
    return false
  }

  #hasNews(): boolean {
    return (
      this.#cleared ||
      this.#activates ||
      this.#parts.size + this.#listsChanged.size + this.#resources.size + this.#progress.size > 0 ||
      this.#rows.size + this.#removed.size > 0 ||
      this.#scriptLog !== undefined ||
      this.#called !== undefined
    )
  }

  #take(): Batch {
    const present = this.#present()
    const parts = this.#parts
    this.#parts = new Set()
    const exchanges = this.#takeRows()
    const batch: Batch = {
      seq: (this.#seq += 1),
      ...(this.#cleared && { cleared: true }),
      ...(this.#removed.size > 0 && { removed: [...this.#removed] }),
      ...(exchanges.length > 0 && { exchanges }),
      ...stateOf(present, parts),
      // The whole state of the registry has its counts, too.
      ...(!parts.has('registry') &&
        this.#called !== undefined && { registryActivity: present.registryActivity([...this.#called]) }),
      ...(this.#scriptLog !== undefined && { scriptLog: this.#scriptLog }),
      ...(this.#activates && { activate: true }),
      ...(this.#listsChanged.size > 0 && {
        listsChanged: Array.from(this.#listsChanged, ([serverId, kinds]) => ({
          serverId,
          kinds: [...kinds],
        })),
      }),
      ...(this.#resources.size > 0 && { resourcesUpdated: [...this.#resources.values()] }),
      ...(this.#progress.size > 0 && { progress: [...this.#progress.values()] }),
    }
    this.#cleared = false
    this.#activates = false
    this.#removed = new Set()
    this.#scriptLog = undefined
    this.#called = undefined
    this.#listsChanged.clear()
    this.#resources.clear()
    this.#progress.clear()
    this.#sentAt = performance.now()
    return batch
  }

  /** The oldest pending rows, as many as one batch carries. */
  #takeRows(): Exchange[] {
    const rows: Exchange[] = []
    for (const row of this.#rows) {
      if (rows.length === ROWS) break
      this.#rows.delete(row)
      if (!row.isDropped) rows.push(row.read())
    }
    return rows
  }

  #publishTraffic(change: Extract<HostChange, { type: 'traffic' }>): void {
    if (change.cleared) {
      this.#cleared = true
      this.#rows.clear()
      this.#removed = new Set()
    }
    if (!this.#cleared) for (const id of change.removed) this.#removed.add(id)
    // A row that changes keeps its place, so that rows reach the page in the order in which they started.
    for (const row of change.rows) this.#rows.add(row)
    this.#forgetDropped()
    this.#parts.add('counts')
  }

  /** Frees pending rows that are no longer stored, for a page that is slow or never acknowledges. */
  #forgetDropped(): void {
    if (this.#rows.size < this.#forgetAt) return
    for (const row of this.#rows) if (row.isDropped) this.#rows.delete(row)
    this.#forgetAt = this.#rows.size * 2 + KEPT
  }

  #publishResource(serverId: string, uri: string): void {
    if (this.#resources.size < KEPT) this.#resources.set(JSON.stringify([serverId, uri]), { serverId, uri })
    // Too many to name one by one: the page fetches the server's things again.
    else this.#publishLists(serverId, ['resources'])
  }

  #publishLists(serverId: string, kinds: readonly ListKind[]): void {
    this.#listsChanged.set(serverId, new Set([...(this.#listsChanged.get(serverId) ?? []), ...kinds]))
  }
}

/** Reads the present state of some parts. */
function stateOf(present: PresentState, parts: ReadonlySet<LivePart>): Partial<LiveState> {
  return Object.fromEntries(Array.from(parts, (part) => [part, present[part]()]))
}

/** The newest lines of both; those of an earlier generation of the workspace are left out. */
function joined(before: ScriptLog | undefined, now: ScriptLog): ScriptLog {
  if (before?.generation !== now.generation) return now
  return { ...now, lines: [...before.lines, ...now.lines].slice(-KEPT) }
}

function dropFirst(map: Map<string, unknown>): void {
  if (map.size <= KEPT) return
  for (const first of map.keys()) {
    map.delete(first)
    return
  }
}
