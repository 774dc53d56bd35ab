import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { readAmount, readTime } from './filter-values.ts'
import { timelineText } from './text.ts'

/** One word of a filter: its text as it was typed, and what it asks of a row. */
export interface FilterTerm {
  readonly source: string
  readonly test: (row: Exchange, now: number) => boolean
}

export type Filter =
  | { readonly ok: true; readonly terms: readonly FilterTerm[] }
  /** `problem` says what was expected, what came and what to do. */
  | { readonly ok: false; readonly problem: string }

type Test = FilterTerm['test']
type Built = Test | { readonly problem: string }

/** Words of `is:` and what they mean. */
const STATES: Readonly<Record<string, Test>> = {
  error: (row) =>
    row.probe !== true && (row.outcome === 'error' || row.outcome === 'tool-error' || row.outcome === 'lost'),
  ok: (row) => row.outcome === 'ok',
  open: (row) => row.outcome === 'open',
  cancelled: (row) => row.outcome === 'cancelled',
  lost: (row) => row.outcome === 'lost',
  'tool-error': (row) => row.outcome === 'tool-error',
  waiting: (row) => isWaiting(row),
  request: (row) => row.kind === 'request',
  notification: (row) => row.kind === 'notification',
  stderr: (row) => row.kind === 'stderr',
  invalid: (row) => row.kind === 'invalid',
  http: (row) => row.kind === 'http',
  fault: (row) => row.kind === 'fault' || row.faults !== undefined,
  probe: (row) => row.probe === true,
  earlier: (row) => row.earlierRun === true,
  lifecycle: (row) => row.kind === 'lifecycle',
  sent: (row) => row.direction === 'sent',
  received: (row) => row.direction === 'received',
}

/** Earlier names of states, which filters may still contain. */
const EARLIER_STATES: Readonly<Record<string, string>> = { noise: 'invalid', life: 'lifecycle' }

/** Keys of a filter and how their value becomes a test. */
const KEYS: Readonly<Record<string, (operator: Operator, value: string, now: number) => Built>> = {
  method: contains((row) => row.method),
  server: contains((row) => row.serverName),
  label: contains((row) => row.label),
  is: (operator, value) => {
    const state = Object.hasOwn(EARLIER_STATES, value) ? (EARLIER_STATES[value] ?? value) : value
    const test = Object.hasOwn(STATES, state) ? STATES[state] : undefined
    if (operator !== ':')
      return { problem: timelineText.filter.isIsWrittenIs(value === '' ? 'error' : value) }
    return test ?? { problem: timelineText.filter.unknownState(value, Object.keys(STATES).join(', ')) }
  },
  code: contains((row) => (row.errorCode === undefined ? '' : String(row.errorCode)), true),
  dur: (operator, value) =>
    amount('dur', operator, value, { ms: 1, s: 1_000, m: 60_000 }, (row, now) =>
      row.kind === 'request' || row.kind === 'http' ? (row.endedAt ?? now) - row.startedAt : undefined,
    ),
  bytes: (operator, value) =>
    amount('bytes', operator, value, { b: 1, kb: 1_000, mb: 1_000_000 }, (row) => row.bytes),
  since: (operator, value, now) =>
    time('since', operator, value, now, (row, at) => (row.endedAt ?? row.startedAt) >= at),
  until: (operator, value, now) => time('until', operator, value, now, (row, at) => row.startedAt <= at),
}

type Operator = ':' | '>' | '<' | '>=' | '<='

const WORD = /-?(?:[^\s"]|"[^"]*"?)+/g
const KEYED = /^([a-z]+)(:|>=|<=|>|<)(.*)$/is

/**
 * Reads a filter: `method:tools/call dur>500 is:error server:everything text`. All words must hold; `-` before a
 * word turns it round; quotes keep spaces and colons together. Words without a key are looked for in method,
 * label, server and error.
 */
export function readFilter(text: string, now: number): Filter {
  const terms: FilterTerm[] = []
  for (const source of text.match(WORD) ?? []) {
    const negated = source.startsWith('-') && source.length > 1
    const word = negated ? source.slice(1) : source
    const built = readWord(word, now)
    if (typeof built !== 'function') return { ok: false, problem: built.problem }
    terms.push({ source, test: negated ? (row, at) => !built(row, at) : built })
  }
  return { ok: true, terms }
}

/** Whether a row is what all words ask for. */
export function holds(terms: readonly FilterTerm[], row: Exchange, now: number): boolean {
  return terms.every((term) => term.test(row, now))
}

/** Whether the exchange waits for the client's side to answer a question. */
export function isWaiting(row: Exchange): boolean {
  const last = row.waits?.at(-1)
  return row.outcome === 'open' && last !== undefined && last.endedAt === undefined
}

function readWord(word: string, now: number): Built {
  const keyed = KEYED.exec(word)
  if (keyed === null || word.startsWith('"') || /^[a-z][a-z0-9+.-]*:\/\//i.test(word))
    return looksFor(unquoted(word))
  const [, name = '', operator = ':', value = ''] = keyed
  const key = name.toLowerCase()
  const build = Object.hasOwn(KEYS, key) ? KEYS[key] : undefined
  if (build === undefined) {
    const known = Object.keys(KEYS).join(', ')
    return {
      problem: `“${name}” is not a key; known are ${known}. To look for the text, put it in quotes: "${word}"`,
    }
  }
  if (value === '') return { problem: timelineText.filter.needsAValue(name, operator) }
  return build(operator as Operator, unquoted(value), now)
}

function looksFor(text: string): Test {
  const wanted = anyCase(text)
  return (row) =>
    wanted.test(row.label) ||
    wanted.test(row.method) ||
    wanted.test(row.serverName) ||
    (row.errorMessage !== undefined && wanted.test(row.errorMessage))
}

function contains(read: (row: Exchange) => string, whole = false) {
  return (operator: Operator, value: string): Built => {
    if (operator !== ':') return { problem: timelineText.filter.colonMissing(operator, value) }
    const wanted = anyCase(value)
    return (row) => (whole ? read(row) === value : wanted.test(read(row)))
  }
}

/** Finds a text whatever its case, without making another text of each row. */
function anyCase(text: string): RegExp {
  return new RegExp(text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'), 'i')
}

function amount(
  key: string,
  operator: Operator,
  value: string,
  units: Readonly<Record<string, number>>,
  read: (row: Exchange, now: number) => number | undefined,
): Built {
  const limit = readAmount(value, units)
  const [unit = ''] = Object.keys(units).slice(-2)
  if (operator === ':') return { problem: timelineText.filter.isComparedWriteOr(key, key, value, key, value) }
  if (limit === undefined)
    return {
      problem: timelineText.filter.numberMissing(key, operator, value, key, operator, key, operator, unit),
    }
  return (row, now) => {
    const measured = read(row, now)
    if (measured === undefined) return false
    if (operator.startsWith('>')) return operator === '>' ? measured > limit : measured >= limit
    return operator === '<' ? measured < limit : measured <= limit
  }
}

function time(
  key: string,
  operator: Operator,
  value: string,
  now: number,
  test: (row: Exchange, at: number) => boolean,
): Built {
  const at = readTime(value, now)
  if (operator !== ':' || at === undefined) {
    return {
      problem: timelineText.filter.timeMissing(key, operator, value, key, key, key),
    }
  }
  return (row) => test(row, at)
}

function unquoted(text: string): string {
  return text.replaceAll('"', '')
}
