import type {
  CallPermissionChoice,
  RunView,
  StartExamInput,
  StartInput,
  WrittenFormat,
} from '../../server-core/host/contract/conformance.ts'
import { downloadText } from '../controls/download.ts'
import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { query } from '../host/api.ts'
import { conformanceText } from './text.ts'
import { chosenRun, type CellName } from './view-state.ts'

const { actions } = conformanceText

/** Starts a run, which is then shown. Returns whether it began. */
export async function startRun(
  input: Omit<StartInput, 'suite'> & Partial<Pick<StartInput, 'suite'>>,
): Promise<boolean> {
  try {
    await api.conformance.start(input)
    chosenRun.set(undefined)
    return true
  } catch (error) {
    showFailure(actions.couldNotStart, error)
    return false
  }
}

/** Runs some checks of the newest run again. */
export function runAgain(
  run: RunView,
  permission: CallPermissionChoice | undefined,
  again: NonNullable<StartInput['again']>,
): Promise<boolean> {
  const { serverId } = run
  const suite = suiteOf(run)
  return startRun({
    serverId,
    permission: permission ?? { type: 'none' },
    again,
    ...(suite !== undefined && { suite }),
  })
}

function suiteOf({ suite }: RunView): StartInput['suite'] | undefined {
  return (['ci', 'must', 'all', '2026.11'] as const).find((known) => known === suite)
}

export async function cancelRun(): Promise<void> {
  try {
    await api.conformance.cancel()
  } catch (error) {
    showFailure(actions.couldNotCancel, error)
  }
}

/** Starts the exam server. */
export async function startExam(input: StartExamInput): Promise<void> {
  try {
    await api.conformance.startExam(input)
  } catch (error) {
    showFailure(conformanceText.exam.couldNotStart, error)
  }
}

export async function stopExam(): Promise<void> {
  try {
    await api.conformance.stopExam()
  } catch (error) {
    showFailure(conformanceText.exam.couldNotStop, error)
  }
}

/** Expects a failure from now on, or no longer. */
export async function expectFailure(
  { serverId, number }: RunView,
  { revision, transport }: CellName,
  id: string,
  expected: boolean,
): Promise<void> {
  try {
    await api.conformance.expectFailure({ serverId, number, revision, transport, id, expected })
    await queryClient.invalidateQueries({ queryKey: query.conformance.key() })
  } catch (error) {
    showFailure(actions.couldNotChange, error)
  }
}

/** Downloads a report of a run. */
export async function exportReport({ serverId, number }: RunView, format: WrittenFormat): Promise<void> {
  try {
    const { file, mediaType, text } = await api.conformance.report({ serverId, number, format })
    downloadText(text, { file, mediaType })
    showToast({ title: actions.exported(file), tone: 'ok' })
  } catch (error) {
    showFailure(actions.couldNotExport, error)
  }
}
