import type { CutLine } from '../../capture/recording/line-cutter.ts'
import { MESSAGE_MEMBER, FRAME_KINDS, type RecordedKind } from '../../capture/recording/recording-format.ts'
import { FrameTable } from './frame-table.ts'
import { scanMessage } from './message-scan.ts'
import type { Definition, IndexedMethod, OtherLine, PartIndex } from './part-index.ts'

const MEMBER = Buffer.from(MESSAGE_MEMBER)
const FRAME = /^\{"at":(-?\d{1,15}),"on":(\d{1,5}),"from":"(client|server)","kind":"([a-z]{1,9})"/
const EXCHANGE = /^,"http":\{"exchange":(\d{1,15}),/
const OTHER = /^\{"at":(-?\d{1,15}),"(mark|comment|gap|end|continued)":/
const DEFINITION = /^\{"(connection|head)":(\d{1,5}),/
const LONGEST_START = 160
/** Beyond so many methods and targets, targets are not told apart; and methods neither beyond the most a column has. */
const MOST_TARGETS = 8_000
const MOST_METHODS = 65_000
/** Marks, comments, gaps and damage of a part that are listed. */
const MOST_OTHERS = 10_000
/** Requests that wait for their answer. */
const MOST_OPEN = 100_000
const OLD_KINDS: ReadonlyMap<string, RecordedKind> = new Map([
  ['noise', 'invalid'],
  ['life', 'lifecycle'],
])
const KINDS: ReadonlyMap<string, RecordedKind> = new Map([
  ...FRAME_KINDS.map((kind) => [kind, kind] as const),
  ...OLD_KINDS,
])

/** Makes the index of a part of a recording from its lines. */
export class IndexBuilder {
  readonly #base: number
  readonly #table = new FrameTable()
  readonly #methods: IndexedMethod[] = [{ method: '', count: 0, errors: 0 }]
  readonly #methodPlaces = new Map<string, number>()
  readonly #definitions: Definition[]
  readonly #others: OtherLine[] = []
  readonly #open = new Map<string, number>()
  #bytes = 0
  #lastAt = -Infinity
  #firstAt = 0
  #errors = 0
  #isSealed = false

  /** @param definitions what lines before the base defined, with offsets below 0 */
  constructor(base = 0, definitions: readonly Definition[] = []) {
    this.#base = base
    this.#definitions = [...definitions]
  }

  get bytes(): number {
    return this.#bytes
  }

  get frames(): number {
    return this.#table.count
  }

  /** Adds a line of the part. The first line of a file says nothing that is indexed. */
  add(line: CutLine): void {
    const offset = line.offset - this.#base
    const { bytes, length } = line
    this.#bytes = offset + length + 1
    if (bytes === undefined) {
      this.#other('damage', offset, length, this.#lastAt)
      return
    }
    const start = bytes.toString('latin1', 0, LONGEST_START)
    const frame = FRAME.exec(start)
    if (frame !== null) {
      const exchange = EXCHANGE.exec(start.slice(frame[0].length))?.[1]
      this.#frame(bytes, offset, length, frame, exchange)
      return
    }
    const definition = DEFINITION.exec(start)
    if (definition !== null) {
      this.#definitions.push({ offset, length, key: `${definition[1]} ${definition[2]}` })
      return
    }
    const other = OTHER.exec(start)
    if (other !== null) {
      const type = other[2]
      if (type === 'end' || type === 'continued') this.#isSealed = true
      else if (type === 'mark' || type === 'comment' || type === 'gap')
        this.#other(type, offset, length, Number(other[1]))
      return
    }
    if (!start.startsWith('{"format":')) this.#other('damage', offset, length, this.#lastAt)
  }

  finish(): PartIndex {
    const summary = {
      base: this.#base,
      bytes: this.#bytes,
      frames: this.#table.count,
      firstAt: this.#firstAt,
      lastAt: Math.max(this.#lastAt, this.#firstAt),
      errors: this.#errors,
      isSealed: this.#isSealed,
      methods: this.#methods,
      definitions: this.#definitions,
      others: this.#others,
    }
    return { summary, table: this.#table }
  }

  /** What the lines so far defined and later ones may refer to, as seen from a part that begins at `base`. */
  definitionsFor(base: number): Definition[] {
    const newest = new Map<string, Definition>()
    for (const definition of this.#definitions) newest.set(definition.key, definition)
    return [...newest.values()].map((each) => ({ ...each, offset: each.offset + this.#base - base }))
  }

  #frame(
    bytes: Buffer,
    offset: number,
    length: number,
    [, at, on, from, name]: RegExpExecArray,
    exchange: string | undefined,
  ): void {
    const kind = KINDS.get(name ?? '')
    if (kind === undefined) {
      this.#other('damage', offset, length, Number(at))
      return
    }
    // Times grow: what has another one, in a damaged file, is found with its neighbours.
    const time = Math.max(Number(at), this.#lastAt)
    if (this.#table.count === 0) this.#firstAt = time
    this.#lastAt = time
    const connection = Number(on)
    const isFromClient = from === 'client'
    const facts = { offset, length, at: time, connection, kind, isFromClient }
    const member = kind === 'message' ? bytes.indexOf(MEMBER) : -1
    if (member === -1) {
      const isError = kind === 'invalid'
      if (isError) this.#errors += 1
      this.#table.add({ ...facts, method: 0, isError, isRequest: false, isAnswer: false })
      return
    }
    const { method, id, target, isAnswer, isError } = scanMessage(bytes.subarray(member + MEMBER.length, -1))
    const isRequest = method !== undefined && id !== undefined
    const place = method === undefined ? 0 : this.#methodPlace(method, target)
    const added = this.#table.add({ ...facts, method: place, isError, isRequest, isAnswer })
    if (method !== undefined) (this.#methods[place] ?? NO_METHOD).count += 1
    if (isError) this.#errors += 1
    if (id === undefined) return
    const asker = isAnswer === isFromClient ? 'server' : 'client'
    const keys = [
      `${on} ${asker} ${id}`,
      ...(exchange === undefined ? [] : [`${on} ${asker} ${id} ${exchange}`]),
    ]
    if (isRequest && this.#open.size < MOST_OPEN) for (const key of keys) this.#open.set(key, added)
    if (isAnswer) this.#join(keys, added)
  }

  /** Clients that share a connection use the same ids: the request of the same HTTP exchange goes first. */
  #join(keys: readonly string[], answer: number): void {
    const key = keys.findLast((each) => this.#open.has(each))
    const request = key === undefined ? undefined : this.#open.get(key)
    if (key === undefined || request === undefined) return
    for (const each of keys) if (this.#open.get(each) === request) this.#open.delete(each)
    this.#table.join(request, answer)
    if (this.#table.isError(answer)) (this.#methods[this.#table.method(request)] ?? NO_METHOD).errors += 1
  }

  #methodPlace(method: string, target: string | undefined): number {
    const known = this.#methodPlaces.get(target === undefined ? method : `${method}\n${target}`)
    if (known !== undefined) return known
    if (target !== undefined && this.#methods.length >= MOST_TARGETS)
      return this.#methodPlace(method, undefined)
    if (this.#methods.length >= MOST_METHODS) return 0
    const place = this.#methods.length
    this.#methods.push({ method, ...(target !== undefined && { target }), count: 0, errors: 0 })
    this.#methodPlaces.set(target === undefined ? method : `${method}\n${target}`, place)
    return place
  }

  #other(type: OtherLine['type'], offset: number, length: number, at: number): void {
    if (this.#others.length >= MOST_OTHERS) return
    this.#others.push({ type, offset, length, at: Number.isFinite(at) ? at : 0 })
  }
}

/** Collects counts of methods that have no place. */
const NO_METHOD: IndexedMethod = { method: '', count: 0, errors: 0 }
