import { expect, it } from 'vitest'
import type { ReportedCheck } from '../../conformance/report/report-schema.ts'
import { cutFrames, failureText, fixedText, outcomeOf } from './check-results.ts'

const finding: ReportedCheck['findings'][number] = {
  severity: 'error',
  statement: 'jsonrpc.method-not-found',
  revision: '2025-11-25',
  transport: 'stdio',
  expected: 'error -32601',
  actual: 'a result',
  member: '/error/code',
  frames: [7],
}

function result(change: Partial<ReportedCheck> = {}): ReportedCheck {
  return {
    id: 'jsonrpc.unknown-method.server',
    title: 'Unknown methods are refused',
    severity: 'error',
    statements: ['jsonrpc.method-not-found'],
    side: 'server',
    revision: '2025-11-25',
    transport: 'stdio',
    verdict: 'passed',
    findings: [],
    durationMs: 1,
    ...change,
  }
}

const frame = {
  index: 7,
  at: '2026-11-24T00:00:00.000Z',
  from: 'server',
  kind: 'message',
  text: '{\n  "id": 1,\n  "result": {}\n}',
  bytes: 20,
} as const
const failed = result({ verdict: 'failed', findings: [finding], frames: [frame] })
const context = {
  id: failed.id,
  title: failed.title,
  page: 'https://example.com/check.md',
  clauses: {
    'jsonrpc.method-not-found': {
      level: 'MUST',
      text: 'An unknown method yields -32601.',
      section: 'basic',
      url: 'https://example.com/clause',
    },
  },
  repeat: 'npx playwright test a.spec.ts',
} as const

it('fails where one cell fails, and passes where one passes and none fails', () => {
  const open = result({ verdict: 'inconclusive', reason: 'no answer' })
  expect(outcomeOf([result(), failed], {}).type).toBe('failed')
  expect(outcomeOf([open, result()], {}).type).toBe('passed')
  expect(outcomeOf([open], {})).toEqual({ type: 'skipped', reason: 'inconclusive: no answer' })
  expect(outcomeOf([], {}).type).toBe('skipped')
  expect(outcomeOf([result({ verdict: 'broken', reason: 'a fault' })], {}).type).toBe('failed')
})

it('fails on warnings where the level says so', () => {
  const warned = result({ verdict: 'warned', findings: [{ ...finding, severity: 'warning' }] })
  expect(outcomeOf([warned], {}).type).toBe('passed')
  expect(outcomeOf([warned], { level: 'warning' }).type).toBe('failed')
})

it('expects what the baseline has, and nothing else', () => {
  const known = { ...failed, baseline: 'known' } as const
  expect(outcomeOf([known], {})).toMatchObject({ type: 'failed', isExpected: true })
  const fresh = { ...failed, revision: '2025-06-18', baseline: 'new' } as const
  expect(outcomeOf([known, fresh], {})).toEqual({ type: 'failed', isExpected: false, results: [fresh] })
  const fixed = outcomeOf([known, result({ baseline: 'fixed' })], {})
  expect(fixed.type).toBe('fixed')
  expect(fixedText([result({ baseline: 'fixed' })], 'b.json', context)).toContain(
    'passes now (2025-11-25, stdio), but b.json expects it to fail',
  )
})

it('shows where, what, the clause, the frames, the page and the command; cells alike together', () => {
  expect(failureText([failed, { ...failed, revision: '2025-06-18' }], context)).toBe(
    `jsonrpc.unknown-method.server: Unknown methods are refused

2025-11-25, stdio; 2025-06-18, stdio: failed
  Expected: error -32601
  Received: a result at /error/code
  Clause:   MUST An unknown method yields -32601.
            https://example.com/clause
  Frames:
       7 ← { "id": 1, "result": {} }

Check:  https://example.com/check.md
Repeat: npx playwright test a.spec.ts`,
  )
})

it('attaches frames only where the message cuts them', () => {
  expect(cutFrames([failed])).toBeUndefined()
  expect(cutFrames([{ ...failed, frames: [{ ...frame, text: 'x'.repeat(700) }] }])).toContain('"index": 7')
})
