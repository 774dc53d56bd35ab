import type { JsonObject } from '../../protocol/json.ts'
import { discoverCell, possibleCells, type Discovered, type DiscoverOptions } from '../probe/discover.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { ServerProbe } from '../probe/server-probe.ts'
import { tourServer } from '../probe/server-tour.ts'
import { scaledWaits } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import { examine } from './examine.ts'
import type { PeerName, Subject } from './run-options.ts'
import { TOUR } from './tour.ts'
import type { CellRun, SubjectParts, SubjectRun } from './subject-run.ts'
import type { SelectedCheck } from './select-checks.ts'
import type { WorkPool } from './work-pool.ts'

/** Discovers what a server supports, and examines it. */
export async function serverSubject(
  subject: Extract<Subject, { side: 'server' }>,
  parts: SubjectParts,
  pool: WorkPool,
): Promise<SubjectRun> {
  const { options, numbers, waits } = parts
  const { target } = subject
  const logOf = (cell: Cell, id?: string) =>
    new FrameLog(numbers, (frame) => {
      options.onFrame?.(frame, { id, cell })
    })
  const discover = (cell: Cell): DiscoverOptions => ({ target, waits, log: () => logOf(cell) })
  const wanted = possibleCells(target, options)
  const discovered = await Promise.all(
    wanted.map(async (cell): Promise<Discovered> => {
      const found = await pool.run(() => discoverCell(discover(cell), cell))
      const known = found.supported ? undefined : subject.knownFacts?.(cell)
      return known === undefined ? found : { supported: true, facts: known, log: logOf(cell) }
    }),
  )
  return {
    cells: discovered.filter((each) => each.supported).map((each) => cellRun(each, subject, parts, logOf)),
    unsupported: discovered.flatMap((each) =>
      each.supported ? [] : [{ cell: each.cell, reason: each.reason }],
    ),
    peer: () => peerOf(discovered.flatMap((each) => (each.supported ? [each.facts.serverInfo] : []))[0]),
    close: () => Promise.resolve(),
  }
}

/** The name in `serverInfo` or `clientInfo`. */
export function peerOf(info: JsonObject | undefined): PeerName | undefined {
  const { name, version } = info ?? {}
  if (typeof name !== 'string') return undefined
  return { name, version: typeof version === 'string' ? version : undefined }
}

function cellRun(
  { facts, log }: Extract<Discovered, { supported: true }>,
  { target, support }: Extract<Subject, { side: 'server' }>,
  { options, waits, limits }: SubjectParts,
  logOf: (cell: Cell, id?: string) => FrameLog,
): CellRun {
  const { cell } = facts
  const scaled = scaledWaits(waits, facts.threeBarriersMs)
  const once = async ({
    check,
    entry,
  }: SelectedCheck): Promise<{ result: CheckResult; timedOut: boolean }> => {
    const probe = new ServerProbe({
      entry,
      cell,
      log: logOf(cell, entry.id),
      target,
      facts,
      waits: scaled,
      support,
      seed: options.seed,
    })
    try {
      const run = check.type === 'server' ? check.run : () => Promise.resolve()
      const result = await examine(probe, run, limits)
      return { result, timedOut: probe.timedOut }
    } finally {
      await probe.closeAll()
    }
  }
  const tour = async () => {
    const ownLog = logOf(cell)
    const probe = new ServerProbe({
      entry: TOUR,
      cell,
      log: ownLog,
      target,
      facts,
      waits: scaled,
      support,
      seed: options.seed,
    })
    try {
      await examine(probe, tourServer, limits)
      return [...log.frames, ...ownLog.frames]
    } finally {
      await probe.closeAll()
    }
  }
  return {
    cell,
    tour,
    run: async (selected) => {
      const { result, timedOut } = await once(selected)
      // A finding that rests on a wait is repeated before it is reported.
      return timedOut && result.findings.length > 0 ? (await once(selected)).result : result
    },
  }
}
