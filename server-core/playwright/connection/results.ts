import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { OutputCheck } from '../../client/output-check.ts'
import type { TimelineFrame } from '../timeline/frame.ts'

/** A block of a result (specification: Content). */
export type ContentBlock =
  | ({ readonly type: 'text'; readonly text: string } & JsonObject)
  | ({ readonly type: 'image' | 'audio'; readonly data: string; readonly mimeType: string } & JsonObject)
  | ({ readonly type: 'resource'; readonly resource: ResourceContents } & JsonObject)
  | ({ readonly type: 'resource_link'; readonly uri: string; readonly name: string } & JsonObject)

/** What a read gives (specification: Resources). */
export type ResourceContents = {
  readonly uri: string
  readonly mimeType?: string
  readonly text?: string
  /** Base64. */
  readonly blob?: string
} & JsonObject

/** The result of a tool, as the server sent it. */
export type ToolResult<Output = unknown> = {
  readonly content: readonly ContentBlock[]
  readonly structuredContent?: Output
  readonly isError?: boolean
  readonly _meta?: JsonObject
  /** Its text blocks, joined by line feeds. It is not a member of the JSON. */
  readonly text: string
}

/** What is known of a call beside its result. */
export type CallFacts = {
  readonly tool: string
  readonly outputCheck: OutputCheck
  readonly frames: readonly TimelineFrame[]
}

const factsOf = new WeakMap<object, CallFacts>()
const framesOf = new WeakMap<object, readonly TimelineFrame[]>()

/** Makes a result of what the server sent, and keeps the facts for matchers. */
export function toolResult<Output>(raw: JsonObject, facts: CallFacts): ToolResult<Output> {
  const content = Array.isArray(raw['content']) ? (raw['content'] as readonly unknown[]) : []
  const text = content
    .filter(isJsonObject)
    .flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : []))
    .join('\n')
  const result = { ...raw, content }
  Object.defineProperty(result, 'text', { value: text })
  factsOf.set(result, facts)
  // Its members were checked by nobody: a test that meets a wrong one should see it as it is.
  return result as unknown as ToolResult<Output>
}

/** What is known of a result that `callTool` returned. */
export function callFacts(result: unknown): CallFacts | undefined {
  return isJsonObject(result) ? factsOf.get(result) : undefined
}

/** Keeps the frames of a request that failed, for matchers. */
export function keepFrames(error: unknown, frames: readonly TimelineFrame[]): void {
  if (error instanceof Error) framesOf.set(error, frames)
}

/** The frames of a result or of an error. */
export function keptFrames(value: unknown): readonly TimelineFrame[] {
  if (typeof value !== 'object' || value === null) return []
  return factsOf.get(value)?.frames ?? framesOf.get(value) ?? []
}
