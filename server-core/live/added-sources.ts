import { z } from 'zod'
import { mountSchema, openApiSchema, proxySchema, type CompositionData } from '../sources/config-data.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { ConfigData } from '../scripts/config-data.ts'
import type { WorkspaceDocument } from '../workspace/server-entries.ts'

/** Something that was composed into the server without code: `patchbay.json` has it under `composition`. */
export const addedSourceSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('openapi'), data: openApiSchema }),
  z.object({ kind: z.literal('mount'), data: mountSchema }),
  z.object({ kind: z.literal('proxy'), data: proxySchema }),
])
export type AddedSource = z.infer<typeof addedSourceSchema>

const MEMBERS = { openapi: 'openapi', mount: 'mounts', proxy: 'proxies' } as const

/** All that was added, by kind and in its order. */
export function addedSources({ openapi = [], mounts = [], proxies = [] }: CompositionData): AddedSource[] {
  return [
    ...openapi.map((data) => ({ kind: 'openapi', data }) as const),
    ...mounts.map((data) => ({ kind: 'mount', data }) as const),
    ...proxies.map((data) => ({ kind: 'proxy', data }) as const),
  ]
}

/** The document with one more source. */
export function withSource(document: WorkspaceDocument, { kind, data }: AddedSource): WorkspaceDocument {
  const { composition, list } = listOf(document, kind)
  return { ...document, composition: { ...composition, [MEMBERS[kind]]: [...list, data] } }
}

/** The document without a source; the same if it has none like it. */
export function withoutSource(document: WorkspaceDocument, { kind, data }: AddedSource): WorkspaceDocument {
  const { composition, list } = listOf(document, kind)
  const text = JSON.stringify(data)
  const place = list.findLastIndex((each) => JSON.stringify(each) === text)
  if (place < 0) return document
  const { [MEMBERS[kind]]: _, ...others } = composition
  const left = list.toSpliced(place, 1)
  const kept = left.length === 0 ? others : { ...others, [MEMBERS[kind]]: left }
  const { composition: _all, ...rest } = document
  return Object.keys(kept).length === 0 ? rest : { ...rest, composition: kept }
}

function listOf(document: WorkspaceDocument, kind: AddedSource['kind']) {
  const { composition } = document
  const members = isJsonObject(composition) ? composition : {}
  const list: unknown = members[MEMBERS[kind]]
  return { composition: members, list: Array.isArray(list) ? (list as readonly unknown[]) : [] }
}

/** What the configuration names, and behind it what was added. */
export function joinedSources(config: ConfigData, added: CompositionData): ConfigData {
  const { openapi = [], mounts = [], proxies = [], files = [], directories = [], urls = [] } = added
  return {
    ...config,
    openapi: [...(config.openapi ?? []), ...openapi],
    mounts: [...(config.mounts ?? []), ...mounts],
    proxies: [...(config.proxies ?? []), ...proxies],
    files: [...(config.files ?? []), ...files],
    directories: [...(config.directories ?? []), ...directories],
    urls: [...(config.urls ?? []), ...urls],
  }
}
