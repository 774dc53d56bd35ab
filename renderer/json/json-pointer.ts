import { pointerStep } from '../../server-core/protocol/json-pointer.ts'
import {
  childrenOf,
  endOf,
  JsonKind,
  keySource,
  kindOf,
  sizeOf,
  startOf,
  type JsonIndex,
} from './json-index.ts'

/** A quoted JSON string as the text it means. */
export function unquote(source: string): string {
  const value: unknown = JSON.parse(source)
  return typeof value === 'string' ? value : source
}

/** The node a JSON pointer (RFC 6901) names, or undefined. Of repeated keys the last one counts. */
export function nodeAtPointer(index: JsonIndex, pointer: string): number | undefined {
  let node = 0
  if (pointer === '') return node
  for (const escaped of pointer.slice(1).split('/')) {
    const step = escaped.replaceAll('~1', '/').replaceAll('~0', '~')
    const found = stepInto(index, node, step)
    if (found === undefined) return undefined
    node = found
  }
  return node
}

function stepInto(index: JsonIndex, node: number, step: string): number | undefined {
  const kind = kindOf(index, node)
  let position = 0
  let found: number | undefined
  for (const child of childrenOf(index, node)) {
    if (kind === JsonKind.array && String(position) === step) return child
    const key = keySource(index, child)
    if (key !== undefined && unquote(key) === step) found = child
    position += 1
  }
  return found
}

/** The JSON pointers of the values around a place in the text, outermost first; the last one is the innermost. */
export function pointersAtOffset(index: JsonIndex, offset: number): string[] {
  const pointers = ['']
  let node = 0
  for (;;) {
    const next = childAround(index, node, offset)
    if (next === undefined) return pointers
    const step = next.key === undefined ? String(next.position) : unquote(next.key)
    pointers.push(`${pointers[pointers.length - 1] ?? ''}/${pointerStep(step)}`)
    node = next.node
  }
}

type Child = { readonly node: number; readonly key: string | undefined; readonly position: number }

function childAround(index: JsonIndex, node: number, offset: number): Child | undefined {
  const end = node + sizeOf(index, node)
  let position = 0
  for (let child = node + 1; child < end; child += sizeOf(index, child)) {
    const key = keySource(index, child)
    const from = key === undefined ? startOf(index, child) : startOf(index, child) - key.length - 2
    if (offset < from) return undefined
    if (offset <= endOf(index, child)) return { node: child, key, position }
    position += 1
  }
  return undefined
}
