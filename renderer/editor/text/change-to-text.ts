import type { ChangeSpec, Text } from '@codemirror/state'

/** The smallest single change that makes a document this text; undefined if it is that already. */
export function changeToText(doc: Text, text: string): ChangeSpec | undefined {
  const before = doc.toString()
  if (before === text) return undefined
  const shorter = Math.min(before.length, text.length)
  let start = 0
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start += 1
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === text.charCodeAt(text.length - 1 - end)
  ) {
    end += 1
  }
  return { from: start, to: before.length - end, insert: text.slice(start, text.length - end) }
}
