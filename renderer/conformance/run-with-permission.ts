import type { CallPermissionChoice } from '../../server-core/host/contract/conformance.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { startRun } from './conformance-actions.ts'
import { choosingOptions, showRun } from './view-state.ts'

/** Opens the dialog that asks what may be called and what is run. */
export function openOptions(): void {
  choosingOptions.set(true)
}

/** Runs all checks of a server; asks first which tools may be called if nobody was asked for this command or address. */
export function runWithPermission(server: ServerState, permission: CallPermissionChoice | undefined): void {
  if (permission === undefined) {
    openOptions()
    return
  }
  showRun(undefined)
  void startRun({ serverId: server.id, permission })
}
