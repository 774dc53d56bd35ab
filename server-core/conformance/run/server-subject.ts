import type { JsonObject } from '../../protocol/json.ts'
import { discoverCell, possibleCells, type Discovered, type DiscoverOptions } from '../probe/discover.ts'
import { FrameLog } from '../frames/frame-log.ts'
import type { CheckEntry } from '../catalogue/catalogue.ts'
import { ServerProbe, type ServerProbeParts } from '../probe/server-probe.ts'
import { SharedConnections } from '../probe/shared-connections.ts'
import { tourServer } from '../probe/server-tour.ts'
import { scaledWaits } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import { examine } from './examine.ts'
import type { PeerName, Subject } from './run-options.ts'
import { answersAnything, doubled } from './responsiveness.ts'
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
  const cells = discovered
    .filter((each) => each.supported)
    .map((each) => cellRun(each, subject, parts, logOf))
  return {
    cells,
    unsupported: discovered.flatMap((each) =>
      each.supported ? [] : [{ cell: each.cell, reason: each.reason }],
    ),
    peer: () => peerOf(discovered.flatMap((each) => (each.supported ? [each.facts.serverInfo] : []))[0]),
    close: async () => {
      await Promise.all(cells.map((each) => each.close()))
    },
  }
}

type ServerCellRun = CellRun & { readonly close: () => Promise<void> }

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
): ServerCellRun {
  const { cell } = facts
  const scaled = scaledWaits(waits, facts.threeBarriersMs)
  const shared = new SharedConnections()
  const probeOf = (entry: CheckEntry, own: FrameLog, more: Partial<ServerProbeParts> = {}) =>
    new ServerProbe({
      entry,
      cell,
      log: own,
      target,
      facts,
      waits: scaled,
      support,
      seed: options.seed,
      ...more,
    })
  const once = async ({ check, entry }: SelectedCheck, more: Partial<ServerProbeParts>) => {
    const probe = probeOf(entry, logOf(cell, entry.id), more)
    let isOver = false
    const run = async (own: ServerProbe): Promise<void> => {
      if (check.type === 'server') await check.run(own)
      isOver = true
    }
    try {
      const result = await examine(probe, run, limits)
      const { timedOut, isUsedBefore } = probe
      return { result, isUsedBefore, restsOnWait: timedOut && result.findings.length > 0 }
    } finally {
      await probe.closeAll(isOver)
    }
  }
  const isResponsive = async (): Promise<boolean> => {
    const probe = probeOf(TOUR, new FrameLog())
    try {
      return await answersAnything(probe)
    } finally {
      await probe.closeAll()
    }
  }
  const tour = async () => {
    const ownLog = logOf(cell)
    const probe = probeOf(TOUR, ownLog)
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
      const first = await once(selected, { shared })
      if (!first.restsOnWait && !(first.isUsedBefore && isDoubtful(first.result))) return first.result
      // What rests on a wait is repeated with more time, and what a session in use before may have caused with a new one.
      const second = await once(selected, first.restsOnWait ? { waits: doubled(scaled) } : {})
      if (!second.restsOnWait || (await isResponsive())) return second.result
      return {
        ...second.result,
        verdict: 'inconclusive',
        findings: [],
        reason: `nothing was answered on a new connection within ${scaled.answerMs} ms either`,
      }
    },
    close: () => shared.close(),
  }
}

/** Whether a verdict could come of what an earlier check did. */
function isDoubtful({ verdict }: CheckResult): boolean {
  return verdict === 'failed' || verdict === 'inconclusive' || verdict === 'broken'
}
