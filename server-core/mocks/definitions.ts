import type { JsonObject } from '../protocol/json.ts'
import type { ToolDefinition } from '../registry/definitions.ts'
import type { PromptDefinition, PromptReturn } from '../registry/prompt-definitions.ts'
import type {
  ResourceDefinition,
  ResourceReturn,
  ResourceTemplateDefinition,
} from '../registry/resource-definitions.ts'
import { answerCall, timeLimitOf, type AnswerParts } from './answer-call.ts'
import type { Answer, MockEntry } from './mock-entry.ts'

type Made<K extends MockEntry['kind']> = Extract<MockEntry, { readonly kind: K }>
type Facts = { readonly revision: string; readonly clientInfo?: JsonObject | undefined }

/** A tool of the registry that answers as the entry says. */
export function toolOf(entry: Made<'tool'>, parts: AnswerParts): ToolDefinition {
  const { name, annotations, inputSchema, outputSchema, answer } = entry
  return {
    name,
    ...describedOf(entry),
    ...(annotations !== undefined && { annotations }),
    ...(inputSchema !== undefined && { input: inputSchema }),
    ...(outputSchema !== undefined && { output: outputSchema }),
    timeout: timeLimitOf(answer),
    run: (args, ctx) => answerCall(answer, toolCall(name, args as JsonObject, ctx), parts, ctx.signal),
  }
}

/** What the answer to a tool's call sees of it. */
export function toolCall(name: string, args: JsonObject, ctx: Facts): JsonObject {
  return { method: 'tools/call', name, arguments: args, ...callerOf(ctx) }
}

/** A resource of the registry that reads as the entry says. */
export function resourceOf(entry: Made<'resource'>, parts: AnswerParts): ResourceDefinition {
  const { uri, name, mimeType, annotations, answer } = entry
  return {
    uri,
    name,
    ...describedOf(entry),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    read: (ctx) => read(answer, { method: 'resources/read', uri, ...callerOf(ctx) }, parts, ctx.signal),
  }
}

/** A resource template of the registry whose resources read as the entry says. */
export function templateOf(entry: Made<'template'>, parts: AnswerParts): ResourceTemplateDefinition {
  const { uriTemplate, name, mimeType, annotations, answer } = entry
  return {
    uriTemplate,
    name,
    ...describedOf(entry),
    ...(mimeType !== undefined && { mimeType }),
    ...(annotations !== undefined && { annotations }),
    read: (variables, ctx, uri) =>
      read(answer, { method: 'resources/read', uri, variables, ...callerOf(ctx) }, parts, ctx.signal),
  }
}

/** A prompt of the registry that is made as the entry says. */
export function promptOf(entry: Made<'prompt'>, parts: AnswerParts): PromptDefinition {
  const { name, answer } = entry
  const declared = (entry.arguments ?? []).map(({ name: argument, title, description, required }) => ({
    name: argument,
    ...(title !== undefined && { title }),
    ...(description !== undefined && { description }),
    ...(required !== undefined && { required }),
  }))
  return {
    name,
    ...describedOf(entry),
    ...(declared.length > 0 && { arguments: declared }),
    get: async (args, ctx) => {
      const call = { method: 'prompts/get', name, arguments: args, ...callerOf(ctx) }
      return (await answerCall(answer, call, parts, ctx.signal)) as PromptReturn
    },
  }
}

async function read(
  answer: Answer,
  call: JsonObject,
  parts: AnswerParts,
  signal: AbortSignal,
): Promise<ResourceReturn> {
  // Invalid content is an error of the read, which says so.
  return (await answerCall(answer, call, parts, signal)) as ResourceReturn
}

function describedOf({
  title,
  description,
}: {
  title?: string | undefined
  description?: string | undefined
}) {
  return { ...(title !== undefined && { title }), ...(description !== undefined && { description }) }
}

function callerOf({ revision, clientInfo }: Facts): JsonObject {
  return { revision, ...(clientInfo !== undefined && { client: clientInfo }) }
}
