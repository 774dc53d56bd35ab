import { useMutation, useMutationState } from '@tanstack/react-query'
import type { FaultSettings, FaultsState } from '../../server-core/host/contract/faults.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'

type Change = (settings: FaultSettings) => FaultSettings

type FaultChanges = {
  /** What is set, with every change that is under way. */
  readonly settings: FaultSettings
  /** Changes what is set when its turn comes. */
  readonly change: (change: Change) => void
  readonly allOff: () => void
}

const withAllOff: Change = (settings) => ({
  ...settings,
  rules: settings.rules.map((rule) => ({ ...rule, enabled: false })),
})

/** What the changes of the faults have in common: one follows the other. */
const IN_TURN = {
  mutationKey: ['faults'],
  scope: { id: 'faults' },
  onSuccess: (state: FaultsState) => live.faults.set(state),
}

/**
 * How what is set is changed, and what comes of it, at once. However soon one change follows another, it is made to what
 * the one before it left. What the host does not take is told and leaves everything as it is.
 *
 * @param shown what the host said last
 */
export function useFaultChanges(shown: FaultsState): FaultChanges {
  const { mutate: change } = useMutation({
    ...IN_TURN,
    mutationFn: (next: Change) => api.faults.save({ settings: next((live.faults.get() ?? shown).settings) }),
    onError: (error) => showFailure('The faults were not set', error),
  })
  const { mutate: allOff } = useMutation<FaultsState, Error, Change>({
    ...IN_TURN,
    mutationFn: () => api.faults.allOff(),
    onError: (error) => showFailure('The faults were not switched off', error),
  })
  const underWay = useMutationState({
    filters: { mutationKey: IN_TURN.mutationKey, status: 'pending' },
    select: ({ state }) => state.variables as Change | undefined,
  })
  const settings = underWay.reduce((now, next) => next?.(now) ?? now, shown.settings)
  return { settings, change, allOff: () => allOff(withAllOff) }
}
