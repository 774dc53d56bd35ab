import type { JsonObject } from '../protocol/json.ts'
import type { HandlerContext } from './context.ts'
import type { TaskBehaviour } from './entries.ts'
import type { Middleware } from './middleware.ts'
import type { InputOf, OutputOf, ParsingSchema, SchemaInput } from './schema.ts'
import type { TypeBoxSchema } from './typebox-schema.ts'

/** Members that tools, resources, templates and prompts share. */
export type Described<L = unknown> = Middleware<L> & {
  /** What people read instead of the name. */
  readonly title?: string
  readonly description?: string
  /** Pictures: `src` is an `https:` or `data:` URL (specification: Icons). */
  readonly icons?: readonly JsonObject[]
  /** Goes out as `_meta`. */
  readonly meta?: JsonObject
  /** Words to sort and choose by. Guards see them; clients find them as `tags`, and in `_meta` as `patchbay/tags`. */
  readonly tags?: readonly string[]
  /** False: registered, but neither listed nor callable until `update({ exposed: true })`. */
  readonly exposed?: boolean
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

type Structured<O> = O extends ParsingSchema | TypeBoxSchema ? InputOf<O, unknown> | ExplicitResult : unknown
/** What `run` may give: see `toToolOutcome` for every form. An `AsyncIterable` is streamed as progress. */
export type ToolReturn<O> = Structured<O> | Promise<Structured<O>> | AsyncIterable<unknown>

/** Makes the result of a streamed run: called with what it gave last (undefined at first) and each item. */
export type Accumulate = (accumulated: unknown, item: unknown) => unknown

/** A tool (specification: Tools). */
export type ToolDefinition<
  I extends SchemaInput = SchemaInput,
  O extends SchemaInput = SchemaInput,
  L = unknown,
> = Described<L> & {
  readonly name: string
  readonly annotations?: ToolAnnotations
  /** Arguments: a schema of an object, of zod, another library of Standard Schema, or JSON Schema. None: any object. */
  readonly input?: I
  /**
   * Descriptions of arguments whose schema has none, by name; those of nested objects with dots (`place.city`). Names that
   * the schema does not have are passed over.
   */
  readonly argumentDescriptions?: Readonly<Record<string, string>>
  /**
   * Who holds the arguments against `input`. `server` (if not given): before anything of the tool runs, and the server
   * words what does not fit. `handler`: where the handler runs, after the guards; `mapError` is asked about an
   * `ArgumentsError`, so that the tool can answer in words of its own.
   */
  readonly validation?: 'server' | 'handler'
  /** The structured result: a schema like `input`, of any value. */
  readonly output?: O
  /** Milliseconds of the handler's own time; 60,000 if not given. */
  readonly timeout?: number
  /** The handler may be run again from the top, finding the answers it already got. */
  readonly reentrant?: boolean
  /** Whether calls may be, or must be, tasks: jobs that the client looks at later. `forbidden` if not given. */
  readonly taskSupport?: 'forbidden' | 'optional' | 'required'
  /** How its calls become tasks. */
  readonly task?: TaskBehaviour
  /** Without it a stream of texts gives them joined, one without texts its last item; one of both fails. */
  readonly accumulate?: Accumulate
  run(args: OutputOf<I>, ctx: HandlerContext<L>): ToolReturn<O>
}

/** Members to change; `undefined` takes an optional one away. */
export type Changes<D> = { readonly [K in keyof D]?: D[K] | undefined }

/** What a registration gives back. */
export type Handle<D> = {
  /** Updates the definition. Peers are notified only if something they can see changed. Throws a `RegistryError`. */
  update(changes: Changes<D>): void
  /** Removes it; returns false if it was removed already. */
  remove(): boolean
}
