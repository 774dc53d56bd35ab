import { useMutation, useMutationState } from '@tanstack/react-query'
import type { FaultSettings, FaultsState } from '../../server-core/host/contract/faults.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { faultsText } from './text.ts'

type Change = (settings: FaultSettings) => FaultSettings

type FaultChanges = {
  /** What is set, with every change that is under way. */
  readonly settings: FaultSettings
  /** Changes what is set when its turn comes. */
  readonly change: (change: Change) => void
}

const MUTATION_KEY = ['faults']

/**
 * How what is set is changed, and the result, at once. However soon one change follows another, it is made to what
 * the one before it left. A change that the host rejects is shown and leaves everything as it is.
 *
 * @param shown what the host said last
 */
export function useFaultChanges(shown: FaultsState): FaultChanges {
  const { mutate: change } = useMutation({
    mutationKey: MUTATION_KEY,
    scope: { id: 'faults' },
    mutationFn: (next: Change) =>
      api.faults.save({ settings: next((live.parts.faults.get() ?? shown).settings) }),
    onSuccess: (state) => live.parts.faults.set(state),
    onError: (error) => showFailure(faultsText.useFaultChanges.couldNotChangeFaults, error),
  })
  const underWay = useMutationState({
    filters: { mutationKey: MUTATION_KEY, status: 'pending' },
    select: ({ state }) => state.variables as Change | undefined,
  })
  return { settings: underWay.reduce((now, next) => next?.(now) ?? now, shown.settings), change }
}
