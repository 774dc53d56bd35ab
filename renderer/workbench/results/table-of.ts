import {
  childrenOf,
  countOf,
  JsonKind,
  keySource,
  kindOf,
  valueSource,
  type JsonIndex,
} from '../../json/json-index.ts'
import { unquote } from '../../json/json-pointer.ts'

export type Column = { readonly name: string; readonly isNumber: boolean }

/** An array of objects as a table. Cells are the values as they were written. */
export type Table = {
  /** The member that contains the array; empty if it is the whole value. */
  readonly name: string
  readonly columns: readonly Column[]
  readonly rows: readonly (readonly string[])[]
  /** Rows of the array, also those the table leaves out. */
  readonly total: number
}

const MAX_ROWS = 300
const MAX_COLUMNS = 30
const MAX_CELL = 200

/** The first array of objects in a value: the value itself, or one of its members. Undefined if there is none. */
export function tableOf(index: JsonIndex): Table | undefined {
  if (isListOfObjects(index, 0)) return readTable(index, 0, '')
  if (kindOf(index, 0) !== JsonKind.object) return undefined
  for (const member of childrenOf(index, 0)) {
    if (isListOfObjects(index, member))
      return readTable(index, member, unquote(keySource(index, member) ?? '""'))
  }
  return undefined
}

function isListOfObjects(index: JsonIndex, node: number): boolean {
  if (kindOf(index, node) !== JsonKind.array || countOf(index, node) === 0) return false
  for (const item of childrenOf(index, node)) {
    if (kindOf(index, item) !== JsonKind.object || countOf(index, item) === 0) return false
  }
  return true
}

function readTable(index: JsonIndex, list: number, name: string): Table {
  const places = new Map<string, number>()
  const isNumber: boolean[] = []
  const rows: string[][] = []
  for (const item of childrenOf(index, list)) {
    if (rows.length === MAX_ROWS) break
    const row: string[] = []
    for (const member of childrenOf(index, item)) {
      const column = unquote(keySource(index, member) ?? '""')
      let place = places.get(column)
      if (place === undefined) {
        if (places.size === MAX_COLUMNS) continue
        place = places.size
        places.set(column, place)
        isNumber.push(true)
      }
      row[place] = cellText(index, member)
      if (kindOf(index, member) !== JsonKind.number) isNumber[place] = false
    }
    rows.push(row)
  }
  const columns = Array.from(places.keys(), (column, place) => ({
    name: column,
    isNumber: isNumber[place] === true,
  }))
  return {
    name,
    columns,
    rows: rows.map((row) => columns.map((_, place) => row[place] ?? '')),
    total: countOf(index, list),
  }
}

function cellText(index: JsonIndex, node: number): string {
  const source = valueSource(index, node, MAX_CELL * 6)
  const isWhole = valueSource(index, node, MAX_CELL * 6 + 1).length === source.length
  const text = kindOf(index, node) === JsonKind.string && isWhole ? unquote(source) : source
  return text.length > MAX_CELL ? `${text.slice(0, MAX_CELL - 1)}…` : text
}
