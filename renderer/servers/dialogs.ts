import { Observable } from '../state/observable.ts'

/** Which dialog of this room is open. */
export type ServerDialog =
  { readonly kind: 'add'; readonly paste: string } | { readonly kind: 'edit'; readonly serverId: string }

export const serverDialog = new Observable<ServerDialog | undefined>(undefined)

export function openAddServer(): void {
  serverDialog.set({ kind: 'add', paste: '' })
}

/** Opens the dialog with text already in its paste field. */
export function openAddServerWith(paste: string): void {
  serverDialog.set({ kind: 'add', paste })
}

export function openEditServer(serverId: string): void {
  serverDialog.set({ kind: 'edit', serverId })
}
