import { originText, type ComposedEntry, type EntryFault, type EntryKind, type Origin } from './source.ts'

const KIND_WORDS: Readonly<Record<EntryKind, string>> = {
  tool: 'tool',
  resource: 'resource',
  template: 'resource template',
  prompt: 'prompt',
}

/** The fault of an entry whose name another one had before. */
export function collisionFault(
  kind: EntryKind,
  shownName: string,
  own: Origin,
  holder: Origin | undefined,
): EntryFault {
  const other = holder === undefined ? 'another source' : originText(holder)
  const both = `the ${KIND_WORDS[kind]} "${shownName}" is in ${other} and in ${originText(own)}`
  const message = `${both}; that of ${other} is served. Give one of them another name or prefix, or switch one off`
  return { code: 'collision', message }
}

/** What collides, at the start. */
export function collisionsText(entries: readonly ComposedEntry[]): string {
  const [first] = entries
  const more = entries.length - 1
  const others = entries.slice(1, 10).map(({ kind, shownName }) => `${KIND_WORDS[kind]} "${shownName}"`)
  const rest = more === 0 ? '' : ` (and ${more} more: ${others.join(', ')}${more > 9 ? ', …' : ''})`
  return `two sources have the same name: ${first?.fault?.message ?? ''}${rest}`
}
