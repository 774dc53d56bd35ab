import type { JsonObject } from '../protocol/json.ts'
import type { Limits } from '../protocol/limits.ts'
import type { Era, RevisionRow } from '../protocol/revisions.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { SharedStore } from '../registry/invocation.ts'
import type { Caching } from './caching.ts'
import type { ChangeHub } from './changes.ts'
import type { Extensions } from './extensions/extensions.ts'
import type { ListingCache } from './features/listing-cache.ts'
import type { ClientListener } from './server-client.ts'
import type { Validators } from './schemas/validators.ts'
import type { SpokenRevisions } from './spoken-revisions.ts'
import type { TaskStore } from './tasks/task-store.ts'

/** What both eras share: one registry, and what is made of it once. */
export type ServerCore = {
  readonly registry: RegistryView
  readonly spoken: SpokenRevisions
  /** Name and version of the server, as `Implementation`. */
  readonly info: JsonObject
  readonly instructions: string | undefined
  /** What is declared to a client of an era that comes now; which of it a revision knows is the row's. */
  readonly capabilities: (era: Era) => JsonObject
  readonly limits: Limits
  readonly store: SharedStore
  readonly changes: ChangeHub
  readonly validators: Validators
  readonly listings: ListingCache
  /** What clients may keep. */
  readonly caching: Caching
  readonly extensions: Extensions
  readonly tasks: TaskStore
  /** Receives what clients do. */
  readonly onClient: ClientListener | undefined
}

/** A request that a feature serves, in the words of its revision. */
export type FeatureRequest = {
  readonly core: ServerCore
  readonly row: RevisionRow
  readonly params: JsonObject
}
