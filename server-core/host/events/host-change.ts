import type { ShownRow, TrafficChange } from '../../capture/exchange.ts'
import type { EmbeddedState, Notice } from '../contract/app.ts'
import type { AuthorizationState } from '../contract/authorization.ts'
import type { Batch } from '../contract/events.ts'
import type { FaultsState } from '../contract/faults.ts'
import type { MocksState } from '../contract/mocks.ts'
import type { InboxEntry } from '../contract/inbox.ts'
import type { ListKind } from '../contract/inspect.ts'
import type { Inspection } from '../contract/inspection.ts'
import type { RegistryActivity, RegistryState, ScriptLogLine } from '../contract/registry.ts'
import type { ServerTasks } from '../contract/tasks.ts'
import type { ServerLatency, ServerState } from '../contract/servers.ts'
import type { TrafficCounts } from '../contract/traffic.ts'

/** A change that is published to pages. */
export type HostChange =
  /** The newest state of a part is read when the batch is made. */
  | {
      readonly type: 'part'
      readonly part:
        | 'servers'
        | 'notices'
        | 'embedded'
        | 'inspections'
        | 'latencies'
        | 'tasks'
        | 'inbox'
        | 'authorizations'
        | 'registry'
        | 'faults'
        | 'mocks'
        | 'activate'
    }
  /** Clients called these entries of the registry, or none of them. */
  | { readonly type: 'registry-activity'; readonly keys: readonly string[] }
  | { readonly type: 'script-log'; readonly lines: readonly ScriptLogLine[] }
  | { readonly type: 'lists'; readonly serverId: string; readonly kinds: readonly ListKind[] }
  | { readonly type: 'resource'; readonly serverId: string; readonly uri: string }
  | { readonly type: 'progress'; readonly progress: NonNullable<Batch['progress']>[number] }
  | ({ readonly type: 'traffic' } & TrafficChange)

/** Reads the present state of each part. */
export type PresentState = {
  servers(): ServerState[]
  notices(): Notice[]
  embedded(): EmbeddedState
  inspections(): Inspection[]
  latencies(): ServerLatency[]
  tasks(): ServerTasks[]
  authorizations(): AuthorizationState[]
  registry(): RegistryState
  /** @param keys the entries whose counts are asked for */
  registryActivity(keys: readonly string[]): RegistryActivity
  faults(): FaultsState
  mocks(): MocksState
  /** All questions that are kept, oldest first. */
  inbox(): InboxEntry[]
  counts(): TrafficCounts
  /** The rows of the timeline that are ready, oldest first. Changes name all others. */
  rows(): ShownRow[]
}
