import type { JsonObject } from '../protocol/json.ts'
import type { UriVariables } from '../protocol/uri-template.ts'
import type { HandlerContext } from './context.ts'
import type { Described, Handle } from './definitions.ts'
import type { CacheHints, CompletionOutcome, ListedResource } from './entries.ts'
import type { OutputOf, ParsingSchema, SchemaInput } from './schema.ts'

/** One thing a read gives: text, bytes, or an object with `text` or `blob` (base64 or bytes) and its own facts. */
export type ResourceContent = string | Uint8Array | JsonObject
export type ResourceReturn = ResourceContent | readonly ResourceContent[] | undefined

/** A resource at one URI (specification: Resources). */
export type ResourceDefinition<L = unknown> = Described<L> & {
  /** Absolute, without white space. */
  readonly uri: string
  readonly name: string
  /** `text/plain` if not given, `application/octet-stream` for bytes. */
  readonly mimeType?: string
  /** Bytes of the content. */
  readonly size?: number
  /** `audience`, `priority` from 0 to 1, `lastModified` (specification: Resources, Annotations). */
  readonly annotations?: JsonObject
  /** How long clients may keep what is read; not at all if not given. */
  readonly cache?: CacheHints
  readonly reentrant?: boolean
  /** The content itself, or what reads it. Undefined means that the resource does not exist (any more). */
  readonly read:
    string | Uint8Array | ((ctx: HandlerContext<L>, uri: string) => ResourceReturn | Promise<ResourceReturn>)
}

/**
 * Suggests values for what was typed so far: all of them as a list, or a function that also sees what the other
 * arguments are set to (specification: Completion). The best come first, at most 100 go out.
 */
export type Completer<L = unknown> =
  | readonly string[]
  | ((
      value: string,
      ctx: HandlerContext<L>,
      others: Readonly<Record<string, string>>,
    ) => readonly string[] | CompletionOutcome | Promise<readonly string[] | CompletionOutcome>)

type Expressions<T extends string> = T extends `${string}{${infer E}}${infer Rest}`
  ? E | Expressions<Rest>
  : never
type Names<L extends string> = L extends `${infer N},${infer Rest}` ? N | Names<Rest> : L

/** The variables of a URI template, read from its text: `{a}` a string, `{a*}` a list, `{?a}` perhaps missing. */
export type TextVariablesOf<T extends string> = string extends T
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

/** Schemas of variables by their name. */
export type VariableSchemas = Readonly<Record<string, SchemaInput>>

/** What a JSON Schema makes of a text. */
type Typed<S, Text> = S extends { readonly type: infer K }
  ? K extends 'number' | 'integer'
    ? number | Extract<Text, undefined>
    : K extends 'boolean'
      ? boolean | Extract<Text, undefined>
      : Text
  : Text

/** The variables that a schema parses: what is missing is its affair, so none of them is optional. */
type ParsedNames<T extends string, V> = Exclude<
  {
    [N in keyof TextVariablesOf<T>]-?: N extends keyof V ? (V[N] extends ParsingSchema ? N : never) : never
  }[keyof TextVariablesOf<T>],
  undefined
>

/** The variables of a URI template as its handler gets them: of their schema's type where they have one. */
export type VariablesOf<T extends string, V extends VariableSchemas | undefined> = string extends T
  ? Readonly<Record<string, unknown>>
  : {
      readonly [N in keyof TextVariablesOf<T> as N extends keyof V ? never : N]: TextVariablesOf<T>[N]
    } & {
      readonly [
        N in keyof TextVariablesOf<T> as N extends keyof V ? (V[N] extends ParsingSchema ? never : N) : never
      ]: Typed<V[N & keyof V], TextVariablesOf<T>[N]>
    } & {
      readonly [N in ParsedNames<T, V>]: V[N & keyof V] extends infer S extends ParsingSchema
        ? OutputOf<S>
        : never
    }

/** The resources that a URI template names (specification: Resources, Resource Templates). */
export type ResourceTemplateDefinition<
  T extends string = string,
  V extends VariableSchemas | undefined = VariableSchemas | undefined,
  L = unknown,
> = Described<L> & {
  /** `{a}`, `{+a}`, `{a*}` and at the end `{?a,b}` of RFC 6570. */
  readonly uriTemplate: T
  readonly name: string
  readonly mimeType?: string
  /** `audience`, `priority` from 0 to 1, `lastModified` (specification: Resources, Annotations). */
  readonly annotations?: JsonObject
  /**
   * A schema (zod, Standard Schema or JSON Schema) for each variable that is more than text. A URI whose text is not a number, integer or boolean
   * where the schema wants one is not of this template; a value that breaks the schema otherwise is refused with
   * `invalidParams`. What is an enum is completed from it.
   */
  readonly variables?: V
  /** How long clients may keep what is read; not at all if not given. */
  readonly cache?: CacheHints
  readonly reentrant?: boolean
  /** Suggestions by the name of the variable. */
  readonly complete?: Readonly<Record<string, Completer<L>>>
  /** The resources that exist just now; they are listed beside the static ones. */
  list?(ctx: HandlerContext<L>): readonly ListedResource[] | Promise<readonly ListedResource[]>
  read(
    variables: VariablesOf<T, V>,
    ctx: HandlerContext<L>,
    uri: string,
  ): ResourceReturn | Promise<ResourceReturn>
}

/** Values for the variables of a template: texts, numbers, booleans and lists of them. */
export type ExpansionValues = Readonly<
  Record<string, string | number | boolean | readonly (string | number | boolean)[] | undefined>
>

export type TemplateHandle<D> = Handle<D> & {
  /** The URI for these values (RFC 6570, section 3). Throws a `UriTemplateError` that names a missing or unfit one. */
  expand(values: ExpansionValues): string
}
