import { Observable } from '../state/observable.ts'

/** What other clients are to start: a stored server, or the workspace that is open. */
export type InstallDialog = {
  readonly server?: { readonly id: string; readonly name: string } | undefined
}

export const installDialog = new Observable<InstallDialog | undefined>(undefined)

/** Opens the dialog that has other clients start the open workspace, or a stored server by its proxy. */
export function openAddToClient(server?: InstallDialog['server']): void {
  installDialog.set({ server })
}
