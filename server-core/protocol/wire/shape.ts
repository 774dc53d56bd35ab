import { SUPPORTED, type Revision } from '../revisions.ts'

/** The revisions in which something exists; without bounds it is in all of them. */
export type Span = { readonly since?: Revision; readonly until?: Revision }

/** What a JSON value must look like. Objects are open in every revision: fields nobody knows pass. */
export type Shape =
  | { readonly type: 'any' }
  | { readonly type: 'boolean' }
  | { readonly type: 'null' }
  | { readonly type: 'string'; readonly format?: TextFormat }
  | { readonly type: 'number'; readonly min?: number; readonly max?: number }
  | { readonly type: 'integer'; readonly min?: number }
  | { readonly type: 'choice'; readonly values: readonly (string | number)[] }
  | { readonly type: 'list'; readonly of: Shape; readonly max?: Span & { readonly items: number } }
  | { readonly type: 'map'; readonly of: Shape }
  | { readonly type: 'object'; readonly fields: Fields }
  | { readonly type: 'union'; readonly of: readonly Variant[]; readonly by?: string }
  | { readonly type: 'named'; readonly name: string }

/** What the specification says a text is. The schemas take any text; the linter looks closer. */
export type TextFormat = 'uri' | 'uri-template' | 'base64'

/** A shape, and the revisions in which it is the one. */
export type Variant = Span & { readonly shape: Shape }

export type Field = Variant & { readonly required: boolean }

/** The fields of an object; one that changed its shape has an entry for each. */
export type Fields = { readonly [name: string]: Field | readonly Field[] }

/** Definitions by the name that the specification gives them. */
export type Definitions = { readonly [name: string]: Variant | readonly Variant[] }

export const ANY: Shape = { type: 'any' }
export const BOOLEAN: Shape = { type: 'boolean' }
export const NULL: Shape = { type: 'null' }
export const TEXT: Shape = { type: 'string' }
export const URI: Shape = { type: 'string', format: 'uri' }
export const URI_TEMPLATE: Shape = { type: 'string', format: 'uri-template' }
export const BASE64: Shape = { type: 'string', format: 'base64' }
export const NUMBER: Shape = { type: 'number' }
export const INTEGER: Shape = { type: 'integer' }
/** From 0 to 1. */
export const FRACTION: Shape = { type: 'number', min: 0, max: 1 }
/** An object without a rule for its members. */
export const OPEN: Shape = { type: 'object', fields: {} }

/** A reference to a definition. */
export const named = (name: string): Shape => ({ type: 'named', name })
export const object = (fields: Fields): Shape => ({ type: 'object', fields })
export const list = (of: Shape): Shape => ({ type: 'list', of })
export const map = (of: Shape): Shape => ({ type: 'map', of })
export const choice = (...values: readonly (string | number)[]): Shape => ({ type: 'choice', values })
export const union = (...of: readonly (Shape | Variant)[]): Shape => ({ type: 'union', of: of.map(variant) })

/** A union whose members tell themselves apart by the value of one field. */
export const tagged = (by: string, ...of: readonly (Shape | Variant)[]): Shape => ({
  type: 'union',
  by,
  of: of.map(variant),
})

/** A shape within a span. */
export const only = (shape: Shape, span: Span): Variant => ({ ...span, shape })
/** A field that must be there. */
export const need = (shape: Shape, span: Span = {}): Field => ({ ...span, shape, required: true })
/** A field that may be there. */
export const may = (shape: Shape, span: Span = {}): Field => ({ ...span, shape, required: false })

export const since = (revision: Revision): Span => ({ since: revision })
export const until = (revision: Revision): Span => ({ until: revision })
export const between = (first: Revision, last: Revision): Span => ({ since: first, until: last })

/** Returns whether a revision lies in the span. */
export function covers(span: Span, revision: Revision): boolean {
  const at = SUPPORTED.indexOf(revision)
  const first = span.since === undefined ? 0 : SUPPORTED.indexOf(span.since)
  const last = span.until === undefined ? SUPPORTED.length : SUPPORTED.indexOf(span.until)
  return first <= at && at <= last
}

/** The entry that holds in a revision, of one or several; undefined if none does. */
export function inRevision<T extends Span>(entries: T | readonly T[], revision: Revision): T | undefined {
  return listOf(entries).find((entry) => covers(entry, revision))
}

/** One or several entries as a list. */
export function listOf<T extends object>(entries: T | readonly T[]): readonly T[] {
  return isList(entries) ? entries : [entries]
}

function isList<T extends object>(entries: T | readonly T[]): entries is readonly T[] {
  return Array.isArray(entries)
}

function variant(entry: Shape | Variant): Variant {
  return 'shape' in entry ? entry : { shape: entry }
}
