import { pointerStep } from '../../server-core/protocol/json-pointer.ts'
import {
  childrenOf,
  countOf,
  JsonKind,
  keySource,
  kindOf,
  sizeOf,
  valueSource,
  type JsonIndex,
} from './json-index.ts'
import { unquote } from './json-pointer.ts'

/** One line of the tree: a value, or the bracket that closes an open container. */
export type JsonRow = {
  readonly node: number
  readonly depth: number
  readonly closing: boolean
  /** A comma follows: the value is not the last one of its container. */
  readonly comma: boolean
  /** Its place among its siblings, from 1, and how many they are. */
  readonly position: number
  readonly siblings: number
}

/** Rows that a fresh tree opens at most; what does not fit stays folded. */
const FIRST_ROWS = 80
/** Members of one container that are rows; the others are counted. Nobody scrolls through more. */
export const MAX_CHILDREN = 200_000

/** The lines of the tree with these containers open, in order. Only open containers cost anything. */
export function rowsOf(index: JsonIndex, open: ReadonlySet<number>): JsonRow[] {
  const rows: JsonRow[] = []
  addRows(index, open, rows, { node: 0, depth: 0, closing: false, comma: false, position: 1, siblings: 1 })
  return rows
}

function addRows(index: JsonIndex, open: ReadonlySet<number>, rows: JsonRow[], row: JsonRow): void {
  rows.push(row)
  if (!open.has(row.node) || !isContainer(index, row.node)) return
  const siblings = countOf(index, row.node)
  let position = 0
  for (const node of childrenOf(index, row.node)) {
    position += 1
    if (position > MAX_CHILDREN) break
    const comma = position < siblings
    addRows(index, open, rows, { node, depth: row.depth + 1, closing: false, comma, position, siblings })
  }
  rows.push({ ...row, closing: true })
}

/** Returns whether a node can be opened. */
export function isContainer(index: JsonIndex, node: number): boolean {
  return kindOf(index, node) <= JsonKind.array && countOf(index, node) > 0
}

/**
 * What a fresh tree has open: level by level from the root, as long as the rows stay few. The root is open in any
 * case, unless the tree is to be compact.
 */
export function firstOpen(index: JsonIndex, isCompact = false): Set<number> {
  const open = new Set<number>()
  let rows = 1
  let level = isContainer(index, 0) ? [0] : []
  while (level.length > 0) {
    const next: number[] = []
    for (const node of level) {
      const count = countOf(index, node)
      const isRoot = node === 0 && !isCompact
      if (!isRoot && (rows + count + 1 > FIRST_ROWS || fitsOnLine(index, node))) continue
      open.add(node)
      rows += count + 1
      if (count > FIRST_ROWS) continue
      for (const child of childrenOf(index, node)) if (isContainer(index, child)) next.push(child)
    }
    level = next
  }
  return open
}

/** A container of a few scalars reads better folded. */
function fitsOnLine(index: JsonIndex, node: number): boolean {
  if (valueSource(index, node, 90).length > 80) return false
  for (const child of childrenOf(index, node)) if (isContainer(index, child)) return false
  return true
}

/** The JSON pointer (RFC 6901) of a node. */
export function pointerOf(index: JsonIndex, node: number): string {
  let pointer = ''
  let container = 0
  while (container !== node) {
    let position = 0
    let found: number | undefined
    for (const child of childrenOf(index, container)) {
      if (node < child + sizeOf(index, child)) {
        found = child
        break
      }
      position += 1
    }
    if (found === undefined) return pointer
    const key = keySource(index, found)
    const step = key === undefined ? String(position) : unquote(key)
    pointer += `/${pointerStep(step)}`
    container = found
  }
  return pointer
}
