import { endOf, indexJson, startOf } from '../json/json-index.ts'
import { nodeAtPointer } from '../json/json-pointer.ts'

/** The message with another id, if it is a request: no id is used twice (specification: Base Protocol, Requests). */
export function withNewId(text: string, id: string): string {
  const indexed = indexJson(text)
  if (!indexed.ok) return text
  const node = nodeAtPointer(indexed.index, '/id')
  if (node === undefined || nodeAtPointer(indexed.index, '/method') === undefined) return text
  return (
    text.slice(0, startOf(indexed.index, node)) + JSON.stringify(id) + text.slice(endOf(indexed.index, node))
  )
}
