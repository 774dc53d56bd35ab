import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../protocol/json.ts'
import { pointerSteps } from '../../protocol/json-pointer.ts'
import type { MessageFacts } from './message-facts.ts'
import type { RuleMatch } from './rule-schema.ts'

/** A pattern that is ready to be used. */
export type TextTest = { test(text: string): boolean }

/** Whether a message is one that a rule is about, whatever its counts and its chance. */
export function matches(
  match: RuleMatch,
  facts: MessageFacts,
  text: () => string,
  pattern?: TextTest,
): boolean {
  const { direction, kind, method, target, path } = match
  if (direction !== undefined && direction !== facts.direction) return false
  if (kind !== undefined && kind !== facts.kind) return false
  if (method !== undefined && !isLike(method, facts.method)) return false
  if (target !== undefined && !isLike(target, facts.target)) return false
  if (path !== undefined) {
    const found = memberAt(facts.value, path.pointer)
    if (!found.isThere) return false
    if (path.equals !== undefined && !isDeepStrictEqual(found.value, path.equals)) return false
  }
  return pattern === undefined || pattern.test(text())
}

/** Whether a text is like a pattern in which `*` stands for any characters. Takes time in proportion to both lengths. */
export function isLike(pattern: string, text: string | undefined): boolean {
  if (text === undefined) return false
  const [first = '', ...rest] = pattern.split('*')
  const last = rest.pop()
  if (last === undefined) return text === first
  if (!text.startsWith(first) || !text.endsWith(last) || text.length < first.length + last.length)
    return false
  let at = first.length
  const end = text.length - last.length
  for (const part of rest) {
    const found = text.indexOf(part, at)
    if (found === -1 || found + part.length > end) return false
    at = found + part.length
  }
  return true
}

/** The member at a JSON pointer. */
export function memberAt(
  value: unknown,
  pointer: string,
): { readonly isThere: boolean; readonly value?: unknown } {
  let inner = value
  for (const step of pointerSteps(pointer)) {
    if (Array.isArray(inner)) {
      if (!/^(?:0|[1-9]\d*)$/.test(step) || Number(step) >= inner.length) return { isThere: false }
      inner = inner[Number(step)] as unknown
    } else {
      if (!isJsonObject(inner) || !Object.hasOwn(inner, step)) return { isThere: false }
      inner = inner[step]
    }
  }
  return { isThere: true, value: inner }
}
