import type { JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import type { RevisionRow } from '../protocol/revisions.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { SharedStore } from '../registry/invocation.ts'
import type { ChangeHub } from './changes.ts'
import type { ListingCache } from './features/listing-cache.ts'
import type { Validators } from './schemas/validators.ts'
import type { SpokenRevisions } from './spoken-revisions.ts'

/** What both eras share: one registry, and what is made of it once. */
export type ServerCore = {
  readonly registry: RegistryView
  readonly spoken: SpokenRevisions
  /** Name and version of the server, as `Implementation`. */
  readonly info: JsonObject
  readonly instructions: string | undefined
  /** What is declared to a client that comes now. */
  readonly capabilities: () => JsonObject
  readonly limits: Limits
  readonly store: SharedStore
  readonly changes: ChangeHub
  readonly validators: Validators
  readonly listings: ListingCache
}

/** A request that a feature serves, in the words of its revision. */
export type FeatureRequest = {
  readonly core: ServerCore
  readonly row: RevisionRow
  readonly params: JsonObject
}
