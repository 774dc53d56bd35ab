import type { RecordedCall } from '../comparison/recorded-calls.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import { MetaKey } from '../protocol/meta-keys.ts'

/** What a recorded server said about itself and what it has. */
export type RecordedLists = {
  readonly tools: readonly JsonObject[]
  readonly resources: readonly JsonObject[]
  readonly templates: readonly JsonObject[]
  readonly prompts: readonly JsonObject[]
  /** Name and version (specification: Lifecycle, `serverInfo`); undefined if the recording has no handshake. */
  readonly info?: { readonly name: string; readonly version: string; readonly title?: string }
  readonly instructions?: string
}

const LISTS = [
  ['tools', 'tools/list', 'tools', 'name'],
  ['resources', 'resources/list', 'resources', 'uri'],
  ['templates', 'resources/templates/list', 'resourceTemplates', 'uriTemplate'],
  ['prompts', 'prompts/list', 'prompts', 'name'],
] as const

/** Reads the lists of a recording as they were last, and who the server is. Tools that no list names have their calls. */
export function recordedLists(calls: readonly RecordedCall[]): RecordedLists {
  const lists = Object.fromEntries(
    LISTS.map(([kind, method, member, key]) => [kind, lastList(calls, method, member, key)]),
  ) as Record<(typeof LISTS)[number][0], readonly JsonObject[]>
  const unlisted = (method: string, known: readonly JsonObject[]): readonly string[] => {
    const called = calls.filter((call) => call.method === method && call.target !== '')
    return [...new Set(called.map(({ target }) => target))].filter(
      (name) => !known.some((definition) => definition['name'] === name),
    )
  }
  return {
    ...lists,
    tools: [
      ...lists.tools,
      ...unlisted('tools/call', lists.tools).map((name) => ({ name, inputSchema: { type: 'object' } })),
    ],
    prompts: [...lists.prompts, ...unlisted('prompts/get', lists.prompts).map((name) => ({ name }))],
    ...identityOf(calls),
  }
}

/** The list that was read last, all pages together. */
function lastList(
  calls: readonly RecordedCall[],
  method: string,
  member: string,
  key: string,
): readonly JsonObject[] {
  let items: JsonObject[] = []
  for (const { direction, method: called, params, outcome } of calls) {
    if (direction !== 'sent' || called !== method || outcome.type !== 'result') continue
    if (!isJsonObject(outcome.value)) continue
    const page = outcome.value[member]
    if (!Array.isArray(page)) continue
    if (params['cursor'] === undefined) items = []
    for (const item of page as unknown[])
      if (isJsonObject(item) && typeof item[key] === 'string' && typeof item['name'] === 'string')
        items = [...items.filter((other) => other[key] !== item[key]), item]
  }
  return items
}

function identityOf(calls: readonly RecordedCall[]): Pick<RecordedLists, 'info' | 'instructions'> {
  const handshake = calls.findLast(
    ({ direction, method, outcome }) =>
      direction === 'sent' &&
      (method === 'initialize' || method === 'server/discover') &&
      outcome.type === 'result',
  )
  const said = handshake?.outcome.type === 'result' ? handshake.outcome.value : undefined
  if (!isJsonObject(said)) return {}
  const { serverInfo, instructions, _meta } = said
  const named = isJsonObject(serverInfo)
    ? serverInfo
    : isJsonObject(_meta)
      ? _meta[MetaKey.serverInfo]
      : undefined
  const { name, version, title } = isJsonObject(named) ? named : {}
  return {
    ...(typeof name === 'string' && {
      info: {
        name,
        version: typeof version === 'string' ? version : '',
        ...(typeof title === 'string' && { title }),
      },
    }),
    ...(typeof instructions === 'string' && { instructions }),
  }
}
