import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../protocol/json.ts'
import { compileUriTemplate } from '../../protocol/uri-template.ts'
import type {
  CompletionOutcome,
  ListedResource,
  PromptEntry,
  PromptOutcome,
  ResourceEntry,
  ResourceOutcome,
  ResourceTemplateEntry,
  ToolEntry,
  ToolOutcome,
} from '../entries.ts'
import { entryData } from '../entry-data.ts'
import { isAnswerError, handlerErrorText, withInternalErrors } from '../handler-errors.ts'
import type { Invocation } from '../invocation.ts'
import { errorOutcome } from '../tool-result.ts'
import { matchTyped } from '../uri-variables.ts'
import { isArrayOf, type Definitions } from './definitions.ts'
import type { Target } from './messages.ts'

/** Runs a handler at the other end, with a limit of its own time in milliseconds. */
export type CallHandler = (target: Target, invocation: Invocation, limitMs?: number) => Promise<unknown>

/** Tools keep their entries where the definition is the same, and with them what a server made of them. */
export function toolEntries(
  definitions: Definitions['tools'],
  before: readonly ToolEntry[],
  call: CallHandler,
): readonly ToolEntry[] {
  const known = new Map(before.map((entry) => [entry.name, entry]))
  return definitions.map((definition) => {
    const old = known.get(definition.name)
    if (old !== undefined && isDeepStrictEqual(entryData(old), definition)) return old
    return {
      ...definition,
      invoke: async (args, invocation) => {
        try {
          const target: Target = { op: 'tool', name: definition.name, args }
          return withList('content', await call(target, invocation, definition.timeoutMs)) as ToolOutcome
        } catch (error) {
          if (isAnswerError(error)) throw error
          return errorOutcome(handlerErrorText(error))
        }
      },
    }
  })
}

/** Resources whose reads run at the other end of the port. */
export function resourceEntries(
  definitions: Definitions['resources'],
  call: CallHandler,
): readonly ResourceEntry[] {
  return definitions.map((definition) => ({
    ...definition,
    read: (uri, invocation) => resourceOutcome(call({ op: 'resource', uri }, invocation)),
  }))
}

/** Templates that match here, without asking, and list and read at the other end. */
export function templateEntries(
  definitions: Definitions['templates'],
  call: CallHandler,
): readonly ResourceTemplateEntry[] {
  return definitions.map(({ lists, ...definition }) => {
    const { uriTemplate } = definition
    const compiled = compileUriTemplate(uriTemplate)
    return {
      ...definition,
      match: (uri) => matchTyped(compiled, definition.variableTypes, uri),
      ...(lists
        ? { list: (invocation: Invocation) => listed(call({ op: 'list', uriTemplate }, invocation)) }
        : {}),
      read: (uri, variables, invocation) =>
        resourceOutcome(call({ op: 'template', uriTemplate, uri, variables }, invocation)),
    }
  })
}

/** Prompts that are made at the other end of the port. */
export function promptEntries(
  definitions: Definitions['prompts'],
  call: CallHandler,
): readonly PromptEntry[] {
  return definitions.map((definition) => ({
    ...definition,
    get: (args, invocation) => promptOutcome(call({ op: 'prompt', name: definition.name, args }, invocation)),
  }))
}

/** What a completion gave; undefined where the reference is unknown. */
export function completion(answer: Promise<unknown>): Promise<CompletionOutcome | undefined> {
  return withInternalErrors(async () => {
    const value = await answer
    return value === undefined ? undefined : (withList('values', value) as CompletionOutcome)
  })
}

function listed(answer: Promise<unknown>): Promise<readonly ListedResource[]> {
  return withInternalErrors(async () => {
    const list = await answer
    if (isArrayOf(list, (item) => isJsonObject(item) && typeof item['uri'] === 'string')) {
      return list as readonly ListedResource[]
    }
    throw new TypeError('The process that runs the handlers gave no list of resources.')
  })
}

function resourceOutcome(answer: Promise<unknown>): Promise<ResourceOutcome> {
  return withInternalErrors(async () => withList('contents', await answer) as ResourceOutcome)
}

function promptOutcome(answer: Promise<unknown>): Promise<PromptOutcome> {
  return withInternalErrors(async () => withList('messages', await answer) as PromptOutcome)
}

/** Checks that what came is an object with that list. Its items go to the client as they are. */
function withList(member: string, value: unknown): unknown {
  if (isJsonObject(value) && Array.isArray(value[member])) return value
  throw new TypeError(`The process that runs the handlers gave a result without "${member}".`)
}
