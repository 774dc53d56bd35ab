import type { ShownRow, TrafficChange } from '../../capture/exchange.ts'
import type { Batch } from '../contract/events.ts'
import type { ListKind } from '../../protocol/list-kind.ts'
import type { LivePart, LiveState } from '../contract/live-parts.ts'
import type { RegistryActivity, ScriptLog } from '../contract/registry.ts'

/** A change that is published to pages. */
export type HostChange =
  /** The newest state of a part is read when the batch is made. */
  | { readonly type: 'part'; readonly part: LivePart }
  /** A second start asked the windows to come forward. */
  | { readonly type: 'activate' }
  /** Clients called these entries of the registry, or none of them. */
  | { readonly type: 'registry-activity'; readonly keys: readonly string[] }
  | { readonly type: 'script-log'; readonly log: ScriptLog }
  | { readonly type: 'lists'; readonly serverId: string; readonly kinds: readonly ListKind[] }
  | { readonly type: 'resource'; readonly serverId: string; readonly uri: string }
  | { readonly type: 'progress'; readonly progress: NonNullable<Batch['progress']>[number] }
  | ({ readonly type: 'traffic' } & TrafficChange)

/** Reads the present state of each part. */
export type PresentState = { readonly [Part in LivePart]: () => LiveState[Part] } & {
  /** @param keys the entries whose counts are asked for */
  registryActivity(keys: readonly string[]): RegistryActivity
  /** The rows of the timeline that are ready, oldest first. Changes name all others. */
  rows(): ShownRow[]
}
