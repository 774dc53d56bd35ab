import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { declaredLists, walk } from '../lists/list-methods.ts'

export const cacheHints = serverCheck(
  'caching.server.hints',
  async (probe) => {
    const connection = await probe.connect()
    const discovered = await connection.call('server/discover')
    if (discovered.type === 'result')
      judgeHints(probe, 'server/discover', discovered.result, discovered.frame)
    const lists = probe.declares('tools') || probe.declares('prompts') || probe.declares('resources')
    for (const list of lists ? declaredLists(probe) : []) {
      for (const { outcome } of (await walk(connection, list)).pages)
        if (outcome.type === 'result') judgeHints(probe, list.method, outcome.result, outcome.frame)
    }
    const uri = probe.server.resources[0]?.['uri']
    if (uri === undefined) return
    const read = await connection.call('resources/read', { uri })
    if (read.type === 'result' && read.result['resultType'] !== 'input_required')
      judgeHints(probe, 'resources/read', read.result, read.frame)
  },
  { title: 'Results that may be kept say for how long, and by whom' },
)

function judgeHints(probe: ServerProbe, method: string, result: JsonObject, frame: CapturedFrame): void {
  const { ttlMs, cacheScope } = result
  const absent = [ttlMs === undefined ? 'ttlMs' : '', cacheScope === undefined ? 'cacheScope' : ''].filter(
    Boolean,
  )
  if (absent.length > 0)
    probe.fail({
      expected: `ttlMs and cacheScope in the result of ${method}`,
      actual: `no ${absent.join(' and no ')}`,
      member: '/result',
      frame,
    })
  if (ttlMs !== undefined && !(Number.isInteger(ttlMs) && Number(ttlMs) >= 0))
    probe.fail({
      expected: 'a whole ttlMs from 0',
      actual: shortJson(ttlMs),
      member: '/result/ttlMs',
      statement: 'caching.ttl-nonnegative',
      frame,
    })
  if (cacheScope !== undefined && cacheScope !== 'public' && cacheScope !== 'private')
    probe.fail({
      expected: 'cacheScope "public" or "private"',
      actual: shortJson(cacheScope),
      member: '/result/cacheScope',
      statement: 'caching.scope-values',
      frame,
    })
}

export const pagesScope = serverCheck(
  'caching.server.pages-scope',
  async (probe) => {
    const connection = await probe.connect()
    let hasPages = false
    for (const list of declaredLists(probe)) {
      const { pages } = await walk(connection, list)
      if (pages.length < 2) continue
      hasPages = true
      const first = pages[0]?.outcome
      for (const { outcome } of pages) {
        if (first?.type !== 'result' || outcome.type !== 'result') continue
        const scope = outcome.result['cacheScope']
        probe.expect(scope === first.result['cacheScope'], {
          expected: `cacheScope ${shortJson(first.result['cacheScope'])}, as on the first page of ${list.method}`,
          actual: shortJson(scope),
          member: '/result/cacheScope',
          frame: [outcome.frame, first.frame],
        })
      }
    }
    if (!hasPages) probe.notApplicable('no list has several pages')
  },
  { title: 'All pages of a list have one scope' },
)

const REPEATS = 20

export const cacheRepeats = serverCheck(
  'caching.server.repeats',
  async (probe) => {
    const [list] = declaredLists(probe)
    if (list === undefined) return
    const connection = await probe.connect()
    for (let count = 1; count <= REPEATS; count += 1) {
      const outcome = await connection.call(list.method)
      if (count === 1 && outcome.type !== 'result') probe.inconclusive(describeOutcome(outcome))
      if (outcome.type === 'result') continue
      probe.fail({
        severity: 'info',
        expected: `${list.method} served ${REPEATS} times within its lifetime`,
        actual: `${describeOutcome(outcome)} at request ${count}`,
        member: '/error',
        frame: outcome.frame ?? outcome.sent,
      })
      return
    }
  },
  { title: 'A list is served again within its lifetime' },
)
