import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type {
  CallPermissionChoice,
  CheckDetail,
  CheckRow,
  RunSummary,
  RunView,
} from '../../server-core/host/contract/conformance.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { query } from '../host/api.ts'
import { live, useServers } from '../host/live.ts'
import { useObservable, useSelected } from '../state/observable.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { isFailure, statusesOf } from './status-look.ts'
import { chosenCell, chosenRun, examinedServer, type CellName } from './view-state.ts'

/** Whether a run is under way. */
export function isUnderWay({ phase }: Pick<RunView, 'phase'>): boolean {
  return phase === 'starting' || phase === 'running'
}

/** The run of this session, of whichever server. */
export function useLiveRun(): RunView | undefined {
  return useSelected(live.parts.conformance, (state) => state?.run)
}

/** The server whose checks are shown. */
export function useExaminedServer(): ServerState | undefined {
  const servers = useServers()
  const chosen = useObservable(examinedServer)
  const selected = useSelectedServerId()
  const underWay = useLiveRun()
  return (
    servers.find(({ id }) => id === chosen) ??
    servers.find(({ id }) => underWay !== undefined && isUnderWay(underWay) && id === underWay.serverId) ??
    servers.find(({ id }) => id === selected) ??
    servers[0]
  )
}

/** The stored runs of a server, and which tools may be called. */
export function useRuns(serverId: string): {
  readonly runs: readonly RunSummary[]
  readonly permission: CallPermissionChoice | undefined
  readonly isKnown: boolean
} {
  const run = useLiveRun()
  // Asked for again when a run of this server begins and when it ends.
  const phase = run?.serverId === serverId ? `${run.number} ${isUnderWay(run) ? 'under way' : 'over'}` : ''
  const { data } = useQuery({
    ...query.conformance.runs.queryOptions({ input: { serverId } }),
    queryKey: [...query.conformance.runs.key({ input: { serverId } }), phase],
    placeholderData: (before, previous) =>
      previous !== undefined && previous.queryKey.length > 0 && sameServer(previous.queryKey, serverId)
        ? before
        : undefined,
  })
  return { runs: data?.runs ?? [], permission: data?.permission, isKnown: data !== undefined }
}

function sameServer(key: readonly unknown[], serverId: string): boolean {
  return JSON.stringify(key).includes(JSON.stringify(serverId))
}

/** The run that is shown of a server: live if it is that of this session. `undefined`: there is none, or not yet. */
export function useShownRun(serverId: string): {
  readonly run: RunView | undefined
  readonly isKnown: boolean
} {
  const liveRun = useLiveRun()
  const chosen = useObservable(chosenRun)
  const { runs, isKnown } = useRuns(serverId)
  const own = liveRun?.serverId === serverId ? liveRun : undefined
  const number = chosen ?? own?.number ?? runs[0]?.number
  const isLive = own !== undefined && own.number === number
  const { data } = useQuery({
    ...query.conformance.run.queryOptions({ input: { serverId, number: number ?? 0 } }),
    enabled: number !== undefined && !isLive,
  })
  if (isLive) return { run: own, isKnown: true }
  return {
    run: number === undefined ? undefined : data,
    isKnown: isKnown && (number === undefined || data !== undefined),
  }
}

/** The cell whose checks are listed: the chosen one, else the first with a failure, else the first. */
export function useShownCell(run: RunView): CellName | undefined {
  const chosen = useObservable(chosenCell)
  const { cells } = run
  const isThere = cells.some(
    ({ revision, transport }) => revision === chosen?.revision && transport === chosen.transport,
  )
  if (isThere) return chosen
  return cells.find(({ letters }) => statusesOf(letters).some(isFailure)) ?? cells[0]
}

/** How far a run is: its checks are read again when this changes. */
function progressOf({ cells, phase, expected }: RunView, cell: CellName): string {
  const letters = cells.find(
    ({ revision, transport }) => revision === cell.revision && transport === cell.transport,
  )?.letters
  return `${phase} ${expected} ${letters ?? ''}`
}

/** The checks of one cell; those of a moment ago until the newest are here. */
export function useChecks(run: RunView, { revision, transport }: CellName): readonly CheckRow[] {
  const { serverId, number } = run
  const input = { serverId, number, revision, transport }
  const { data } = useQuery({
    ...query.conformance.checks.queryOptions({ input }),
    queryKey: [...query.conformance.checks.key({ input }), progressOf(run, input)],
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data ?? []
}

/** Everything about one check. */
export function useCheck(run: RunView, cell: CellName, id: string): CheckDetail | undefined {
  const { serverId, number } = run
  const input = { serverId, number, revision: cell.revision, transport: cell.transport, id }
  const { data } = useQuery({
    ...query.conformance.check.queryOptions({ input }),
    queryKey: [...query.conformance.check.key({ input }), progressOf(run, cell)],
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data
}
