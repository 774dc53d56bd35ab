import type { Node } from 'jsonc-parser'
import { ConfigSyntaxError, placeOf } from './config-format.ts'

/** What may be between two tokens. */
const TRIVIA = /(?:[\s\uFEFF]+|\/\/[^\n\r]*|\/\*[\s\S]*?\*\/)*/y
const NAME = /[\p{L}_$][\p{L}\p{N}_$\u200C\u200D]*/uy
const NUMBER = /[+-]?(?:0[xX][\da-fA-F]+|Infinity|NaN|(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?)/y
const WORDS: ReadonlyMap<string, unknown> = new Map<string, unknown>([
  ['true', true],
  ['false', false],
  ['null', null],
  ['Infinity', Infinity],
  ['NaN', NaN],
])
const ESCAPES: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '0': '\0',
}
/** Deeper than any configuration, and far from the end of the stack. */
const DEEPEST = 200

/**
 * The tree of a JSON5 text, as `jsonc-parser` would give it: names without quotes, texts in single quotes, and numbers as
 * people write them are taken too.
 *
 * @throws ConfigSyntaxError with the place of the error
 */
export function parseJson5Tree(text: string): Node {
  const reader = new Reader(text)
  const root = reader.value(0)
  reader.end()
  return root
}

class Reader {
  readonly #text: string
  #at = 0

  constructor(text: string) {
    this.#text = text
  }

  value(depth: number): Node {
    this.#skip()
    const offset = this.#at
    const character = this.#text[offset]
    if (depth > DEEPEST) throw this.#error('it is nested too deep')
    if (character === '{' || character === '[') return this.#collection(depth, character)
    if (character === '"' || character === "'") {
      const value = this.#quoted(character)
      return { type: 'string', offset, length: this.#at - offset, value }
    }
    const number = this.#take(NUMBER)
    if (number !== undefined)
      return { type: 'number', offset, length: number.length, value: Number(number.replace(/^\+/, '')) }
    const word = this.#take(NAME)
    if (word === undefined || !WORDS.has(word)) {
      this.#at = offset
      throw this.#error('expected a value')
    }
    const value = WORDS.get(word)
    const type = value === null ? 'null' : typeof value === 'boolean' ? 'boolean' : 'number'
    return { type, offset, length: word.length, value }
  }

  /** Throws if anything but blanks and comments is left. */
  end(): void {
    this.#skip()
    if (this.#at < this.#text.length) throw this.#error('expected the end')
  }

  #collection(depth: number, open: '{' | '['): Node {
    const offset = this.#at
    const close = open === '{' ? '}' : ']'
    const children: Node[] = []
    this.#at += 1
    for (;;) {
      this.#skip()
      if (this.#text[this.#at] === close) break
      children.push(open === '{' ? this.#property(depth) : this.value(depth + 1))
      this.#skip()
      const next = this.#text[this.#at]
      if (next === ',') this.#at += 1
      else if (next !== close) throw this.#error(`expected a comma or ${close}`)
    }
    this.#at += 1
    return { type: open === '{' ? 'object' : 'array', offset, length: this.#at - offset, children }
  }

  #property(depth: number): Node {
    const offset = this.#at
    const character = this.#text[offset]
    const name = character === '"' || character === "'" ? this.#quoted(character) : this.#take(NAME)
    if (name === undefined) throw this.#error('expected a name')
    const key: Node = { type: 'string', offset, length: this.#at - offset, value: name }
    this.#skip()
    if (this.#text[this.#at] !== ':') throw this.#error('expected a colon')
    const colonOffset = this.#at
    this.#at += 1
    const value = this.value(depth + 1)
    return { type: 'property', offset, length: this.#at - offset, colonOffset, children: [key, value] }
  }

  #quoted(quote: string): string {
    this.#at += 1
    let value = ''
    for (;;) {
      const character = this.#text[this.#at]
      if (character === undefined || character === '\n') throw this.#error('expected the end of a text')
      this.#at += 1
      if (character === quote) return value
      value += character === '\\' ? this.#escaped() : character
    }
  }

  #escaped(): string {
    const character = this.#text[this.#at] ?? ''
    this.#at += 1
    if (character === '\r' && this.#text[this.#at] === '\n') this.#at += 1
    if (/[\n\r\u2028\u2029]/.test(character)) return ''
    const digits = character === 'u' ? 4 : character === 'x' ? 2 : 0
    if (digits === 0) return ESCAPES[character] ?? character
    const code = this.#text.slice(this.#at, this.#at + digits)
    if (code.length < digits || !/^[\da-fA-F]+$/.test(code)) throw this.#error('expected hexadecimal digits')
    this.#at += digits
    return String.fromCharCode(Number.parseInt(code, 16))
  }

  #skip(): void {
    TRIVIA.lastIndex = this.#at
    this.#at += TRIVIA.exec(this.#text)?.[0].length ?? 0
  }

  #take(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.#at
    const found = pattern.exec(this.#text)?.[0]
    if (found !== undefined) this.#at += found.length
    return found
  }

  #error(expected: string): ConfigSyntaxError {
    const found = this.#text.slice(this.#at, this.#at + 20)
    const got = found === '' ? 'the end' : JSON.stringify(found)
    return new ConfigSyntaxError(`it is not JSON: ${expected}, got ${got}`, placeOf(this.#text, this.#at))
  }
}
