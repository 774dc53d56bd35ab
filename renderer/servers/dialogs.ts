import { Observable } from '../state/observable.ts'

/** Which dialog of this module is open. */
export type ServerDialog =
  { readonly kind: 'add'; readonly paste: string } | { readonly kind: 'edit'; readonly serverId: string }

export const serverDialog = new Observable<ServerDialog | undefined>(undefined)

/** Opens the dialog that adds a server, with its paste field empty. */
export function openAddServer(): void {
  serverDialog.set({ kind: 'add', paste: '' })
}

/** Opens the dialog with text already in its paste field. */
export function openAddServerWith(paste: string): void {
  serverDialog.set({ kind: 'add', paste })
}

/** Opens the dialog that edits a stored server. */
export function openEditServer(serverId: string): void {
  serverDialog.set({ kind: 'edit', serverId })
}
