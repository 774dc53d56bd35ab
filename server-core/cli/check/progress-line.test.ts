import { expect, it } from 'vitest'
import type { RunEvent } from '../../conformance/run/run-options.ts'
import { ProgressLine } from './progress-line.ts'

const cell = { side: 'server', revision: '2025-11-25', transport: 'stdio' } as const
const finished = (verdict: 'passed' | 'failed'): RunEvent => ({
  type: 'finished',
  result: { id: 'a.b', title: '', cell, verdict, findings: [], durationMs: 1, frames: [] },
})

function lineOn(isTTY: boolean): { line: ProgressLine; written: string[] } {
  const written: string[] = []
  let now = 0
  const stream = { isTTY, columns: 80, write: (text: string) => written.push(text) > 0 }
  return { line: new ProgressLine(stream, () => (now += 100)), written }
}

it('counts checks on a terminal, and removes its line', () => {
  const { line, written } = lineOn(true)
  line.begin('Looking')
  line.follow({ type: 'discovered', cells: [cell], total: 2 })
  line.follow(finished('passed'))
  line.follow(finished('failed'))
  expect(written.at(-1)).toContain('2/2 checks, 1 failed')
  line.end()
  expect(written.at(-1)).toBe('\r\u001B[K')
})

it('writes nothing where there is no terminal', () => {
  const { line, written } = lineOn(false)
  line.begin('Looking')
  line.follow(finished('failed'))
  line.end()
  expect(written).toEqual([])
})
