import type { LiveWorkspace } from '../../live/live-workspace.ts'
import type { LiveFault } from '../../live/live-state.ts'
import type {
  ConnectedClient,
  RegistryActivity,
  RegistryEntry,
  RegistryFault,
  RegistryState,
} from '../contract/registry.ts'

/** What is shown of a workspace beside what it says itself. */
export type Around = Omit<
  RegistryState,
  'entries' | 'scripts' | 'faults' | 'added' | 'toolHost' | 'clients'
> & {
  readonly clients: readonly ConnectedClient[]
  readonly subscribersOf: (uri: string) => number
  readonly faults: readonly LiveFault[]
}

/** The state as pages get it; of a workspace that is not open there is little. */
export function registryState(live: LiveWorkspace | undefined, around: Around): RegistryState {
  const { subscribersOf, faults, clients, ...shown } = around
  const rest = { ...shown, clients: [...clients] }
  if (live === undefined) {
    return {
      ...rest,
      entries: [],
      scripts: [],
      added: [],
      faults: faults.map(fault),
      toolHost: { spareReady: false },
    }
  }
  return {
    ...rest,
    entries: live
      .entries()
      .map(({ error, lastCaller, amendment, annotations, tags, ...entry }): RegistryEntry => ({
        ...entry,
        ...(error !== undefined && { error: fault(error) }),
        ...(lastCaller !== undefined && { lastCaller: { ...lastCaller } }),
        ...(amendment !== undefined && {
          amendment: { ...amendment, annotations: copied(amendment.annotations) },
        }),
        ...(annotations !== undefined && { annotations: { ...annotations } }),
        ...(tags !== undefined && { tags: [...tags] }),
        subscriptions: entry.kind === 'resource' ? subscribersOf(entry.shownName) : 0,
      })),
    scripts: live.scripts().map(({ error, entries, imports, worker, ...script }) => ({
      ...script,
      entries: [...entries],
      imports: [...imports],
      ...(error !== undefined && { error: fault(error) }),
      ...(worker !== undefined && { worker: { ...worker } }),
    })),
    faults: [...faults, ...live.faults()].map(fault),
    added: [...live.added],
    toolHost: live.toolHost(),
  }
}

/** What clients did; of entries that are not there any more nothing is counted. */
export function registryActivity(
  live: LiveWorkspace | undefined,
  clients: readonly ConnectedClient[],
  keys: readonly string[],
): RegistryActivity {
  const workers = (live?.scripts() ?? []).flatMap(({ file, worker }) =>
    worker === undefined ? [] : [[file, { ...worker }] as const],
  )
  return {
    entries: keys.map((key) => {
      const { calls = 0, failures = 0, lastCaller } = live?.callsOf(key) ?? {}
      return { key, calls, failures, ...(lastCaller !== undefined && { lastCaller: { ...lastCaller } }) }
    }),
    clients: [...clients],
    toolHost: live?.toolHost() ?? { spareReady: false },
    workers: Object.fromEntries(workers),
  }
}

function copied(record: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> | undefined {
  return record === undefined ? undefined : { ...record }
}

function fault({ code, message: reason, at }: LiveFault): RegistryFault {
  // The reason why a script is off ends a sentence elsewhere.
  const message = code === 'stopped' ? `${reason.slice(0, 1).toUpperCase()}${reason.slice(1)}.` : reason
  return { code, message, ...(at !== undefined && { at: { ...at } }) }
}
