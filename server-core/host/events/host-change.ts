import type { TrafficChange } from '../../traffic/exchange.ts'
import type { EmbeddedState, Notice } from '../contract/app.ts'
import type { AuthorizationState } from '../contract/authorization.ts'
import type { Batch } from '../contract/events.ts'
import type { FaultsState } from '../contract/faults.ts'
import type { HandmadeState } from '../contract/handmade.ts'
import type { InboxEntry } from '../contract/inbox.ts'
import type { ListKind } from '../contract/inspect.ts'
import type { Inspection } from '../contract/inspection.ts'
import type { RegistryState, ScriptLogLine } from '../contract/registry.ts'
import type { ServerTasks } from '../contract/tasks.ts'
import type { ServerState } from '../contract/servers.ts'
import type { Exchange, TrafficCounts } from '../contract/traffic.ts'

/** Something that pages are told about. */
export type HostChange =
  /** The newest state of a part is read when the batch is made. */
  | {
      readonly type: 'part'
      readonly part:
        | 'servers'
        | 'notices'
        | 'embedded'
        | 'inspections'
        | 'tasks'
        | 'inbox'
        | 'authorizations'
        | 'registry'
        | 'faults'
        | 'handmade'
        | 'activate'
    }
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
  tasks(): ServerTasks[]
  authorizations(): AuthorizationState[]
  registry(): RegistryState
  faults(): FaultsState
  handmade(): HandmadeState
  /** All questions that are kept, oldest first. */
  inbox(): InboxEntry[]
  counts(): TrafficCounts
  /** All rows of the timeline, oldest first. */
  exchanges(): Exchange[]
}
