import { z } from 'zod'
import { amendmentsSchema } from '../composition/amendments-data.ts'
import type { Amendments } from '../composition/compose.ts'
import { compositionSchema, type CompositionData } from '../composition/config-data.ts'
import {
  handmadeEntriesSchema,
  overridesSchema,
  type HandmadeEntry,
  type Override,
} from '../handmade/handmade-entry.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { LiveFault } from './live-state.ts'

/** What `patchbay.json` says of the entries of its workspace. */
export type WorkspaceData = {
  readonly amendments: Amendments
  readonly handmade: readonly HandmadeEntry[]
  readonly overrides: readonly Override[]
  /** What is composed into the server beside what the configuration names. */
  readonly composition: CompositionData
}

export const NO_DATA: WorkspaceData = { amendments: {}, handmade: [], overrides: [], composition: {} }

const SCHEMAS = {
  amendments: amendmentsSchema,
  handmade: handmadeEntriesSchema,
  overrides: overridesSchema,
  composition: compositionSchema,
} as const

/**
 * Reads what a document says of entries. A member that says something that cannot be keeps what it said before, and
 * becomes a fault.
 */
export function readWorkspaceData(
  document: JsonObject,
  before: WorkspaceData,
): { readonly data: WorkspaceData; readonly faults: readonly LiveFault[] } {
  const faults: LiveFault[] = []
  const read = <Name extends keyof typeof SCHEMAS>(name: Name): WorkspaceData[Name] => {
    const member = document[name]
    if (member === undefined) return NO_DATA[name]
    const parsed = SCHEMAS[name].safeParse(member)
    if (parsed.success) return parsed.data as WorkspaceData[Name]
    const detail = z.prettifyError(parsed.error).replaceAll('\n', ' ')
    faults.push({ code: 'patchbay.json', message: `patchbay.json: ${name}: ${detail}` })
    return before[name]
  }
  const data = {
    amendments: read('amendments'),
    handmade: read('handmade'),
    overrides: read('overrides'),
    composition: read('composition'),
  }
  return { data, faults }
}
