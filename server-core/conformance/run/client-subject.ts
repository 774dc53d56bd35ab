import { ClientExam } from '../exam/client-exam.ts'
import { tourClient } from '../exam/client-tour.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { isPossible } from '../probe/discover.ts'
import { scaledWaits } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import { examine } from './examine.ts'
import type { Subject } from './run-options.ts'
import type { SelectedCheck } from './select-checks.ts'
import { TOUR } from './tour.ts'
import { DEADLINE_MS, type CellRun, type SubjectParts, type SubjectRun } from './subject-run.ts'

/** On a machine that is not slow a client takes so many times as long to start as three barriers. */
const STARTS = 4

/** Examines a client: each check starts it against an exam server of its own. */
export function clientSubject(
  { driver }: Extract<Subject, { side: 'client' }>,
  { options, numbers, waits }: SubjectParts,
): SubjectRun {
  const cells = driver.transports
    .filter((transport) => options.transports?.includes(transport) ?? true)
    .flatMap((transport) =>
      driver.revisions
        .filter((revision) => options.revisions?.includes(revision) ?? true)
        .filter((revision) => isPossible(transport, revision))
        .map((revision): Cell => ({ side: 'client', revision, transport })),
    )
  const once = async (
    { check, entry }: SelectedCheck,
    cell: Cell,
  ): Promise<{ result: CheckResult; timedOut: boolean }> => {
    const log = new FrameLog(numbers, (frame) => {
      options.onFrame?.(frame, { id: entry.id, cell })
    })
    const { scaled } = await tourOf(cell)
    const exam = new ClientExam({ entry, cell, log, driver, waits: scaled, seed: options.seed })
    try {
      await exam.listen()
      const run = async (own: ClientExam): Promise<void> => {
        if (check.type === 'client') await check.run(own)
        own.throwFault()
      }
      const result = await examine(exam, run, options.deadlineMs ?? DEADLINE_MS)
      return { result, timedOut: exam.timedOut }
    } finally {
      await exam.closeAll()
    }
  }
  const tour = async (cell: Cell) => {
    const log = new FrameLog(numbers, (frame) => {
      options.onFrame?.(frame, { id: undefined, cell })
    })
    const exam = new ClientExam({ entry: TOUR, cell, log, driver, waits, seed: options.seed })
    try {
      await exam.listen()
      const began = performance.now()
      const connectedMs = exam.connection().then(
        () => performance.now() - began,
        () => 0,
      )
      await examine(exam, tourClient, options.deadlineMs ?? DEADLINE_MS)
      return { frames: log.frames, scaled: scaledWaits(waits, (await connectedMs) / STARTS) }
    } finally {
      await exam.closeAll()
    }
  }
  const tours = new Map<Cell, ReturnType<typeof tour>>()
  const tourOf = (cell: Cell) => {
    const known = tours.get(cell) ?? tour(cell)
    tours.set(cell, known)
    return known
  }
  const cellRun = (cell: Cell): CellRun => ({
    cell,
    tour: async () => (await tourOf(cell)).frames,
    run: async (selected) => {
      const { result, timedOut } = await once(selected, cell)
      return timedOut && result.findings.length > 0 ? (await once(selected, cell)).result : result
    },
  })
  return { cells: cells.map(cellRun), unsupported: [], close: () => Promise.resolve() }
}
