/**
 * A schema of TypeBox: JSON Schema with a mark that tells types what it describes. It is checked like any JSON Schema;
 * only its types are read here, so that nobody needs the package for them.
 */
export type TypeBoxSchema = { readonly '~kind': string }

type Shape = Readonly<Record<string, unknown>>

/** What a TypeBox schema describes. Kinds that JSON has no values of are `unknown`. */
export type TypeBoxStatic<S> = S extends { readonly '~kind': infer K }
  ? K extends 'Object'
    ? S extends { readonly properties: infer P }
      ? StaticObject<P>
      : Shape
    : K extends 'Array'
      ? S extends { readonly items: infer I }
        ? TypeBoxStatic<I>[]
        : unknown[]
      : K extends 'Tuple'
        ? S extends { readonly items: infer T extends readonly unknown[] }
          ? { -readonly [N in keyof T]: TypeBoxStatic<T[N]> }
          : unknown[]
        : K extends 'Union'
          ? S extends { readonly anyOf: infer T extends readonly unknown[] }
            ? TypeBoxStatic<T[number]>
            : unknown
          : K extends 'Literal'
            ? S extends { readonly const: infer V }
              ? V
              : unknown
            : K extends 'Enum'
              ? S extends { readonly enum: infer V extends readonly unknown[] }
                ? V[number]
                : unknown
              : K extends 'Record'
                ? Shape
                : K extends keyof Primitives
                  ? Primitives[K]
                  : unknown
  : unknown

type Primitives = {
  String: string
  TemplateLiteral: string
  Number: number
  Integer: number
  Boolean: boolean
  Null: null
}

type OptionalNames<P> = {
  [N in keyof P]: P[N] extends { readonly '~optional': true } ? N : never
}[keyof P]

type StaticObject<P> = {
  [N in Exclude<keyof P, OptionalNames<P>>]: TypeBoxStatic<P[N]>
} & { [N in OptionalNames<P>]?: TypeBoxStatic<P[N]> }
