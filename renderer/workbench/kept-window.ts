import { z } from 'zod'
import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { listedSchema } from '../../server-core/host/contract/inspect.ts'
import { argumentsStateSchema } from './form/draft-schema.ts'
import { SERVER_PAGE_NAMES } from './server-pages.ts'
import type { TabTarget } from './tabs-store.ts'
import type { KeptWork } from './work-store.ts'

/** What of the window outlives the page, as far as it fits. */
export type KeptWindow = {
  readonly serverId: string | undefined
  readonly tabs: readonly TabTarget[]
  readonly activeId: string | undefined
  /** By the ids of tabs, the most important first. */
  readonly works: readonly (readonly [id: string, work: KeptWork])[]
}

/** Told apart from what other versions of the page may have kept. */
const FORMAT = 1
/** The one member of an object that stands for a map. */
const MAP = 'a map of Patchbay'

/**
 * The window as text of at most so many characters; work that does not fit is left out, and the work after it
 * is tried. Numbers keep their digits.
 */
export function keptText({ works, ...rest }: KeptWindow, limit: number): string {
  const start = written({ format: FORMAT, ...rest }).slice(0, -1)
  let length = start.length
  const kept = works.map(written).filter((text) => {
    const fits = length + text.length < limit
    if (fits) length += text.length + 1
    return fits
  })
  return `${start},"works":[${kept.join(',')}]}`
}

/**
 * Parses what `keptText` wrote, for `keptWindowSchema`.
 *
 * @throws SyntaxError if the text is not JSON
 */
export function parseKept(text: string): unknown {
  return withMaps(parseExact(text, 'text'))
}

const serverId = z.string()
const targetSchema: z.ZodType<TabTarget> = z.discriminatedUnion('kind', [
  z.object({ kind: z.enum(['tool', 'prompt']), serverId, name: z.string() }),
  z.object({ kind: z.literal('resource'), serverId, uri: z.string() }),
  z.object({ kind: z.literal('resource-template'), serverId, uriTemplate: z.string() }),
  z.object({ kind: z.literal('server'), serverId }),
  z.object({
    kind: z.literal('page'),
    serverId,
    page: z.enum(SERVER_PAGE_NAMES),
  }),
])

const workSchema: z.ZodType<KeptWork> = z.object({
  schema: z.unknown(),
  arguments: argumentsStateSchema,
  page: z.string(),
  listed: listedSchema.exactOptional(),
  view: z.string().exactOptional(),
  shownBefore: z.string().exactOptional(),
  readsUpdates: z.boolean().exactOptional(),
})

/** What may have been kept, by this version of the page. */
export const keptWindowSchema: z.ZodType<KeptWindow> = z
  .object({
    format: z.literal(FORMAT),
    serverId: serverId.optional(),
    tabs: z.array(targetSchema),
    activeId: z.string().optional(),
    works: z.array(z.tuple([z.string(), workSchema])),
  })
  .transform(({ serverId: selected, tabs, activeId, works }) => ({
    serverId: selected,
    tabs,
    activeId,
    works,
  }))

function written(value: unknown): string {
  return stringifyExact(withoutMaps(value))
}

function withoutMaps(value: unknown): unknown {
  if (value instanceof Map) return { [MAP]: Array.from(value, (pair) => withoutMaps(pair)) }
  if (Array.isArray(value)) return value.map(withoutMaps)
  if (!isPlain(value)) return value
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withoutMaps(member)]))
}

function withMaps(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withMaps)
  if (!isPlain(value)) return value
  const pairs: unknown = value[MAP]
  if (Array.isArray(pairs))
    return new Map((pairs as [unknown, unknown][]).map(([key, member]) => [key, withMaps(member)]))
  return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, withMaps(member)]))
}

/** An object of JSON: neither null, nor a number that is kept as text. */
function isPlain(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
}
