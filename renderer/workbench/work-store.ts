import type { EndedCall, Listed, RequestOutcome } from '../../server-core/host/contract/inspect.ts'
import { Observable } from '../state/observable.ts'
import { movedTo, newArguments, type ArgumentsState } from './form/arguments-state.ts'
import { describeSchema } from './form/describe-schema.ts'
import type { FieldSpec } from './form/field-spec.ts'

/** One request that was sent from a tab, and what became of it. */
export type CallRecord = {
  readonly id: string
  /** When it was sent, in milliseconds since 1970. */
  readonly at: number
  /** The arguments as JSON text, just as they were typed. */
  readonly text: string
  readonly outcome: RequestOutcome
  /** Patchbay was started since. */
  readonly isEarlier?: true
}

export type Running = {
  readonly callId: string
  readonly at: number
  readonly text: string
  /** The user cancelled it, and it has not ended yet. */
  readonly isCancelling?: boolean
}

/** What a tab holds. It outlives the tab being hidden, its server being gone for a while, and the tab itself. */
export type Work = {
  readonly schema: unknown
  readonly spec: FieldSpec
  readonly arguments: ArgumentsState
  /** The entry as the server listed it last. */
  readonly listed?: Listed
  readonly running?: Running
  readonly shown?: CallRecord
  /** The call that an earlier load of the page showed. */
  readonly shownBefore?: string
  /** Newest first. */
  readonly history: readonly CallRecord[]
  /** Which page of the tab is shown, and which view of a result was chosen. */
  readonly page: string
  readonly view?: string
  /** Pixels that the user gave the arguments; they take what they need if it is not there. */
  readonly argumentsHeight?: number | undefined
  /** The arguments are folded to one line. */
  readonly isFolded?: boolean
  /** When the server last sent an update of the resource. */
  readonly changedAt?: number
  /** The resource is read again at each update; the user asked for that. */
  readonly readsUpdates?: boolean
}

const MAX_HISTORY = 50
/** Characters of answers that the history of one tab keeps; the newest one is always kept. */
const MAX_HISTORY_LENGTH = 32_000_000

const works = new Map<string, Observable<Work>>()

/** Grows with each change of any tab's work. */
export const workChanges = new Observable(0)

/** All there is, by the ids of the tabs. */
export function allWorks(): ReadonlyMap<string, Observable<Work>> {
  return works
}

/** The work of a tab, begun if there is none. */
export function workOf(id: string, schema: unknown, page: string): Observable<Work> {
  const known = works.get(id)
  if (known !== undefined) return known
  const spec = describeSchema(schema)
  return added(id, { schema, spec, arguments: newArguments(spec), history: [], page })
}

/** What of a tab's work is worth keeping when the page is loaded again. */
export type KeptWork = Pick<
  Work,
  'schema' | 'arguments' | 'page' | 'view' | 'listed' | 'readsUpdates' | 'shownBefore'
>

/** Begins the work of a tab with what an earlier load of the page kept of it. */
export function restoreArguments(id: string, { arguments: typed, ...kept }: KeptWork): void {
  const spec = describeSchema(kept.schema)
  added(id, { ...kept, spec, arguments: typed, history: [] })
}

function added(id: string, work: Work): Observable<Work> {
  const observable = new Observable(work)
  works.set(id, observable)
  observable.subscribe(() => workChanges.set(workChanges.get() + 1))
  return observable
}

/** Replaces the given members of a tab's work and tells those who watch it. */
export function changeWork(work: Observable<Work>, change: Partial<Work>): void {
  work.set({ ...work.get(), ...change })
}

/** Applies a schema that the server has changed. Typed values stay. */
export function takeSchema(work: Observable<Work>, schema: unknown): void {
  const before = work.get()
  if (before.schema === schema || JSON.stringify(before.schema) === JSON.stringify(schema)) return
  const spec = describeSchema(schema)
  changeWork(work, { schema, spec, arguments: movedTo(spec, before.spec, before.arguments) })
}

/** Notes what became of the request that is running. */
export function endCall(work: Observable<Work>, call: Running, outcome: RequestOutcome): void {
  const record: CallRecord = { id: call.callId, at: call.at, text: call.text, outcome }
  const { running, ...before } = work.get()
  const history = bounded([record, ...before.history])
  const isLatest = running?.callId === call.callId
  work.set({
    ...before,
    ...(running === undefined || isLatest ? {} : { running }),
    ...(isLatest || running === undefined ? { shown: record } : {}),
    history,
  })
}

/** Adds calls that ended before the page was loaded, the newest first; the newest is shown if nothing else is. */
export function addEndedCalls(work: Observable<Work>, ended: readonly EndedCall[]): void {
  const before = work.get()
  const known = new Set(before.history.map(({ id }) => id))
  const records = ended
    .filter(({ callId }) => !known.has(callId))
    .map(({ callId, at, argumentsText: text, outcome, isEarlier }): CallRecord => {
      return { id: callId, at, text, outcome, ...(isEarlier === true && { isEarlier }) }
    })
  const [newest] = records
  if (newest === undefined) return
  changeWork(work, {
    history: bounded([...before.history, ...records]),
    ...(before.shown === undefined && {
      shown: records.find(({ id }) => id === before.shownBefore) ?? newest,
    }),
  })
}

function bounded(records: readonly CallRecord[]): readonly CallRecord[] {
  let length = 0
  return records.slice(0, MAX_HISTORY).filter(({ text, outcome }, place) => {
    length += text.length + (outcome.type === 'failure' ? 0 : outcome.messageText.length)
    return place === 0 || length <= MAX_HISTORY_LENGTH
  })
}
