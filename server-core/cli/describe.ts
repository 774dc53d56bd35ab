import { stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject } from '../protocol/json.ts'
import { visibleLine } from '../protocol/visible-text.ts'

/** What `patchbay list` gives. */
export type Lists = {
  readonly tools: readonly unknown[]
  readonly resources: readonly unknown[]
  readonly resourceTemplates: readonly unknown[]
  readonly prompts: readonly unknown[]
}

const TITLES = {
  tools: 'Tools',
  resources: 'Resources',
  resourceTemplates: 'Resource templates',
  prompts: 'Prompts',
} as const

const NAME_WIDTH = 36
const LINE_WIDTH = 120

/** The lists for a person: a line for each entry. */
export function describeLists(lists: Lists): string {
  return (Object.keys(TITLES) as (keyof Lists)[])
    .map((kind) => {
      const entries = lists[kind].map((entry) => `\n  ${describeEntry(entry)}`)
      return `${TITLES[kind]} (${entries.length})${entries.join('')}`
    })
    .join('\n')
}

function describeEntry(entry: unknown): string {
  const name = member(entry, 'uriTemplate') ?? member(entry, 'uri') ?? member(entry, 'name') ?? '?'
  const about = member(entry, 'description') ?? member(entry, 'title') ?? ''
  const shownName = visibleLine(name, LINE_WIDTH).padEnd(NAME_WIDTH)
  return about === '' ? shownName.trimEnd() : `${shownName} ${visibleLine(about, LINE_WIDTH - NAME_WIDTH)}`
}

/** The result of a call for a person: texts as they are, everything else named, structured data as JSON. */
export function describeResult(result: unknown): string {
  const content =
    isJsonObject(result) && Array.isArray(result['content']) ? (result['content'] as unknown[]) : []
  const parts = content.map(describeContent)
  const structured = isJsonObject(result) ? result['structuredContent'] : undefined
  if (structured !== undefined && !content.some((block) => member(block, 'type') === 'text'))
    parts.push(stringifyExact(structured, 2))
  return parts.length === 0 ? stringifyExact(result, 2) : parts.join('\n')
}

function describeContent(block: unknown): string {
  const text = member(block, 'text')
  if (text !== undefined) return text
  const type = member(block, 'type') ?? 'something'
  const data = member(block, 'data')
  if (data !== undefined) {
    const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4)
    return `[${type} ${member(block, 'mimeType') ?? ''}, ${bytes} bytes; --json shows it whole]`
  }
  if (type === 'resource_link') return `[link to ${member(block, 'uri') ?? '?'}]`
  if (isJsonObject(block) && isJsonObject(block['resource'])) {
    const resource = block['resource']
    return member(resource, 'text') ?? `[resource ${member(resource, 'uri') ?? '?'}; --json shows it whole]`
  }
  return stringifyExact(block, 2)
}

function member(value: unknown, name: string): string | undefined {
  if (!isJsonObject(value)) return undefined
  const text = value[name]
  return typeof text === 'string' ? text : undefined
}
