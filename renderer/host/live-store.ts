import type { EmbeddedState, Notice } from '../../server-core/host/contract/app.ts'
import type { Batch } from '../../server-core/host/contract/events.ts'
import type { FaultsState } from '../../server-core/host/contract/faults.ts'
import type { MocksState } from '../../server-core/host/contract/mocks.ts'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import type { AuthorizationState } from '../../server-core/host/contract/authorization.ts'
import type {
  RegistryActivity,
  RegistryState,
  ScriptLogLine,
} from '../../server-core/host/contract/registry.ts'
import type { Inspection } from '../../server-core/host/contract/inspection.ts'
import type { ServerLatency, ServerState } from '../../server-core/host/contract/servers.ts'
import type { ServerTasks } from '../../server-core/host/contract/tasks.ts'
import type { TrafficCounts } from '../../server-core/host/contract/traffic.ts'
import { replaceEqualDeep } from '@tanstack/react-query'
import { Observable } from '../state/observable.ts'
import { ExchangeRows, type Exchanges } from './exchange-rows.ts'

export type Progress = NonNullable<Batch['progress']>[number]

/** Progress of calls that ended long ago is not kept. */
const progressLimit = 200
/** Lines of the script log that the page keeps. */
const scriptLogLimit = 5_000

/** The new state, with every part of it that did not change as the same object, so that its readers do not render. */
function shared<State>(before: State, now: State): State {
  return replaceEqualDeep(before, now)
}

/** What the host streams: the newest state of each thing, watched one by one. */
export class LiveStore {
  readonly servers = new Observable<readonly ServerState[]>([])
  readonly exchanges = new Observable<Exchanges>(new ExchangeRows().snapshot)
  readonly counts = new Observable<TrafficCounts>({ frames: 0, bytes: 0, dropped: 0 })
  readonly progress = new Observable<ReadonlyMap<string, Progress>>(new Map())
  readonly notices = new Observable<readonly Notice[]>([])
  readonly inbox = new Observable<readonly InboxEntry[]>([])
  readonly authorizations = new Observable<readonly AuthorizationState[]>([])
  readonly tasks = new Observable<readonly ServerTasks[]>([])
  readonly latencies = new Observable<readonly ServerLatency[]>([])
  readonly inspections = new Observable<readonly Inspection[]>([])
  readonly embedded = new Observable<EmbeddedState | undefined>(undefined)
  readonly faults = new Observable<FaultsState | undefined>(undefined)
  readonly mocks = new Observable<MocksState | undefined>(undefined)
  readonly registry = new Observable<RegistryState | undefined>(undefined)
  /** The newest lines that came since the watch began. */
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
    if (batch.servers !== undefined) this.servers.set(shared(this.servers.get(), batch.servers))
    if (batch.counts !== undefined) this.counts.set(batch.counts)
    if (batch.notices !== undefined) this.notices.set(batch.notices)
    if (batch.inbox !== undefined) this.inbox.set(shared(this.inbox.get(), batch.inbox))
    if (batch.authorizations !== undefined)
      this.authorizations.set(shared(this.authorizations.get(), batch.authorizations))
    if (batch.tasks !== undefined) this.tasks.set(shared(this.tasks.get(), batch.tasks))
    if (batch.latencies !== undefined) this.latencies.set(shared(this.latencies.get(), batch.latencies))
    if (batch.inspections !== undefined)
      this.inspections.set(shared(this.inspections.get(), batch.inspections))
    if (batch.embedded !== undefined) this.embedded.set(shared(this.embedded.get(), batch.embedded))
    if (batch.faults !== undefined) this.faults.set(shared(this.faults.get(), batch.faults))
    if (batch.mocks !== undefined) this.mocks.set(batch.mocks)
    const served = this.registry.get()?.workspace.folder
    const folder = batch.registry?.workspace.folder ?? served
    // The lines of a host that was lost, or of another workspace, are numbered apart from those that come now.
    if (this.#isFirst || folder !== served) this.#forgetLog()
    if (batch.registry !== undefined) this.registry.set(batch.registry)
    if (batch.registryActivity !== undefined) this.#applyActivity(batch.registryActivity)
    if (batch.scriptLog !== undefined) {
      this.scriptLog.set([...this.scriptLog.get(), ...batch.scriptLog].slice(-scriptLogLimit))
    }
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

  #applyActivity({ entries, clients, toolHost, workers }: RegistryActivity): void {
    const before = this.registry.get()
    if (before === undefined) return
    const counts = new Map(entries.map((entry) => [entry.key, entry]))
    this.registry.set({
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
