import type { EntryLine } from './entry-line.ts'
import { registryText } from './text.ts'

type Test = (line: EntryLine) => boolean

export type EntryFilter =
  | { readonly ok: true; readonly tests: readonly Test[] }
  /** `problem` names the invalid word and the remedy. */
  | { readonly ok: false; readonly problem: string }

/** The states for `is:`. */
const STATES: Readonly<Record<string, Test>> = {
  on: (line) => line.isOn,
  off: (line) => !line.isOn,
  error: (line) => line.problem !== undefined,
  called: (line) => (line.entry?.calls ?? 0) > 0,
  overridden: (line) => line.entry?.state === 'overridden',
  amended: (line) => line.entry?.amendment !== undefined,
  subscribed: (line) => (line.entry?.subscriptions ?? 0) > 0,
}

const KEYS: Readonly<Record<string, (value: string) => Test | string>> = {
  is: (value) => {
    const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined
    return state ?? registryText.entryFilter.unknownIsUse(value, Object.keys(STATES).join(', '))
  },
  source: (value) => (line) =>
    line.source.toLowerCase().includes(value) || (line.entry?.origin.kind ?? 'script') === value,
  kind: (value) => (line) => line.kind.startsWith(value),
  tag: (value) => (line) => line.entry?.tags?.some((tag) => tag.toLowerCase().startsWith(value)) === true,
}

const WORD = /-?(?:[^\s"]|"[^"]*"?)+/g
const KEYED = /^([a-z]+):(?!\/\/)(.*)$/s

/**
 * Parses `forecast is:off source:tools/ kind:tool`. All words must match; `-` negates a word; quotes include spaces.
 */
export function readEntryFilter(text: string): EntryFilter {
  const tests: Test[] = []
  for (const source of text.toLowerCase().match(WORD) ?? []) {
    const isNegated = source.startsWith('-') && source.length > 1
    const test = readWord(isNegated ? source.slice(1) : source)
    if (typeof test === 'string') return { ok: false, problem: test }
    tests.push(isNegated ? (line) => !test(line) : test)
  }
  return { ok: true, tests }
}

function readWord(word: string): Test | string {
  const [, key = '', value = ''] = KEYED.exec(word) ?? []
  const build = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (build === undefined) {
    const wanted = word.replaceAll('"', '')
    return (line) => line.haystack.includes(wanted)
  }
  const wanted = value.replaceAll('"', '')
  return wanted === '' ? registryText.entryFilter.needsAValue(key) : build(wanted)
}
