import {
  childrenOf,
  indexOfPart,
  JsonKind,
  kindOf,
  valueSource,
  type JsonIndex,
} from '../../json/json-index.ts'
import { nodeAtPointer } from '../../json/json-pointer.ts'

/** What was asked for: it decides how a result is read. */
export type ResultKind = 'tool' | 'resource' | 'prompt'

/** A part of an answer, as it was written. */
export type Part = { readonly node: number; readonly source: string }

/** An answer taken apart, without changing a character of it. */
export type Answer = {
  readonly index: JsonIndex
  readonly isError: boolean
  /** Content blocks, resource contents or prompt messages. */
  readonly parts: readonly Part[]
  /** The `structuredContent` of a tool's result. */
  readonly structured: JsonIndex | undefined
  /** The description of a prompt. */
  readonly description: string | undefined
}

const LISTS: Record<ResultKind, string> = {
  tool: '/result/content',
  resource: '/result/contents',
  prompt: '/result/messages',
}

/** Splits the message of a result into parts (MCP: tools/call, resources/read, prompts/get). */
export function readAnswer(index: JsonIndex, kind: ResultKind): Answer {
  const list = nodeAtPointer(index, LISTS[kind])
  const isList = list !== undefined && kindOf(index, list) === JsonKind.array
  const parts = isList
    ? Array.from(childrenOf(index, list), (node) => ({ node, source: valueSource(index, node) }))
    : []
  return {
    index,
    isError: kind === 'tool' && sourceAt(index, '/result/isError') === 'true',
    parts,
    structured: kind === 'tool' ? partAt(index, '/result/structuredContent') : undefined,
    description: kind === 'prompt' ? textAt(index, '/result/description') : undefined,
  }
}

/** A value of the message as it was written. */
export function sourceAt(index: JsonIndex, pointer: string): string | undefined {
  const node = nodeAtPointer(index, pointer)
  return node === undefined ? undefined : valueSource(index, node)
}

function partAt(index: JsonIndex, pointer: string): JsonIndex | undefined {
  const node = nodeAtPointer(index, pointer)
  return node === undefined ? undefined : indexOfPart(index, node)
}

function textAt(index: JsonIndex, pointer: string): string | undefined {
  const source = sourceAt(index, pointer)
  const value: unknown = source === undefined ? undefined : JSON.parse(source)
  return typeof value === 'string' ? value : undefined
}
