import type { FaultSettings, FaultsState } from '../../server-core/host/contract/faults.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'

let last: Promise<void> = Promise.resolve()

/** Changes what is set. However soon one change follows another, it is made to what the one before it left. */
export function changeFaults(change: (settings: FaultSettings) => FaultSettings): void {
  afterTheLast('The faults were not set', (settings) => api.faults.save({ settings: change(settings) }))
}

/** Switches every fault off, also those whose change is still on its way. */
export function switchFaultsOff(): void {
  afterTheLast('The faults were not switched off', () => api.faults.allOff())
}

function afterTheLast(failure: string, send: (settings: FaultSettings) => Promise<FaultsState>): void {
  last = last.then(async () => {
    const state = live.faults.get()
    if (state === undefined) return
    try {
      live.faults.set(await send(state.settings))
    } catch (error) {
      showFailure(failure, error)
    }
  })
}
