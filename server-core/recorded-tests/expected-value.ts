import { MASKED_SECRET } from '../capture/redaction.ts'
import { volatileParts } from '../comparison/volatile-values.ts'
import { ExactNumber } from '../protocol/exact-json.ts'
import { isJsonObject } from '../protocol/json.ts'
import { callOf, listOf, objectOf, patternSource, stringSource, type Source } from './source-text.ts'

/** Longer texts are expected by their beginning. */
const LONGEST_TEXT = 1_000
const BEGINNING = 200
/** Texts of this length without a space are data, such as an image. */
const LONGEST_DATA = 200
const DATA = /^[A-Za-z0-9+/=_-]+$/
/** What takes the place of a value that differs each time the server returns it. */
const RETURNED = /[\w-]+/

/** Values of the recording that differ each time the server returns them. */
export type TestVariables = {
  /** Variables of the test that hold them now, by the recorded value. */
  readonly variables: ReadonlyMap<string, string>
  /** Values that no variable holds yet. */
  readonly unknown: ReadonlySet<string>
}

/** What a test expects in place of a value of the recording: the value itself, or a matcher where it differs each time. */
export function expectedValue(value: unknown, returned: TestVariables): Source {
  return sourceOf(
    value,
    (text) => expectedText(text, returned),
    (number) =>
      volatileParts(number).some((part) => part instanceof RegExp) ? 'expect.any(Number)' : String(number),
  )
}

/** A value that the test sends. */
export function sentValue(value: unknown, variables: ReadonlyMap<string, string> = new Map()): Source {
  return sourceOf(value, (text) => variableSource(text, variables) ?? stringSource(text), String)
}

/** What `expect(text)` has to fulfil: a call of a matcher. */
export function expectedWholeText(text: string, returned: TestVariables): Source {
  const expected = expectedText(text, returned)
  const [, matcher, argument = ''] =
    /^expect\.(any|stringMatching|stringContaining)\((.*)\)$/s.exec(expected) ?? []
  switch (matcher) {
    case 'any':
      return 'toBeTruthy()'
    case 'stringMatching':
      return callOf('toMatch', [argument])
    case 'stringContaining':
      return callOf('toContain', [argument])
    default:
      return callOf('toBe', [expected])
  }
}

function sourceOf(
  value: unknown,
  text: (value: string) => string,
  number: (value: number) => string,
): Source {
  if (typeof value === 'string') return text(value)
  if (typeof value === 'number') return number(value)
  if (value instanceof ExactNumber) return number(value.toNumber())
  if (Array.isArray(value)) return listOf(value.map((item) => sourceOf(item, text, number)))
  if (isJsonObject(value))
    return objectOf(Object.entries(value).map(([name, each]) => [name, sourceOf(each, text, number)]))
  return String(value)
}

/** The text with variables in place of values that they hold; undefined if it has none. */
function variableSource(text: string, variables: ReadonlyMap<string, string>): string | undefined {
  const whole = variables.get(text)
  if (whole !== undefined) return whole
  const parts = [...variables].filter(([value]) => text.includes(value))
  if (parts.length === 0) return undefined
  let source = text.replaceAll(/[`\\$]/g, '\\$&').replaceAll('\n', '\\n')
  for (const [value, name] of parts) source = source.replaceAll(value, `\${${name}}`)
  return `\`${source}\``
}

const ANY_TEXT = 'expect.any(String)'

function expectedText(text: string, { variables, unknown }: TestVariables): string {
  if (text.includes(MASKED_SECRET)) return ANY_TEXT
  if (text.length > LONGEST_DATA && DATA.test(text)) return ANY_TEXT
  const held = variableSource(text, variables)
  if (held !== undefined) return held
  const parts = volatileParts(text).flatMap((part) =>
    part instanceof RegExp ? [part] : splitAt(part, unknown),
  )
  const [first] = parts
  if (parts.length === 1 && first instanceof RegExp) return ANY_TEXT
  if (text.length > LONGEST_TEXT) {
    const beginning = typeof first === 'string' ? first.slice(0, BEGINNING) : ''
    return beginning === '' ? ANY_TEXT : `expect.stringContaining(${stringSource(beginning)})`
  }
  if (parts.some((part) => part instanceof RegExp)) return `expect.stringMatching(${patternSource(parts)})`
  return stringSource(text)
}

function splitAt(text: string, values: ReadonlySet<string>): (string | RegExp)[] {
  const value = [...values].find((each) => text.includes(each))
  if (value === undefined) return text === '' ? [] : [text]
  const pieces = text.split(value).map((piece) => splitAt(piece, values))
  return pieces.flatMap((piece, place) => (place === 0 ? piece : [RETURNED, ...piece]))
}
