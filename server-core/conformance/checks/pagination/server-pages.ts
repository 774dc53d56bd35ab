import { isDeepStrictEqual } from 'node:util'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import {
  declaredLists,
  entriesOf,
  keysOf,
  MAX_PAGES,
  readPage,
  sortedKeys,
  walk,
  type ListMethod,
  type Walk,
} from '../lists/list-methods.ts'

export const pagesWalk = serverCheck(
  'pagination.server.walk',
  async (probe) => {
    const connection = await probe.connect()
    const changed: string[] = []
    for (const list of declaredLists(probe)) {
      const { first, isStable } = await walkTwice(connection, list)
      if (first.pages.length >= MAX_PAGES && !first.isWhole) {
        probe.warn({
          expected: `${list.method} ends within ${MAX_PAGES} pages`,
          actual: 'a next cursor on every page',
          member: '/result/nextCursor',
          frame: first.pages.at(-1)?.outcome.frame,
        })
        continue
      }
      reportDoubled(probe, list, first)
      if (isStable) await compareSecondPage(probe, connection, list, first)
      else changed.push(list.method)
    }
    if (changed.length > 0) probe.inconclusive(`${changed.join(', ')} changed between two walks`)
  },
  { title: 'Pages end, and hold every entry once' },
)

/** Walks a list until two walks agree, three times at most: others may change it meanwhile. */
async function walkTwice(
  connection: ProbeConnection,
  list: ListMethod,
): Promise<{ readonly first: Walk; readonly isStable: boolean }> {
  let first = await walk(connection, list)
  for (let attempt = 0; attempt < 3; attempt += 1) {
    const second = await walk(connection, list)
    if (isDeepStrictEqual(sortedKeys(list, first), sortedKeys(list, second))) return { first, isStable: true }
    first = second
  }
  return { first, isStable: false }
}

/** Reports an entry that two pages contain. */
function reportDoubled(probe: ServerProbe, list: ListMethod, { pages }: Walk): void {
  const seen = new Map<string, number>()
  for (const [page, { outcome }] of pages.entries()) {
    if (outcome.type !== 'result') continue
    for (const [place, entry] of entriesOf(list, outcome.result).entries()) {
      const text = JSON.stringify(entry)
      const before = seen.get(text)
      seen.set(text, page)
      if (before === undefined || before === page) continue
      probe.warn({
        expected: 'each entry on one page',
        actual: `${shortJson(entry[list.key])} on page ${before + 1} and page ${page + 1}`,
        member: `/result/${list.member}/${place}`,
        frame: [
          outcome.frame,
          ...(pages[before]?.outcome.frame === undefined ? [] : [pages[before].outcome.frame]),
        ],
      })
      return
    }
  }
}

async function compareSecondPage(
  probe: ServerProbe,
  connection: ProbeConnection,
  list: ListMethod,
  { pages }: Walk,
): Promise<void> {
  const second = pages[1]
  if (second?.cursor === undefined || second.outcome.type !== 'result') return
  const again = await readPage(connection, list, second.cursor)
  const keys = again.type === 'result' ? keysOf(list, again.result).toSorted() : undefined
  const before = keysOf(list, second.outcome.result).toSorted()
  probe.expect(isDeepStrictEqual(keys, before), {
    severity: 'warning',
    expected: `the same page for the same cursor: ${shortJson(before)}`,
    actual: keys === undefined ? describeOutcome(again) : shortJson(keys),
    member: `/result/${list.member}`,
    statement: 'pagination.stable-cursors',
    frame: [again.frame ?? again.sent, second.outcome.frame],
  })
}

export const badCursor = serverCheck(
  'pagination.server.bad-cursor',
  async (probe) => {
    const connection = await probe.connect()
    const lists: ListMethod[] = []
    const cursors = new Map<ListMethod, string>()
    for (const list of declaredLists(probe)) {
      const page = await readPage(connection, list)
      // A list that does not answer at all is a matter of another check.
      if (page.type !== 'result') continue
      lists.push(list)
      const next = page.result['nextCursor']
      if (typeof next === 'string') cursors.set(list, next)
    }
    for (const list of lists) {
      judge(probe, await readPage(connection, list, 'zzz'), 'the cursor "zzz"', 'warning')
      judge(probe, await readPage(connection, list, 'x'.repeat(10_000)), 'a cursor of 10 kB', 'warning')
      const empty = await readPage(connection, list, '')
      if (empty.type !== 'result') judge(probe, empty, 'an empty cursor', 'info')
      const own = cursors.get(list)
      if (own !== undefined)
        judge(probe, await readPage(connection, list, altered(own)), 'an altered cursor', 'info')
      const [foreign] = [...cursors].flatMap(([other, cursor]) => (other === list ? [] : [cursor]))
      if (foreign !== undefined)
        judge(probe, await readPage(connection, list, foreign), 'a cursor of another list', 'info')
    }
  },
  { title: 'Invalid cursors are refused with -32602' },
)

function altered(cursor: string): string {
  const middle = Math.floor(cursor.length / 2)
  const other = cursor[middle] === 'A' ? 'B' : 'A'
  return cursor.slice(0, middle) + other + cursor.slice(middle + 1)
}

function judge(probe: ServerProbe, outcome: Outcome, what: string, severity: 'warning' | 'info'): void {
  if (outcome.type === 'error' && outcome.code === -32602) return
  const isFailure = outcome.type === 'closed' || outcome.type === 'silence'
  probe.fail({
    severity: isFailure ? 'warning' : severity,
    expected: `error -32602 for ${what}`,
    actual: describeOutcome(outcome),
    member: outcome.type === 'error' ? '/error/code' : '/result',
    frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
  })
}
