import { useObservable } from '../state/observable.ts'
import { AddToClient } from './add-to-client.tsx'
import { installDialog } from './dialogs.ts'

/** The dialog of this module, if it is open. Once in the page. */
export function InstallDialogs() {
  const dialog = useObservable(installDialog)
  return dialog === undefined ? null : <AddToClient server={dialog.server} />
}
