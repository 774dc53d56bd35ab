import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it } from 'vitest'
import { MARK_VARIABLE, nextMark, RUN, runMark } from './process-mark.ts'
import {
  identityOf,
  listProcesses,
  markedAmong,
  processOf,
  rowsOfPowerShell,
  rowsOfPs,
} from './process-table.ts'
import { belowRoots } from './process-tree.ts'

it('lists this process, its parent and its children, and no longer once they have ended', async () => {
  const mark = nextMark()
  const child = spawn(process.execPath, ['-e', 'console.log(1); setInterval(() => 0, 1000)'], {
    env: { [MARK_VARIABLE]: mark },
    detached: true,
  })
  await once(child.stdout, 'data')
  const { pid = 0 } = child
  const rows = await listProcesses()
  expect(rows.find((row) => row.pid === process.pid)).toMatchObject({ parent: process.ppid })
  const row = rows.find((each) => each.pid === pid)
  expect(row).toMatchObject({ parent: process.pid, group: pid })
  expect(await processOf(pid)).toEqual(row)
  expect(await identityOf(pid)).toMatchObject({ pid, startedAt: row?.startedAt })
  expect(await markedAmong(rows, mark)).toEqual(new Set([pid]))
  expect(await markedAmong(rows, runMark(RUN))).toEqual(new Set([pid]))
  expect(await markedAmong(rows, mark.replace(/\d+\/$/, '0/'))).toEqual(new Set())
  child.kill('SIGKILL')
  await once(child, 'exit')
  expect(await processOf(pid)).toBeUndefined()
})

it('reads what ps prints on macOS, and PowerShell on Windows', () => {
  const ps = `
    1     0     1 Ss   Sun Nov 22 08:00:01 2026
  501     1   500 S+   Sun Nov  1 09:10:11 2026
  502   501   500 Z    Sun Nov  1 09:10:12 2026
`
  expect(rowsOfPs(ps)).toEqual([
    { pid: 1, parent: 0, group: 1, session: 0, startedAt: Date.UTC(2026, 10, 22, 8, 0, 1) },
    { pid: 501, parent: 1, group: 500, session: 0, startedAt: Date.UTC(2026, 10, 1, 9, 10, 11) },
  ])
  expect(rowsOfPowerShell('4 0 134052336000001234\r\n712 4 134052336005551234\r\nelse\r\n')).toEqual([
    { pid: 4, parent: 0, group: 0, session: 0, startedAt: 13405233600000 },
    { pid: 712, parent: 4, group: 0, session: 0, startedAt: 13405233600555 },
  ])
})

it('finds what belongs to a tree, and nothing that has its numbers by chance', () => {
  const row = (pid: number, parent: number, startedAt: number, group = pid, session = group) => ({
    pid,
    parent,
    group,
    session,
    startedAt,
  })
  const leader = { pid: 10, startedAt: 100 }
  const found = (rows: ReturnType<typeof row>[], marked: number[] = []): number[] =>
    belowRoots(rows, { known: [{ pid: 50, startedAt: 120 }], leader }, new Set(marked)).map(({ pid }) => pid)
  const stranger = row(7, 1, 110)
  expect(found([stranger, row(10, 1, 100), row(11, 10, 101, 11), row(12, 11, 102, 12)])).toEqual([10, 11, 12])
  // The leader has ended: its group, its session, a mark, and the children of those lead on.
  expect(
    found(
      [stranger, row(20, 1, 101, 10), row(21, 1, 102, 21, 10), row(22, 1, 103), row(23, 22, 104)],
      [22],
    ).sort(),
  ).toEqual([20, 21, 22, 23])
  // Another process has the leader's number, or that of one that was seen before.
  expect(found([row(10, 1, 130), row(11, 10, 131, 10), row(50, 1, 121), row(51, 50, 122)])).toEqual([])
  // Windows: the number of an ended parent, and a child that is older than who has the number now.
  expect(found([row(30, 10, 105, 0, 0), row(31, 10, 99, 0, 0)])).toEqual([30])
})
