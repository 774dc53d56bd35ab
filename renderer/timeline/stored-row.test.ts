import { expect, it } from 'vitest'
import { findStoredRow } from './stored-row.ts'
import { sampleRow } from './sample-rows.test-support.ts'

const stored = { id: '7', serverId: 's', method: 'tools/call', startedAt: 1_000 }

it('is the row with its id if that is the same row', () => {
  const same = sampleRow('7')
  expect(findStoredRow(stored, [sampleRow('6'), same], same)).toBe(same)
})

it('is the row that began at that time if Patchbay was started since', () => {
  const other = sampleRow('7', { startedAt: 5_000 })
  const near = sampleRow('2', { startedAt: 1_004 })
  const nearest = sampleRow('3', { startedAt: 999.5 })
  expect(findStoredRow(stored, [near, undefined, nearest, other], other)).toBe(nearest)
})

it('is not a row of another time, server or method', () => {
  const rows = [
    sampleRow('1', { startedAt: 1_100 }),
    sampleRow('2', { serverId: 't' }),
    sampleRow('3', { method: 'tools/list' }),
  ]
  expect(findStoredRow(stored, rows, undefined)).toBeUndefined()
})
