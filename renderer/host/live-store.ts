import type { Batch } from '../../server-core/host/contract/events.ts'
import type { LivePart, LiveState } from '../../server-core/host/contract/live-parts.ts'
import type {
  RegistryActivity,
  RegistryState,
  ScriptLog,
  ScriptLogLine,
} from '../../server-core/host/contract/registry.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import { Observable } from '../state/observable.ts'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { ExchangeRows, type Exchanges } from './exchange-rows.ts'

export type Progress = NonNullable<Batch['progress']>[number]

/** Progress of calls that ended long ago is not kept. */
const progressLimit = 200
/** Lines of the script log that the page keeps. */
const scriptLogLimit = 5_000

/** Returns the new state, with unchanged parts of it as the same objects, so that their readers do not render. */
function shared<State>(before: State, now: State): State {
  return replaceEqualDeep(before, now)
}

/** What each part is before the first batch. */
const INITIAL = {
  servers: [],
  counts: { frames: 0, bytes: 0, dropped: 0 },
  notices: [],
  embedded: undefined,
  inspections: [],
  latencies: [],
  tasks: [],
  inbox: [],
  authorizations: [],
  registry: undefined,
  faults: undefined,
  mocks: undefined,
  taps: undefined,
  conformance: undefined,
} as const satisfies { readonly [Part in LivePart]: LiveState[Part] | undefined }

/** Their names; the table of the contract would bring its schemas into the page. */
const LIVE_PARTS = Object.keys(INITIAL) as LivePart[]

type PartState<Part extends LivePart> = (typeof INITIAL)[Part] extends undefined
  ? Readonly<LiveState[Part]> | undefined
  : Readonly<LiveState[Part]>
type Parts = { readonly [Part in LivePart]: Observable<PartState<Part>> }

/** The newest state of everything that the host streams. */
export class LiveStore {
  /** The live parts, each observed by itself. */
  readonly parts = Object.fromEntries(
    LIVE_PARTS.map((part) => [part, new Observable<unknown>(INITIAL[part])]),
  ) as unknown as Parts
  readonly exchanges = new Observable<Exchanges>(new ExchangeRows().snapshot)
  readonly progress = new Observable<ReadonlyMap<string, Progress>>(new Map())
  /** The newest lines of the workspace that came since the watch began. */
  readonly scriptLog = new Observable<readonly ScriptLogLine[]>([])
  /** False until the first batch came. */
  readonly ready = new Observable(false)
  #rows = new ExchangeRows()
  #isFirst = true

  /** Forgets what an earlier watch said: the next batch is the whole present state. */
  begin(): void {
    this.#rows = new ExchangeRows()
    this.#isFirst = true
  }

  apply(batch: Batch): void {
    // The lines of a host that was lost are numbered apart from those that come now.
    if (this.#isFirst) this.#forgetLog()
    for (const part of LIVE_PARTS) this.#applyPart(part, batch)
    if (batch.registryActivity !== undefined) this.#applyActivity(batch.registryActivity)
    if (batch.scriptLog !== undefined) this.#applyLog(batch.scriptLog)
    if (batch.progress !== undefined) this.#applyProgress(batch.progress)
    if (
      this.#isFirst ||
      batch.cleared === true ||
      batch.removed !== undefined ||
      batch.exchanges !== undefined
    ) {
      this.#rows.apply(batch)
      this.exchanges.set(this.#rows.snapshot)
    }
    this.#isFirst = false
    this.ready.set(true)
  }

  /** Adds rows that are older than all others. */
  addOlder(rows: readonly Exchange[]): void {
    this.#rows.prepend(rows)
    this.exchanges.set(this.#rows.snapshot)
  }

  #applyPart(part: LivePart, batch: Batch): void {
    const now: unknown = batch[part]
    if (now === undefined) return
    if (part === 'registry') {
      if (batch.registry !== undefined) this.#setRegistry(batch.registry)
      return
    }
    const observable = this.parts[part] as Observable<unknown>
    observable.set(shared(observable.get(), now))
  }

  /** Applies the state that the reply to an action has, unless another workspace was opened since. */
  applyRegistry(state: RegistryState): void {
    const shown = this.parts.registry.get()?.workspace.generation ?? 0
    if (state.workspace.generation >= shown) this.#setRegistry(state)
  }

  #setRegistry(state: RegistryState): void {
    const before = this.parts.registry.get()?.workspace.generation
    if (before !== undefined && before !== state.workspace.generation) this.#forgetLog()
    // Comparing ten thousand entries takes longer than drawing them again.
    this.parts.registry.set(state)
  }

  /** Lines of a workspace that is not shown yet come with the log that is then asked for. */
  #applyLog({ generation, lines }: ScriptLog): void {
    if (generation !== this.parts.registry.get()?.workspace.generation) return
    this.scriptLog.set([...this.scriptLog.get(), ...lines].slice(-scriptLogLimit))
  }

  #applyActivity({ entries, clients, toolHost, workers }: RegistryActivity): void {
    const before = this.parts.registry.get()
    if (before === undefined) return
    const counts = new Map(entries.map((entry) => [entry.key, entry]))
    this.parts.registry.set({
      ...before,
      ...(counts.size > 0 && {
        entries: before.entries.map((entry) => {
          const counted = counts.get(entry.key)
          return counted === undefined ? entry : { ...entry, ...counted }
        }),
      }),
      scripts: shared(
        before.scripts,
        before.scripts.map(({ worker: _, ...script }) => {
          const worker = workers[script.file]
          return { ...script, ...(worker !== undefined && { worker }) }
        }),
      ),
      clients: shared(before.clients, clients),
      toolHost: shared(before.toolHost, toolHost),
    })
  }

  #forgetLog(): void {
    if (this.scriptLog.get().length > 0) this.scriptLog.set([])
  }

  #applyProgress(news: readonly Progress[]): void {
    const progress = new Map(this.progress.get())
    for (const item of news) {
      progress.delete(item.callId)
      progress.set(item.callId, item)
    }
    for (const callId of progress.keys()) {
      if (progress.size <= progressLimit) break
      progress.delete(callId)
    }
    this.progress.set(progress)
  }
}
