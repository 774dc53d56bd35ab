import type { z } from 'zod'
import type { JsonObject } from '../protocol/json.ts'
import type { UriVariables } from '../protocol/uri-template.ts'
import type { HandlerContext } from './context.ts'
import type { CacheHints, CompletionOutcome, ListedResource, TaskBehaviour } from './entries.ts'
import type { OutputOf, SchemaInput, ZodSchema } from './schema.ts'

type Described = {
  readonly title?: string
  readonly description?: string
  readonly icons?: readonly JsonObject[]
  /** Goes out as `_meta`. */
  readonly meta?: JsonObject
}

/** Hints for clients (specification: Tools, ToolAnnotations). */
export type ToolAnnotations = {
  readonly title?: string
  readonly readOnlyHint?: boolean
  readonly destructiveHint?: boolean
  readonly idempotentHint?: boolean
  readonly openWorldHint?: boolean
}

/** A result that says itself what is what. Without `content` the structured value is also sent as text. */
export type ExplicitResult = {
  readonly content?: readonly JsonObject[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
  readonly _meta?: JsonObject
}

type Structured<O> = O extends ZodSchema ? z.input<O> | ExplicitResult : unknown
/** What `run` may give: see `toToolOutcome` for every form. An `AsyncIterable` is streamed as progress. */
export type ToolReturn<O> = Structured<O> | Promise<Structured<O>> | AsyncIterable<unknown>

export type ToolDefinition<
  I extends SchemaInput = SchemaInput,
  O extends SchemaInput = SchemaInput,
> = Described & {
  readonly name: string
  readonly annotations?: ToolAnnotations
  /** Arguments: zod or JSON Schema, of an object. Without it any object is taken. */
  readonly input?: I
  /** The structured result: zod or JSON Schema. */
  readonly output?: O
  /** Milliseconds of the handler's own time; 60,000 if not given. */
  readonly timeout?: number
  /** The handler may be run again from the top, finding the answers it already got. */
  readonly reentrant?: boolean
  /** Whether calls may be, or must be, tasks: jobs that the client looks at later. `forbidden` if not given. */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required'
  /** How its calls become tasks. */
  readonly task?: TaskBehaviour
  /** Makes the result of a streamed run: called with what it gave last (undefined at first) and each item. */
  readonly accumulate?: (accumulated: unknown, item: unknown) => unknown
  run(args: OutputOf<I>, ctx: HandlerContext): ToolReturn<O>
}

/** One thing a read gives: text, bytes, or an object with `text` or `blob` (base64 or bytes) and its own facts. */
export type ResourceContent = string | Uint8Array | JsonObject
export type ResourceReturn = ResourceContent | readonly ResourceContent[] | undefined

export type ResourceDefinition = Described & {
  /** Absolute, without white space. */
  readonly uri: string
  readonly name: string
  /** `text/plain` if not given, `application/octet-stream` for bytes. */
  readonly mimeType?: string
  readonly size?: number
  readonly annotations?: JsonObject
  /** How long clients may keep what is read; not at all if not given. */
  readonly cache?: CacheHints
  readonly reentrant?: boolean
  /** The content itself, or what reads it. Undefined means that the resource does not exist (any more). */
  readonly read:
    string | Uint8Array | ((ctx: HandlerContext, uri: string) => ResourceReturn | Promise<ResourceReturn>)
}

/**
 * Suggests values for what was typed so far: all of them as a list, or a function that also sees what the other
 * arguments are set to. At most 100 go out.
 */
export type Completer =
  | readonly string[]
  | ((
      value: string,
      ctx: HandlerContext,
      others: Readonly<Record<string, string>>,
    ) => readonly string[] | CompletionOutcome | Promise<readonly string[] | CompletionOutcome>)

type Expressions<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? E | Expressions<Rest>
  : never
type Names<L extends string> = L extends `${infer N},${infer Rest}` ? N | Names<Rest> : L

/** The variables of a URI template, read from its text: `{a}` a string, `{a*}` a list, `{?a}` perhaps missing. */
export type VariablesOf<T extends string> = string extends T
  ? UriVariables
  : {
      readonly [
        E in Expressions<T> as E extends `?${string}` | `${string}*` ? never : E extends `+${infer N}` ? N : E
      ]: string
    } & {
      readonly [E in Expressions<T> as E extends `${infer N}*` ? N : never]: readonly string[]
    } & {
      readonly [E in Expressions<T> as E extends `?${infer L}` ? Names<L> : never]?: string
    }

export type ResourceTemplateDefinition<T extends string = string> = Described & {
  /** `{a}`, `{+a}`, `{a*}` and at the end `{?a,b}` of RFC 6570. */
  readonly uriTemplate: T
  readonly name: string
  readonly mimeType?: string
  readonly annotations?: JsonObject
  /** How long clients may keep what is read; not at all if not given. */
  readonly cache?: CacheHints
  readonly reentrant?: boolean
  /** Suggestions by the name of the variable. */
  readonly complete?: Readonly<Record<string, Completer>>
  /** The resources that exist just now; they are listed beside the static ones. */
  list?(ctx: HandlerContext): readonly ListedResource[] | Promise<readonly ListedResource[]>
  read(variables: VariablesOf<T>, ctx: HandlerContext, uri: string): ResourceReturn | Promise<ResourceReturn>
}

export type PromptArgumentDefinition = {
  readonly name: string
  readonly title?: string
  readonly description?: string
  readonly required?: boolean
}

type ArgumentsOf<A extends readonly PromptArgumentDefinition[]> = {
  readonly [P in A[number] as P extends { readonly required: true } ? P['name'] : never]: string
} & {
  readonly [P in A[number] as P extends { readonly required: true } ? never : P['name']]?: string
}

/** A turn of a prompt: text or one content block, said by the user unless `role` says otherwise. */
export type PromptMessage = {
  readonly role?: 'user' | 'assistant'
  readonly content: string | JsonObject | readonly (string | JsonObject)[]
}
export type PromptReturn =
  | string
  | PromptMessage
  | readonly (string | PromptMessage)[]
  | {
      readonly description?: string
      readonly messages: readonly (string | PromptMessage)[]
      readonly _meta?: JsonObject
    }

export type PromptDefinition<
  A extends readonly PromptArgumentDefinition[] = readonly PromptArgumentDefinition[],
> = Described & {
  readonly name: string
  readonly arguments?: A
  /** Suggestions by the name of the argument. */
  readonly complete?: Readonly<Record<string, Completer>>
  readonly reentrant?: boolean
  get(args: ArgumentsOf<A>, ctx: HandlerContext): PromptReturn | Promise<PromptReturn>
}

/** Members to change; `undefined` takes an optional one away. */
export type Changes<D> = { readonly [K in keyof D]?: D[K] | undefined }

/** What a registration gives back. */
export type Handle<D> = {
  /** Changes what is given. Peers are told only if something they can see changed. Throws a `RegistryError`. */
  update(changes: Changes<D>): void
  /** Takes it away; false if it was gone already. */
  remove(): boolean
}
