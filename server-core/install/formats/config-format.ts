import { CodedError } from '../../protocol/coded-error.ts'

/** An entry of a client's configuration, as it is to be written: members in their order. */
export type ConfigEntry = { readonly [member: string]: unknown }

/**
 * How one entry of a file is changed while every other byte stays. Texts come without byte order mark. All methods
 * throw a `ConfigSyntaxError`, with the place, for a text that is not of the format.
 */
export type ConfigFormat = {
  /** The content as plain data; an empty file is an empty object. */
  readonly read: (text: string) => Readonly<Record<string, unknown>>
  /**
   * The text with `entry` as `name` in the map at `path`, in place of one that is there. Maps that are missing are made.
   */
  readonly set: (text: string, path: readonly string[], name: string, entry: ConfigEntry) => string
  /** The text without `name` in the map at `path`, where it must be. */
  readonly remove: (text: string, path: readonly string[], name: string) => string
}

/** A text cannot be read, or cannot be edited piecewise. `line` and `column` count from 1. */
export class ConfigSyntaxError extends CodedError<'syntax'> {
  override readonly name = 'ConfigSyntaxError'
  readonly line: number
  readonly column: number

  constructor(message: string, place: { readonly line: number; readonly column: number }) {
    super('syntax', message)
    this.line = place.line
    this.column = place.column
  }
}

/** The text is well-formed and written in a way that leaves no room for one more entry. */
export class UneditableError extends CodedError<'uneditable'> {
  override readonly name = 'UneditableError'

  constructor(message: string, options?: ErrorOptions) {
    super('uneditable', message, options)
  }
}

/** Line and column of an offset, from 1. */
export function placeOf(text: string, offset: number): { line: number; column: number } {
  const before = text.slice(0, offset)
  const line = before.split('\n').length
  return { line, column: offset - before.lastIndexOf('\n') }
}

/** The line end that a text uses, by its first one. */
export function lineEndOf(text: string): string {
  return /\r?\n/.exec(text)?.[0] ?? '\n'
}

/** Puts texts in place of ranges of another, which do not overlap. */
export function splice(
  text: string,
  edits: readonly { readonly from: number; readonly to: number; readonly put: string }[],
): string {
  const ordered = [...edits].sort((one, other) => other.from - one.from)
  return ordered.reduce((result, { from, to, put }) => result.slice(0, from) + put + result.slice(to), text)
}
