import {
  childrenOf,
  countOf,
  JsonKind,
  keySource,
  kindOf,
  valueSource,
  type JsonIndex,
} from '../../../json/json-index.ts'
import { unquote } from '../../../json/json-pointer.ts'

export type RowColumn = {
  readonly name: string
  /** What its values are, as the head of the table says it. */
  readonly type: 'number' | 'string' | 'boolean' | 'object' | 'mixed'
  /** Rows in which it is a number. */
  readonly numbers: number
}

/** A list of objects as rows of cells; the cells are places in the JSON. */
export type TableRows = {
  readonly index: JsonIndex
  /** The member that has the list; empty if it is the whole value. */
  readonly name: string
  readonly columns: readonly RowColumn[]
  /** One for each object, in order: for each column the node of its value, or `ABSENT`. */
  readonly rows: readonly Int32Array[]
  /** Columns of the objects that did not fit. */
  readonly leftOut: number
}

/** A cell whose object has no such member. */
export const ABSENT = -1

const MAX_COLUMNS = 60

/** Where a list of objects is. */
export type TablePlace = {
  readonly index: JsonIndex
  readonly list: number
  /** The member that has the list; empty if it is the whole value. */
  readonly name: string
}

/** The first list of objects in a value: the value itself or one of its members; undefined without one. */
export function findTable(index: JsonIndex): TablePlace | undefined {
  if (isListOfObjects(index, 0)) return { index, list: 0, name: '' }
  if (kindOf(index, 0) !== JsonKind.object) return undefined
  for (const list of childrenOf(index, 0)) {
    if (isListOfObjects(index, list)) return { index, list, name: unquote(keySource(index, list) ?? '""') }
  }
  return undefined
}

/** Whether a node is a list of objects, none of them empty. */
export function isListOfObjects(index: JsonIndex, node: number): boolean {
  if (kindOf(index, node) !== JsonKind.array || countOf(index, node) === 0) return false
  for (const item of childrenOf(index, node)) {
    if (kindOf(index, item) !== JsonKind.object || countOf(index, item) === 0) return false
  }
  return true
}

/** The value of a cell as text: a string without its quotes, anything else as it was written; empty if it is absent. */
export function cellText({ index }: TableRows, node: number): string {
  if (node === ABSENT) return ''
  const source = valueSource(index, node)
  return kindOf(index, node) === JsonKind.string ? unquote(source) : source
}

/** The number in a cell; undefined if it has none. */
export function cellNumber({ index }: TableRows, node: number): number | undefined {
  return node === ABSENT || kindOf(index, node) !== JsonKind.number
    ? undefined
    : Number(valueSource(index, node))
}

type Counted = { kinds: Set<RowColumn['type']>; numbers: number }

/**
 * Reads the columns and cells of a list of objects.
 *
 * @param most rows that are read
 */
export function readTableRows({ index, list, name }: TablePlace, most = Infinity): TableRows {
  // By the names as they were written, so that a name is unquoted once and not in each row.
  const places = new Map<string, number>()
  const counted: Counted[] = []
  const leftOut = new Set<string>()
  const rows: Int32Array[] = []
  for (const item of childrenOf(index, list)) {
    if (rows.length >= most) break
    const row = new Int32Array(MAX_COLUMNS).fill(ABSENT)
    for (const member of childrenOf(index, item)) {
      const column = keySource(index, member) ?? '""'
      let place = places.get(column)
      if (place === undefined) {
        if (places.size === MAX_COLUMNS) {
          leftOut.add(column)
          continue
        }
        place = places.size
        places.set(column, place)
        counted.push({ kinds: new Set(), numbers: 0 })
      }
      row[place] = member
      note(counted[place], index, member)
    }
    rows.push(row)
  }
  const columns = Array.from(places.keys(), (column, place): RowColumn => {
    const { kinds, numbers } = counted[place] ?? { kinds: new Set<RowColumn['type']>(), numbers: 0 }
    const [first = 'mixed'] = kinds
    return { name: unquote(column), type: kinds.size === 1 ? first : 'mixed', numbers }
  })
  return {
    index,
    name,
    columns,
    rows: rows.map((row) => row.slice(0, columns.length)),
    leftOut: leftOut.size,
  }
}

function note(column: Counted | undefined, index: JsonIndex, node: number): void {
  if (column === undefined) return
  const kind = kindOf(index, node)
  if (kind === JsonKind.number) column.numbers += 1
  if (kind === JsonKind.literal) {
    // A column may have null in some rows and is still of the type of the others.
    if (valueSource(index, node) !== 'null') column.kinds.add('boolean')
  } else column.kinds.add(TYPES[kind] ?? 'mixed')
}

const TYPES: Readonly<Record<number, RowColumn['type']>> = {
  [JsonKind.number]: 'number',
  [JsonKind.string]: 'string',
  [JsonKind.object]: 'object',
  [JsonKind.array]: 'object',
}
