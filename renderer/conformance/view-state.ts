import type { CellState } from '../../server-core/host/contract/conformance.ts'
import { Observable } from '../state/observable.ts'

/** One cell of the matrix. */
export type CellName = Pick<CellState, 'revision' | 'transport'>
export type Shown = 'all' | 'failed' | 'changed'

export type Kind = 'server' | 'client' | 'definitions'

/** What is shown: the checks of servers, the exam of a client, or what a server lists against what was approved. */
export const shownKind = new Observable<Kind>('server')
/** The opened check of the exam. */
export const chosenExamCheck = new Observable<string | undefined>(undefined)
/** The server whose checks are shown; that of the inspector if none was chosen here. */
export const examinedServer = new Observable<string | undefined>(undefined)
/** The number of the run that is shown; the newest if none was chosen. */
export const chosenRun = new Observable<number | undefined>(undefined)
/** The cell whose checks are listed; one with failures, or the first, if none was chosen. */
export const chosenCell = new Observable<CellName | undefined>(undefined)
/** The area whose checks are listed; all of them if it is undefined. */
export const chosenArea = new Observable<string | undefined>(undefined)
export const chosenCheck = new Observable<string | undefined>(undefined)
export const filterText = new Observable('')
export const shownChecks = new Observable<Shown>('all')
/** Whether the dialog that starts a run is open. */
export const choosingOptions = new Observable(false)

/** Shows another server, from its newest run on. */
export function showChecksOf(serverId: string): void {
  examinedServer.set(serverId)
  showRun(undefined)
}

/** Shows another run of the server. */
export function showRun(number: number | undefined): void {
  chosenRun.set(number)
  chosenCell.set(undefined)
  chosenArea.set(undefined)
  chosenCheck.set(undefined)
}

/** Names a cell. */
export function cellKey({ revision, transport }: CellName): string {
  return `${revision} ${transport}`
}
