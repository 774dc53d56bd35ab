import { stringifyExact } from '../protocol/exact-json.ts'
import { visibleLine } from '../protocol/visible-text.ts'
import type { Change } from './compare-values.ts'

/** Characters of a value that are shown. */
const LONGEST_VALUE = 120
const LONGEST_POINTER = 200

/** Marks a part of a text: `red` is what was before, `cyan` what came after. */
export type MarkChange = (color: 'red' | 'cyan', text: string) => string

/**
 * Writes a change as one line: `~ /result/sum  3 → 4`, with `+` for what is new, `-` for what is missing and `>` for what
 * moved.
 *
 * @param mark colours the values; they are plain text without it
 */
export function changeText(change: Change, mark: MarkChange = (_, text) => text): string {
  const pointer = visibleLine(change.pointer === '' ? '(the whole value)' : change.pointer, LONGEST_POINTER)
  switch (change.kind) {
    case 'added':
      return mark('cyan', `+ ${pointer}  ${valueText(change.after)}`)
    case 'removed':
      return mark('red', `- ${pointer}  ${valueText(change.before)}`)
    case 'moved':
      return `> ${pointer}  was ${visibleLine(change.from, LONGEST_POINTER)}`
    case 'changed':
    case 'type':
      return `~ ${pointer}  ${mark('red', valueText(change.before))} → ${mark('cyan', valueText(change.after))}`
  }
}

function valueText(value: unknown): string {
  return visibleLine(stringifyExact(value), LONGEST_VALUE)
}
