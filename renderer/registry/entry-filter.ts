import type { Parsed } from '../../server-core/protocol/parsed.ts'
import type { EntryLine } from './entry-line.ts'
import { registryText } from './text.ts'

type Test = (line: EntryLine) => boolean

/** The tests of a filter; the reason names the invalid word and the remedy. */
export type EntryFilter = Parsed<readonly Test[]>

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

const KEYS: Readonly<Record<string, (value: string) => Parsed<Test>>> = {
  is: (value) => {
    const state = Object.hasOwn(STATES, value) ? STATES[value] : undefined
    if (state !== undefined) return { ok: true, value: state }
    return { ok: false, reason: registryText.entryFilter.unknownIsUse(value, Object.keys(STATES).join(', ')) }
  },
  source: (value) => ({
    ok: true,
    value: (line) =>
      line.source.toLowerCase().includes(value) || (line.entry?.origin.kind ?? 'script') === value,
  }),
  kind: (value) => ({ ok: true, value: (line) => line.kind.startsWith(value) }),
  tag: (value) => ({
    ok: true,
    value: (line) => line.entry?.tags?.some((tag) => tag.toLowerCase().startsWith(value)) === true,
  }),
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
    const word = readWord(isNegated ? source.slice(1) : source)
    if (!word.ok) return word
    const test = word.value
    tests.push(isNegated ? (line) => !test(line) : test)
  }
  return { ok: true, value: tests }
}

function readWord(word: string): Parsed<Test> {
  const [, key = '', value = ''] = KEYED.exec(word) ?? []
  const build = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (build === undefined) {
    const wanted = word.replaceAll('"', '')
    return { ok: true, value: (line) => line.haystack.includes(wanted) }
  }
  const wanted = value.replaceAll('"', '')
  return wanted === '' ? { ok: false, reason: registryText.entryFilter.needsAValue(key) } : build(wanted)
}
