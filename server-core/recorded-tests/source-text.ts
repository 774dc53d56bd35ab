/** Columns of a line, as in the code that Patchbay writes elsewhere. */
const WIDTH = 100

/** A piece of source code: words that stay together, or a list in brackets that may be split into lines. */
export type Source =
  | string
  | {
      /** `[` or `{`, with what precedes it on its line, such as `expect.objectContaining(`. */
      readonly open: string
      readonly close: string
      readonly items: readonly { readonly before: string; readonly value: Source }[]
    }

/** Prints source code behind what is already on its line: on this line if it fits, else one item a line. */
export function print(source: Source, indent: string, taken = 0): string {
  if (typeof source === 'string') return source
  const line = onOneLine(source)
  if (indent.length + taken + line.length <= WIDTH) return line
  const { open, close, items } = source
  const inner = `${indent}  `
  const lines = items.map(
    ({ before, value }) => `${inner}${before}${print(value, inner, before.length + 1)},\n`,
  )
  return items.length === 0 ? open + close : `${open}\n${lines.join('')}${indent}${close}`
}

function onOneLine(source: Source): string {
  if (typeof source === 'string') return source
  const { open, close, items } = source
  const space = open.endsWith('{') && items.length > 0 ? ' ' : ''
  return `${open}${space}${items.map(({ before, value }) => before + onOneLine(value)).join(', ')}${space}${close}`
}

/** A list in brackets. */
export function listOf(items: readonly Source[]): Source {
  return { open: '[', close: ']', items: items.map((value) => ({ before: '', value })) }
}

/** An object of these members. */
export function objectOf(members: readonly (readonly [string, Source])[]): Source {
  return {
    open: '{',
    close: '}',
    items: members.map(([name, value]) =>
      // `id` in place of `id: id`.
      ({ before: value === name ? '' : `${propertyName(name)}: `, value }),
    ),
  }
}

/** A call of a function. */
export function callOf(name: string, args: readonly Source[]): Source {
  const [only] = args
  // The brackets of the only argument stay beside those of the call.
  if (args.length === 1 && typeof only === 'object')
    return { ...only, open: `${name}(${only.open}`, close: `${only.close})` }
  return { open: `${name}(`, close: ')', items: args.map((value) => ({ before: '', value })) }
}

/** A text as a string of JavaScript. */
export function stringSource(text: string): string {
  const escaped = JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"')
  return `'${escaped.replaceAll("'", "\\'").replaceAll('\u2028', '\\u2028').replaceAll('\u2029', '\\u2029')}'`
}

/** A text of which parts are regular expressions, as a regular expression of the whole. */
export function patternSource(parts: readonly (string | RegExp)[]): string {
  const source = parts
    .map((part) => (typeof part === 'string' ? escapeForPattern(part) : part.source))
    .join('')
  return `/^${source}$/`
}

/** A text as part of a regular expression. */
export function escapeForPattern(text: string): string {
  return text
    .replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')
    .replaceAll('\n', '\\n')
    .replaceAll('\r', '\\r')
    .replaceAll(/[\u0000-\u001f\u007f-\u009f\u2028\u2029]/g, (character) => {
      return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
    })
}

/** Makes a name of a variable: `get-weather` becomes `getWeather`. */
export function variableName(text: string): string {
  const words = text.split(/[^A-Za-z0-9]+/).filter((word) => word !== '')
  const [first = 'result', ...rest] = words
  const name = first.charAt(0).toLowerCase() + first.slice(1) + rest.map(capitalized).join('')
  return /^[a-z]/.test(name) && !RESERVED.has(name) ? name : `the${capitalized(name)}`
}

function capitalized(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1)
}

/** Names that mean something else in a test file. */
const RESERVED = new Set(
  (
    'answers arguments async await break case catch class const continue debugger default delete do else enum eval expect ' +
    'export extends false finally for function if implements import in instanceof interface let mcp new null of package ' +
    'private protected public return static super switch test this throw true try typeof undefined var void while with yield'
  ).split(' '),
)

function propertyName(name: string): string {
  // `__proto__: value` would set the prototype.
  if (name === '__proto__') return "['__proto__']"
  return /^[A-Za-z_$][\w$]*$/.test(name) ? name : stringSource(name)
}
