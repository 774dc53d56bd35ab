/** One choice of an enum: the value that is sent and the words that are shown. */
export type Option = { readonly label: string; readonly value: unknown; readonly description?: string }

/** A specification that is worked out when it is needed: schemas may contain themselves. */
export type Lazy = () => FieldSpec

export type Property = { readonly name: string; readonly required: boolean; readonly spec: Lazy }

/** How an object takes members beside its properties. */
export type Pairs =
  /** Offered, with this kind of value. `reason` says why it is plain JSON, if the schema says more than a form can. */
  | { readonly type: 'offered'; readonly spec: Lazy; readonly reason?: string }
  /** Allowed but not invited: shown when the value has them. */
  | { readonly type: 'shown'; readonly spec: Lazy }

export type Variant = {
  readonly label: string
  /** Its place in the `oneOf` or `anyOf` of the schema, which findings name. */
  readonly place: number
  readonly spec: Lazy
}

export type Shape =
  | {
      readonly type: 'string'
      readonly format?: string
      readonly base64: boolean
      readonly mediaType?: string
    }
  | { readonly type: 'number'; readonly integer: boolean }
  | { readonly type: 'boolean' }
  | { readonly type: 'const'; readonly value: unknown }
  | { readonly type: 'enum'; readonly options: readonly Option[] }
  /** An array whose items are all of one enum: a row of boxes to tick. */
  | { readonly type: 'choices'; readonly options: readonly Option[] }
  | { readonly type: 'object'; readonly properties: readonly Property[]; readonly pairs: Pairs }
  | { readonly type: 'array'; readonly item: Lazy; readonly minItems: number; readonly maxItems?: number }
  | { readonly type: 'tuple'; readonly items: readonly Lazy[]; readonly rest: Lazy; readonly open: boolean }
  | {
      readonly type: 'variants'
      readonly keyword: 'oneOf' | 'anyOf' | 'type'
      readonly variants: readonly Variant[]
    }
  /** What a form cannot express, with the reason. */
  | { readonly type: 'json'; readonly reason: string }

/** One field of a form, as a schema asks for it. */
export type FieldSpec = {
  readonly title?: string
  readonly description?: string
  readonly default?: { readonly value: unknown }
  readonly examples?: readonly unknown[]
  readonly nullable: boolean
  readonly shape: Shape
  /** The kind and its limits in a few words: `integer 1…7`. */
  readonly note: string
  /** The `$ref` it came from, if any. */
  readonly ref?: string
  readonly deprecated: boolean
}

/** Returns whether a field is one control on one line, and not a group of fields. */
export function isScalar(spec: FieldSpec): boolean {
  return !['object', 'array', 'tuple', 'variants'].includes(spec.shape.type)
}
