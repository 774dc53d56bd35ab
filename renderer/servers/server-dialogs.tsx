import { useObservable } from '../state/observable.ts'
import { AddDialog } from './add-dialog.tsx'
import { serverDialog } from './dialogs.ts'
import { EditDialog } from './edit-dialog.tsx'

/** The dialog of this module that is open, if one is. Once in the page. */
export function ServerDialogs() {
  const dialog = useObservable(serverDialog)
  if (dialog === undefined) return null
  return dialog.kind === 'add' ? (
    <AddDialog paste={dialog.paste} />
  ) : (
    <EditDialog key={dialog.serverId} serverId={dialog.serverId} />
  )
}
