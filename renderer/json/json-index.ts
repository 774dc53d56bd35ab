/**
 * An index over JSON text: where each value starts and ends, in document order. Nothing is converted, so numbers,
 * escapes, the order of members and repeated keys stay exactly as they were written, and a tree of a large
 * document needs only the rows that are shown. The table is one `Int32Array`, cheap to hand over from a worker.
 */
export type JsonIndex = { readonly text: string; readonly table: Int32Array; readonly nodes: number }

/** Where JSON text stops being JSON. `offset` counts UTF-16 units; `line` and `column` count from 1. */
export type JsonProblem = {
  readonly message: string
  readonly offset: number
  readonly line: number
  readonly column: number
}

export type JsonIndexed =
  { readonly ok: true; readonly index: JsonIndex } | { readonly ok: false; readonly problem: JsonProblem }

export const JsonKind = { object: 0, array: 1, string: 2, number: 3, literal: 4 } as const

const STRIDE = 7
const KIND = 0
const KEY_START = 1
const KEY_END = 2
const START = 3
const END = 4
const COUNT = 5
const SIZE = 6

/** Nesting beyond this is refused, so that no document makes the page run out of stack. */
const MAX_DEPTH = 1_000

const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const PLAIN_STRING = /[^"\\\u0000-\u001f]*/y
const LITERALS = ['true', 'false', 'null']

/** Reads JSON text (RFC 8259, strictly) into an index, or says where and why it is not JSON. Never throws. */
export function indexJson(text: string): JsonIndexed {
  const scan = new Scan(text)
  const reason = scan.run()
  if (reason !== undefined) return { ok: false, problem: problemAt(text, scan.at, reason) }
  return {
    ok: true,
    index: { text, table: scan.table.slice(0, scan.nodes * STRIDE), nodes: scan.nodes },
  }
}

/** A problem with its line and column worked out. */
export function problemAt(text: string, offset: number, message: string): JsonProblem {
  let line = 1
  let lineStart = 0
  for (let at = text.indexOf('\n'); at >= 0 && at < offset; at = text.indexOf('\n', at + 1)) {
    line += 1
    lineStart = at + 1
  }
  return { message, offset, line, column: offset - lineStart + 1 }
}

class Scan {
  readonly text: string
  table = new Int32Array(64 * STRIDE)
  nodes = 0
  at = 0
  readonly #open: number[] = []

  constructor(text: string) {
    this.text = text
  }

  /** Returns the reason why the text is not JSON, and leaves `at` where it stopped. */
  run(): string | undefined {
    this.#space()
    if (this.at >= this.text.length) return 'expected a value, got nothing'
    let reason = this.#value(-1, -1)
    while (reason === undefined && this.#open.length > 0) reason = this.#member()
    if (reason !== undefined) return reason
    this.#space()
    return this.at < this.text.length ? `expected the end, got ${this.#here()}` : undefined
  }

  /** One step inside the innermost open container: a member, an item, or its end. */
  #member(): string | undefined {
    const container = this.#open[this.#open.length - 1] ?? 0
    const base = container * STRIDE
    const isObject = this.table[base + KIND] === JsonKind.object
    const close = isObject ? '}' : ']'
    const count = this.table[base + COUNT] ?? 0
    this.#space()
    if (this.text[this.at] === close) {
      this.at += 1
      this.#close(container)
      return undefined
    }
    if (count > 0) {
      if (this.text[this.at] !== ',') return `expected “,” or “${close}”, got ${this.#here()}`
      this.at += 1
      this.#space()
      if (this.text[this.at] === close) return `expected a value after the comma, found “${close}”`
    }
    this.table[base + COUNT] = count + 1
    if (!isObject) return this.#value(-1, -1)
    const keyStart = this.at
    if (this.text[keyStart] !== '"') return `expected a key in double quotes, got ${this.#here()}`
    const reason = this.#string()
    if (reason !== undefined) return reason
    const keyEnd = this.at
    this.#space()
    if (this.text[this.at] !== ':') return `expected “:” after the key, got ${this.#here()}`
    this.at += 1
    this.#space()
    return this.#value(keyStart, keyEnd)
  }

  #value(keyStart: number, keyEnd: number): string | undefined {
    const start = this.at
    const first = this.text[start]
    if (first === '{' || first === '[') {
      if (this.#open.length >= MAX_DEPTH) return `nested deeper than ${String(MAX_DEPTH)} levels`
      const kind = first === '{' ? JsonKind.object : JsonKind.array
      this.#open.push(this.#add(kind, keyStart, keyEnd, start))
      this.at += 1
      return undefined
    }
    if (first === '"') {
      const node = this.#add(JsonKind.string, keyStart, keyEnd, start)
      const reason = this.#string()
      this.#finish(node)
      return reason
    }
    NUMBER.lastIndex = start
    if (NUMBER.test(this.text)) {
      const node = this.#add(JsonKind.number, keyStart, keyEnd, start)
      this.at = NUMBER.lastIndex
      if (/[\w.+-]/.test(this.text[this.at] ?? '')) return `this is not a number: ${this.#here()}`
      this.#finish(node)
      return undefined
    }
    for (const literal of LITERALS) {
      if (!this.text.startsWith(literal, start)) continue
      const node = this.#add(JsonKind.literal, keyStart, keyEnd, start)
      this.at = start + literal.length
      if (/\w/.test(this.text[this.at] ?? '')) break
      this.#finish(node)
      return undefined
    }
    this.at = start
    return `expected a value, got ${this.#here()}`
  }

  #string(): string | undefined {
    this.at += 1
    for (;;) {
      PLAIN_STRING.lastIndex = this.at
      PLAIN_STRING.test(this.text)
      this.at = PLAIN_STRING.lastIndex
      const next = this.text[this.at]
      if (next === '"') {
        this.at += 1
        return undefined
      }
      if (next === undefined) return 'a string is not closed'
      if (next !== '\\') {
        return next === '\n' ? 'a string is not closed on its line' : 'a control character must be escaped'
      }
      const escape = this.text[this.at + 1] ?? ''
      if (escape === 'u') {
        if (!/^[0-9a-fA-F]{4}$/.test(this.text.slice(this.at + 2, this.at + 6))) {
          return 'after \\u come four hexadecimal digits'
        }
        this.at += 6
      } else if (escape !== '' && '"\\/bfnrt'.includes(escape)) this.at += 2
      else return `there is no escape “\\${escape}”`
    }
  }

  #space(): void {
    for (;;) {
      const code = this.text.charCodeAt(this.at)
      if (code !== 0x20 && code !== 0x0a && code !== 0x0d && code !== 0x09) return
      this.at += 1
    }
  }

  #add(kind: number, keyStart: number, keyEnd: number, start: number): number {
    const node = this.nodes
    const base = node * STRIDE
    if (base >= this.table.length) {
      const larger = new Int32Array(this.table.length * 2)
      larger.set(this.table)
      this.table = larger
    }
    this.table[base + KIND] = kind
    this.table[base + KEY_START] = keyStart
    this.table[base + KEY_END] = keyEnd
    this.table[base + START] = start
    this.table[base + SIZE] = 1
    this.nodes += 1
    return node
  }

  #finish(node: number): void {
    this.table[node * STRIDE + END] = this.at
  }

  #close(node: number): void {
    this.#open.pop()
    this.table[node * STRIDE + END] = this.at
    this.table[node * STRIDE + SIZE] = this.nodes - node
  }

  #here(): string {
    const character = this.text[this.at]
    return character === undefined ? 'the end of the text' : `“${character}”`
  }
}

/** What a node is: a member of `JsonKind`. */
export function kindOf(index: JsonIndex, node: number): number {
  return index.table[node * STRIDE + KIND] ?? JsonKind.literal
}

/** How many members or items a container has; 0 for anything else. */
export function countOf(index: JsonIndex, node: number): number {
  return index.table[node * STRIDE + COUNT] ?? 0
}

/** Nodes of the subtree, the node itself included: `node + sizeOf` is its next sibling. */
export function sizeOf(index: JsonIndex, node: number): number {
  return index.table[node * STRIDE + SIZE] ?? 1
}

/** Where the value of a node begins in the text, in UTF-16 units. */
export function startOf(index: JsonIndex, node: number): number {
  return index.table[node * STRIDE + START] ?? 0
}

/** Where the value of a node ends in the text, in UTF-16 units; the unit there is no longer part of it. */
export function endOf(index: JsonIndex, node: number): number {
  return index.table[node * STRIDE + END] ?? 0
}

/** The key of a member as it was written, with its quotes; undefined for items and the root. */
export function keySource(index: JsonIndex, node: number): string | undefined {
  const start = index.table[node * STRIDE + KEY_START] ?? -1
  return start < 0 ? undefined : index.text.slice(start, index.table[node * STRIDE + KEY_END])
}

/** The value as it was written, at most `length` characters of it. */
export function valueSource(index: JsonIndex, node: number, length = Infinity): string {
  const start = startOf(index, node)
  return index.text.slice(start, Math.min(endOf(index, node), start + length))
}

/** One value of a document as an index of its own; its text is still that of the whole document. */
export function indexOfPart(index: JsonIndex, node: number): JsonIndex {
  const nodes = sizeOf(index, node)
  const table = index.table.slice(node * STRIDE, (node + nodes) * STRIDE)
  table[KEY_START] = -1
  return { text: index.text, table, nodes }
}

/** The nodes directly inside a container, in the order they were written. */
export function* childrenOf(index: JsonIndex, node: number): Generator<number> {
  const end = node + sizeOf(index, node)
  for (let child = node + 1; child < end; child += sizeOf(index, child)) yield child
}
