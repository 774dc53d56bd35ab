import type { ProbeStep } from '../../client/errors.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { plural } from '../../protocol/plural.ts'

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

/** The contents of a resource for a person: texts as they are, bytes by their number. */
export function describeContents(contents: readonly JsonObject[]): string {
  return contents.map((each) => describeContent({ resource: each })).join('\n')
}

/** The messages of a prompt for a person, each with who says it. */
export function describeMessages(messages: readonly JsonObject[]): string {
  return messages.map(({ role, content }) => `${String(role)}: ${describeContent(content)}`).join('\n')
}

/** What was found out about a server. */
export type FoundServer = {
  readonly transport: string
  readonly revision: string
  readonly steps: readonly ProbeStep[]
  readonly serverInfo?: JsonObject
  readonly capabilities: JsonObject
  readonly instructions?: string
}

/** The same for a person: how it was found, who it is, what it can do. */
export function describeServer(found: FoundServer): string {
  const { transport, revision, steps, serverInfo, capabilities, instructions } = found
  const name = member(serverInfo, 'title') ?? member(serverInfo, 'name') ?? 'The server says no name'
  const version = member(serverInfo, 'version')
  return [
    `${name}${version === undefined ? '' : ` ${version}`}: ${revision} over ${transport}`,
    'How it was found',
    ...steps.map(({ step, outcome }) => `  ${step}: ${outcome}`),
    'Capabilities',
    ...Object.entries(capabilities).map(([key, value]) => `  ${key} ${stringifyExact(value)}`),
    ...(instructions === undefined ? [] : ['Instructions', instructions]),
  ].join('\n')
}

function describeContent(block: unknown): string {
  const text = member(block, 'text')
  if (text !== undefined) return text
  const type = member(block, 'type') ?? 'something'
  const data = member(block, 'data')
  if (data !== undefined) {
    const bytes = Math.floor((data.replace(/=+$/, '').length * 3) / 4)
    return `[${type} ${member(block, 'mimeType') ?? ''}, ${plural(bytes, 'byte')}; --json shows it whole]`
  }
  if (type === 'resource_link') return `[link to ${member(block, 'uri') ?? '?'}]`
  if (isJsonObject(block) && isJsonObject(block['resource'])) {
    const resource = block['resource']
    const type = member(resource, 'mimeType')
    const what = `resource ${member(resource, 'uri') ?? '?'}${type === undefined ? '' : `, ${type}`}`
    return member(resource, 'text') ?? `[${what}; --json shows it whole]`
  }
  return stringifyExact(block, 2)
}

function member(value: unknown, name: string): string | undefined {
  if (!isJsonObject(value)) return undefined
  const text = value[name]
  return typeof text === 'string' ? text : undefined
}
