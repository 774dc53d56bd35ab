import { expect, it } from 'vitest'
import { collectGarbage } from '../collect-garbage.test-support.ts'
import { message, notify } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const ROWS = 5_000
const HALF = 4_500

it('frees the memory of dropped rows', async () => {
  const traffic = new TrafficLog({ bounds: { frameBytes: 1e9, rows: ROWS } })
  const tap = traffic.tap({ serverId: 'noisy', serverName: 'noisy', side: 'client' })
  const record = (from: number): void => {
    for (let number = from; number < from + HALF; number += 1) {
      tap.record(message('received', notify('notifications/message', { data: `line ${number}` })))
    }
    traffic.rows()
  }
  record(0)
  const refs = traffic.shownRows().map((row) => new WeakRef(row))
  record(HALF)
  await collectGarbage()
  const rows = refs.flatMap((ref) => ref.deref() ?? [])
  const dropped = rows.filter(({ isDropped }) => isDropped)
  expect(rows.length - dropped.length).toBeLessThan(HALF / 4)
  expect(dropped.length).toBeLessThan(ROWS / 10)
})
