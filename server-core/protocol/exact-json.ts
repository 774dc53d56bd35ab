/**
 * A number kept as the text it was written in, because a double would change it: `12345678901234567890`, `1e400`.
 * Both `stringifyExact` and `JSON.stringify` put that text back on the wire.
 */
export class ExactNumber {
  /** The JSON text of the number. */
  readonly source: string

  /** Throws a `TypeError` if the text is not a JSON number. */
  constructor(source: string) {
    if (!/^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/.test(source)) {
      throw new TypeError(`expected a JSON number, got ${source.slice(0, 100)}`)
    }
    this.source = source
  }

  /** The nearest double, for comparing and sorting; infinite if it is too large for one. */
  toNumber(): number {
    return Number(this.source)
  }

  toString(): string {
    return this.source
  }

  /** A raw JSON value where the platform has them, else the nearest double. */
  toJSON(): unknown {
    return platform.rawJSON === undefined ? this.toNumber() : platform.rawJSON(this.source)
  }
}

/** The parts of `JSON` that the type library does not know yet. */
type ExactPlatform = {
  parse(
    text: string,
    reviver: (key: string, value: unknown, context?: { readonly source?: string }) => unknown,
  ): unknown
  stringify(
    value: unknown,
    replacer: (key: string, value: unknown) => unknown,
    space?: number,
  ): string | undefined
  rawJSON?(text: string): unknown
}
const platform: ExactPlatform = JSON

/**
 * Which numbers stay text: those whose *value* a double cannot hold, or all whose *text* would come out differently
 * (`1.0`, `1E5` and `-0` too).
 */
export type Keep = 'value' | 'text'

/** Sixteen digits in a row or an exponent of three: nothing shorter can lose its value. */
const MAY_LOSE_VALUE = /\d(?:\.?\d){15}|\d[eE][+-]?\d{3}/
const MAY_LOSE_TEXT = /\d(?:\.?\d){15}|\d[eE.]|-0/

/**
 * Parses JSON text like `JSON.parse`, except that numbers which would not survive come as `ExactNumber`. Text
 * without such numbers costs one scan more than `JSON.parse`.
 * Throws a `SyntaxError` if the text is not JSON.
 */
export function parseExact(text: string, keep: Keep = 'value'): unknown {
  const mayLose = keep === 'value' ? MAY_LOSE_VALUE : MAY_LOSE_TEXT
  if (!mayLose.test(text)) return JSON.parse(text) as unknown
  return platform.parse(text, (_key, value, context) => {
    const source = context?.source
    if (typeof value !== 'number' || source === undefined) return value
    const survives = keep === 'value' ? isSameNumber(source, value) : JSON.stringify(value) === source
    return survives ? value : new ExactNumber(source)
  })
}

/**
 * Writes JSON text like `JSON.stringify`; an `ExactNumber` and a `bigint` are written digit by digit.
 * Throws a `TypeError` for what JSON cannot carry at all: undefined, functions, cycles.
 */
export function stringifyExact(value: unknown, space?: number): string {
  const replacer = (_key: string, member: unknown): unknown =>
    typeof member === 'bigint' ? new ExactNumber(member.toString()).toJSON() : member
  const text = platform.stringify(value, replacer, space)
  if (text === undefined) throw new TypeError(`expected a JSON value, got ${typeof value}`)
  return text
}

/** Returns whether a double, written in decimal, is the number that the JSON text says. */
function isSameNumber(source: string, value: number): boolean {
  if (!Number.isFinite(value)) return false
  const text = String(value)
  return text === source || decimalOf(text) === decimalOf(source)
}

/** Sign, significant digits and exponent in one canonical spelling; every zero is the same. */
function decimalOf(text: string): string {
  const [mantissa = '', exponent = '0'] = text.toLowerCase().split('e')
  const negative = mantissa.startsWith('-')
  const [whole = '', fraction = ''] = mantissa.replace('-', '').split('.')
  const digits = (whole + fraction).replace(/^0+/, '')
  const significant = digits.replace(/0+$/, '')
  if (significant === '') return '0'
  // No double has such an exponent, and reading it would cost time without bound.
  if (exponent.length > 20) return text
  const power = BigInt(exponent) - BigInt(fraction.length) + BigInt(digits.length - significant.length)
  return `${negative ? '-' : ''}${significant}e${power}`
}
