import { z } from 'zod'
import type { Amendments } from '../sources/compose.ts'
import type { CompositionData } from '../sources/config-data.ts'
import { mocksMember } from '../mocks/mock-document.ts'
import type { MockEntry, Override } from '../mocks/mock-entry.ts'
import type { JsonObject } from '../protocol/json.ts'
import { workspaceFileSchema } from '../workspace-file/workspace-file-schema.ts'
import type { LiveFault } from './live-state.ts'

/** What `patchbay.json` says of the entries of its workspace. */
export type WorkspaceData = {
  readonly amendments: Amendments
  readonly mocks: readonly MockEntry[]
  readonly overrides: readonly Override[]
  /** What is composed into the server beside what the configuration names. */
  readonly composition: CompositionData
}

export const NO_DATA: WorkspaceData = { amendments: {}, mocks: [], overrides: [], composition: {} }

const { amendments, mocks, overrides, composition } = workspaceFileSchema.shape
const SCHEMAS = { amendments, mocks, overrides, composition } as const

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
    const member = name === 'mocks' ? mocksMember(document) : document[name]
    if (member === undefined) return NO_DATA[name]
    const parsed = SCHEMAS[name].safeParse(member)
    if (parsed.success) return parsed.data as WorkspaceData[Name]
    const detail = z.prettifyError(parsed.error).replaceAll('\n', ' ')
    faults.push({ code: 'patchbay.json', message: `patchbay.json: ${name}: ${detail}` })
    return before[name]
  }
  const data = {
    amendments: read('amendments'),
    mocks: read('mocks'),
    overrides: read('overrides'),
    composition: read('composition'),
  }
  return { data, faults }
}
