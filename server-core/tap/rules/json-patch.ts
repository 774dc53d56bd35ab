import { isDeepStrictEqual } from 'node:util'
import { isJsonObject } from '../../protocol/json.ts'
import { pointerSteps } from '../../protocol/json-pointer.ts'
import type { Parsed } from '../../protocol/parsed.ts'
import { memberAt } from './match-rule.ts'
import type { PatchOperation } from './rule-schema.ts'

/** Applies a JSON Patch (RFC 6902) to a copy of a value. If one operation cannot be applied, none is. */
export function applyPatch(value: unknown, operations: readonly PatchOperation[]): Parsed<unknown> {
  let current = value
  for (const operation of operations) {
    const next = applyOperation(current, operation)
    if (!next.ok) return next
    current = next.value
  }
  return { ok: true, value: current }
}

function applyOperation(value: unknown, operation: PatchOperation): Parsed<unknown> {
  const { op, path } = operation
  switch (op) {
    case 'test': {
      const found = memberAt(value, path)
      if (found.isThere && isDeepStrictEqual(found.value, operation.value)) return { ok: true, value }
      return failure(`the value at "${path}" is not the one that the test expects`)
    }
    case 'remove':
      return changed(value, path, { type: 'remove' })
    case 'replace':
      return changed(value, path, { type: 'replace', value: operation.value })
    case 'add':
      return changed(value, path, { type: 'add', value: operation.value })
    case 'copy':
    case 'move': {
      const { from } = operation
      const found = memberAt(value, from)
      if (!found.isThere) return failure(`nothing is at "${from}"`)
      if (op === 'copy') return changed(value, path, { type: 'add', value: found.value })
      if (path.startsWith(`${from}/`)) return failure(`"${from}" cannot be moved into itself`)
      const removed = changed(value, from, { type: 'remove' })
      return removed.ok ? changed(removed.value, path, { type: 'add', value: found.value }) : removed
    }
  }
}

type Edit = { readonly type: 'remove' } | { readonly type: 'add' | 'replace'; readonly value: unknown }

function changed(value: unknown, pointer: string, edit: Edit): Parsed<unknown> {
  const [step, ...rest] = pointerSteps(pointer)
  if (step === undefined) {
    return edit.type === 'remove'
      ? failure('the whole message cannot be removed')
      : { ok: true, value: edit.value }
  }
  return changedInside(value, [step, ...rest], edit, pointer)
}

function changedInside(
  value: unknown,
  steps: readonly string[],
  edit: Edit,
  pointer: string,
): Parsed<unknown> {
  const [step = '', ...rest] = steps
  if (Array.isArray(value)) return changedItem(value, step, rest, edit, pointer)
  if (!isJsonObject(value)) return failure(`nothing is at "${pointer}"`)
  const isThere = Object.hasOwn(value, step)
  if (rest.length === 0) {
    if (!isThere && edit.type !== 'add') return failure(`nothing is at "${pointer}"`)
    if (edit.type !== 'remove') return { ok: true, value: withMember(value, step, edit.value) }
    return { ok: true, value: Object.fromEntries(Object.entries(value).filter(([name]) => name !== step)) }
  }
  if (!isThere) return failure(`nothing is at "${pointer}"`)
  const inner = changedInside(value[step], rest, edit, pointer)
  return inner.ok ? { ok: true, value: withMember(value, step, inner.value) } : inner
}

function changedItem(
  items: readonly unknown[],
  step: string,
  rest: readonly string[],
  edit: Edit,
  pointer: string,
): Parsed<unknown> {
  const isEnd = step === '-' && rest.length === 0 && edit.type === 'add'
  const index = isEnd ? items.length : /^(?:0|[1-9]\d*)$/.test(step) ? Number(step) : Infinity
  const most = rest.length === 0 && edit.type === 'add' ? items.length : items.length - 1
  if (index > most) return failure(`nothing is at "${pointer}"`)
  if (rest.length > 0) {
    const inner = changedInside(items[index], rest, edit, pointer)
    return inner.ok ? { ok: true, value: items.with(index, inner.value) } : inner
  }
  if (edit.type === 'replace') return { ok: true, value: items.with(index, edit.value) }
  if (edit.type === 'remove') return { ok: true, value: items.toSpliced(index, 1) }
  return { ok: true, value: items.toSpliced(index, 0, edit.value) }
}

/** In its place if it is there, and a member of its own whatever its name. */
function withMember(value: Readonly<Record<string, unknown>>, name: string, member: unknown): unknown {
  const entries = Object.entries(value)
  const at = entries.findIndex(([each]) => each === name)
  return Object.fromEntries(at === -1 ? [...entries, [name, member]] : entries.with(at, [name, member]))
}

function failure(reason: string): { readonly ok: false; readonly reason: string } {
  return { ok: false, reason }
}
