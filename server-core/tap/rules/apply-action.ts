import { malformed, withWrongId } from '../../faults/broken-bytes.ts'
import { isJsonObject } from '../../protocol/json.ts'
import { parseExact, stringifyExact } from '../../protocol/exact-json.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { fillTemplate } from '../../responders/template.ts'
import { applyPatch } from './json-patch.ts'
import type { MessageFacts } from './message-facts.ts'
import type { AppliedRule } from './rule-set.ts'
import type { RuleAction } from './rule-schema.ts'

/** What is sent in place of a message. Bytes are without a line ending. */
export type Decision = {
  /** To where it was going, in this order; none if it is dropped. */
  readonly forward: readonly Uint8Array[]
  /** Back to its sender. */
  readonly reply?: Uint8Array
  readonly delayMs?: number
  /** Waits for a person. */
  readonly hold?: Extract<RuleAction, { readonly type: 'hold' }>
  /** The connection is closed in place of sending it. */
  readonly close?: true
  /** What was done, in words; undefined if nothing was. */
  readonly note?: string
}

/** What a rule makes of a message. A rewrite that cannot be made leaves the message as it is, and says why. */
export function applyAction({ rule, draw }: AppliedRule, facts: MessageFacts, bytes: Uint8Array): Decision {
  const { id, action } = rule
  const note = (text: string): string => `rule ${id}: ${text}`
  switch (action.type) {
    case 'pass':
      return { forward: [bytes] }
    case 'hold':
      return { forward: [], hold: action, note: note('held') }
    case 'drop':
      return { forward: [], note: note('dropped') }
    case 'duplicate':
      return {
        forward: Array.from({ length: action.copies }, () => bytes),
        note: note(`sent ${action.copies} times`),
      }
    case 'delay': {
      const delayMs = Math.max(0, Math.round(action.ms + (2 * draw('jitter') - 1) * action.jitterMs))
      return { forward: [bytes], delayMs, note: note(`delayed for ${delayMs} ms`) }
    }
    case 'answer': {
      if (facts.kind !== 'request' || facts.id === undefined)
        return { forward: [bytes], note: note('not answered, because it is not a request') }
      const { result, error } = action
      return {
        forward: [],
        reply: answerBytes(bytes, result === undefined ? { error } : { result }),
        note: note('answered'),
      }
    }
    case 'rewrite': {
      const patched = patchedBytes(bytes, action)
      if (patched.ok) return { forward: [patched.value], note: note('rewritten') }
      return { forward: [bytes], note: note(`not rewritten: ${patched.reason}`) }
    }
    case 'template': {
      const filled = filledBytes(bytes, action)
      if (filled.ok) return { forward: [filled.value], note: note('replaced') }
      return { forward: [bytes], note: note(`not replaced: ${filled.reason}`) }
    }
    case 'fault':
      return faultOf(action.how, bytes, note)
  }
}

function faultOf(
  how: Extract<RuleAction, { readonly type: 'fault' }>['how'],
  bytes: Uint8Array,
  note: (text: string) => string,
): Decision {
  if (how === 'close') return { forward: [], close: true, note: note('closed the connection') }
  if (how !== 'wrong-id') return { forward: [malformed(bytes, how)], note: note(FAULTS[how]) }
  try {
    const wrong = withWrongId(bytes)
    if (wrong !== undefined) return { forward: [wrong], note: note('answered under another id') }
  } catch {
    // It is not JSON, so it has no id.
  }
  return { forward: [bytes], note: note('unchanged, because it is not an answer') }
}

const FAULTS = {
  truncate: 'the last quarter is missing',
  'not-json': 'HTML in its place',
  'invalid-utf8': 'bytes in it that are not UTF-8',
} as const

/** An answer to the request in these bytes, under its exact id. */
export function answerBytes(request: Uint8Array, answer: object): Uint8Array {
  const parsed = parsedOf(request)
  const id = parsed.ok && isJsonObject(parsed.value) ? parsed.value['id'] : null
  return Buffer.from(stringifyExact({ jsonrpc: '2.0', id, ...answer }))
}

type Made =
  { readonly ok: true; readonly value: Uint8Array } | { readonly ok: false; readonly reason: string }

function patchedBytes(bytes: Uint8Array, { patch }: Extract<RuleAction, { readonly type: 'rewrite' }>): Made {
  const parsed = parsedOf(bytes)
  if (!parsed.ok) return parsed
  const patched = applyPatch(parsed.value, patch)
  return patched.ok ? { ok: true, value: Buffer.from(stringifyExact(patched.value)) } : patched
}

function filledBytes(
  bytes: Uint8Array,
  { message }: Extract<RuleAction, { readonly type: 'template' }>,
): Made {
  const parsed = parsedOf(bytes)
  if (!parsed.ok) return parsed
  if (!isJsonObject(parsed.value)) return { ok: false, reason: 'it is not a JSON object' }
  try {
    return { ok: true, value: Buffer.from(stringifyExact(fillTemplate(message, parsed.value, 'message'))) }
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}

function parsedOf(bytes: Uint8Array): { ok: true; value: unknown } | { ok: false; reason: string } {
  try {
    return { ok: true, value: parseExact(Buffer.from(bytes).toString(), 'text') }
  } catch (error) {
    return { ok: false, reason: messageOf(error) }
  }
}
