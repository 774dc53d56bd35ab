import { messageOf } from '../../protocol/error-message.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { ClientExam } from '../exam/client-exam.ts'
import { tourClient } from '../exam/client-tour.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { isPossible } from '../probe/discover.ts'
import { scaledWaits, type Waits } from '../probe/waits.ts'
import type { Cell, CheckResult } from '../verdict.ts'
import { examine } from './examine.ts'
import type { PeerName, Subject } from './run-options.ts'
import { peerOf } from './server-subject.ts'
import type { WorkPool } from './work-pool.ts'
import type { SelectedCheck } from './select-checks.ts'
import { doubled } from './responsiveness.ts'
import { TOUR } from './tour.ts'
import type { CellRun, SubjectParts, SubjectRun } from './subject-run.ts'

/** On a machine that is not slow a client takes so many times as long to start as three barriers. */
const STARTS = 4

/** Examines a client: each check starts it against an exam server of its own. */
export async function clientSubject(
  { driver, discover = false }: Extract<Subject, { side: 'client' }>,
  { options, numbers, waits, limits }: SubjectParts,
  pool: WorkPool,
): Promise<SubjectRun> {
  let peer: PeerName | undefined
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
    changed: (waits: Waits) => Waits = (same) => same,
  ): Promise<{ result: CheckResult; timedOut: boolean }> => {
    const log = new FrameLog(numbers, (frame) => {
      options.onFrame?.(frame, { id: entry.id, cell })
    })
    const { scaled } = await tourOf(cell)
    const exam = new ClientExam({ entry, cell, log, driver, waits: changed(scaled), seed: options.seed })
    try {
      await exam.listen()
      const run = async (own: ClientExam): Promise<void> => {
        if (check.type === 'client') await check.run(own)
        own.throwFault()
        await own.settleAuthorization()
      }
      const result = await examine(exam, run, limits)
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
      await examine(exam, tourClient, limits)
      peer ??= peerOf(clientInfoOf(exam))
      return {
        frames: log.frames,
        scaled: scaledWaits(waits, (await connectedMs) / STARTS),
        absence: await absenceOf(exam),
      }
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
      return timedOut && result.findings.length > 0 ? (await once(selected, cell, doubled)).result : result
    },
  })
  const absences = discover
    ? await Promise.all(cells.map((cell) => pool.run(async () => (await tourOf(cell)).absence)))
    : []
  return {
    cells: cells.filter((_, at) => absences[at] === undefined).map(cellRun),
    unsupported: cells.flatMap((cell, at) => {
      const reason = absences[at]
      return reason === undefined ? [] : [{ cell, reason }]
    }),
    peer: () => peer ?? { name: driver.name, version: undefined },
    close: () => Promise.resolve(),
  }
}

/** Characters of what a client wrote that a reason repeats. */
const OUTPUT = 300

/** What a client sends before it has accepted the revision of the server. */
const OPENINGS: ReadonlySet<unknown> = new Set(['initialize', 'server/discover'])

/** Why a client never came or left at once, with the end of what it wrote; undefined if it went on. */
async function absenceOf(exam: ClientExam): Promise<string | undefined> {
  const { received, cell } = exam
  if (received.some(({ message }) => 'method' in message && !OPENINGS.has(message['method'])))
    return undefined
  const what =
    received.length === 0 ? 'the client never connected' : `the client did not go on with ${cell.revision}`
  const output = await exam.client().then(
    (client) => client.output().trim(),
    (error: unknown) => messageOf(error),
  )
  const end = output === '' ? '' : `; it wrote: ${output.slice(-OUTPUT)}`
  return `${what}${end}`
}

/** What a client says of itself. */
export function clientInfoOf({ received }: ClientExam): JsonObject | undefined {
  for (const { message } of received) {
    const { params } = message
    if (!isJsonObject(params)) continue
    const meta = isJsonObject(params['_meta']) ? params['_meta'] : {}
    const info = params['clientInfo'] ?? meta['io.modelcontextprotocol/clientInfo']
    if (isJsonObject(info)) return info
  }
  return undefined
}
