import { pointerSteps } from '../../../server-core/protocol/json-pointer.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'

/** A schema node: an object of keywords, or `true` (anything) or `false` (nothing). */
export type SchemaNode = JsonObject | boolean

/** Returns whether a value can stand where JSON Schema wants a schema. */
export function isSchemaNode(value: unknown): value is SchemaNode {
  return typeof value === 'boolean' || isJsonObject(value)
}

export type Resolved =
  { readonly ok: true; readonly node: SchemaNode } | { readonly ok: false; readonly reason: string }

/**
 * One whole schema document, to find what a `$ref` means (JSON Schema 2020-12 core, section 8.2): a JSON
 * pointer or an anchor inside the document. Nothing is ever fetched: a reference that leaves the document is
 * given back as unresolved, with the reason (MCP 2026-07-28, tools: no network references).
 */
export class SchemaSource {
  readonly root: SchemaNode
  #anchors: Map<string, SchemaNode> | undefined

  constructor(root: SchemaNode) {
    this.root = root
  }

  resolve(reference: string): Resolved {
    const fragment = this.#fragmentOf(reference)
    if (fragment === undefined) return { ok: false, reason: `$ref “${reference}” leaves this schema` }
    if (fragment === '') return { ok: true, node: this.root }
    const node = fragment.startsWith('/') ? this.#atPointer(fragment) : this.#anchored().get(fragment)
    if (node === undefined) return { ok: false, reason: `$ref “${reference}” points at nothing` }
    return { ok: true, node }
  }

  #fragmentOf(reference: string): string | undefined {
    const hash = reference.indexOf('#')
    const address = hash < 0 ? reference : reference.slice(0, hash)
    const id = isJsonObject(this.root) ? this.root['$id'] : undefined
    if (address !== '' && address !== id) return undefined
    const fragment = hash < 0 ? '' : reference.slice(hash + 1)
    try {
      return decodeURIComponent(fragment)
    } catch {
      return fragment
    }
  }

  #atPointer(pointer: string): SchemaNode | undefined {
    let value: unknown = this.root
    for (const step of pointerSteps(pointer)) {
      if (Array.isArray(value)) value = /^\d+$/.test(step) ? (value as unknown[])[Number(step)] : undefined
      else if (isJsonObject(value)) value = Object.hasOwn(value, step) ? value[step] : undefined
      else return undefined
    }
    return isSchemaNode(value) ? value : undefined
  }

  #anchored(): Map<string, SchemaNode> {
    if (this.#anchors !== undefined) return this.#anchors
    const anchors = new Map<string, SchemaNode>()
    const waiting: unknown[] = [this.root]
    while (waiting.length > 0) {
      const value = waiting.pop()
      if (Array.isArray(value)) for (const item of value as unknown[]) waiting.push(item)
      if (!isJsonObject(value)) continue
      for (const keyword of ['$anchor', '$dynamicAnchor']) {
        const anchor = value[keyword]
        if (typeof anchor === 'string' && !anchors.has(anchor)) anchors.set(anchor, value)
      }
      for (const member of Object.values(value)) waiting.push(member)
    }
    this.#anchors = anchors
    return anchors
  }
}
