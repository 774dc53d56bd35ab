import { showFailure, showToast } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { fileDialog } from './file-dialogs.ts'
import { closeFile, openFile, openFiles, renameOpenFile } from './open-files.ts'
import { editorText } from './text.ts'

/** Closes the tab of a file; asks first if something in it is not saved. */
export function askToClose(file: string): void {
  const open = openFiles.get().files.find((each) => each.file === file)
  if (open?.isUnsaved === true) fileDialog.set({ kind: 'close', file })
  else closeFile(file)
}

/** Closes a tab and discards unsaved text. */
export async function giveUp(file: string): Promise<void> {
  closeFile(file)
  const { documents } = await import('./text/session.ts')
  // Without the host it comes back, which is better than being lost.
  await documents.drafts.drop(file).catch(() => undefined)
}

/** Renames or moves a file. Rejects with the reason if that fails. */
export async function renameFile(file: string, to: string): Promise<void> {
  const renamed = await api.editor.rename({ file, to })
  renameOpenFile(file, renamed.file)
}

/** Removes a file; it can be restored for as long as that is offered, and it is kept longer on the disk. */
export async function removeFile(file: string): Promise<void> {
  try {
    const { removal } = await api.editor.remove({ file })
    closeFile(file)
    showToast({
      title: editorText.fileActions.removed(file),
      icon: 'trash',
      timeoutMs: 12_000,
      action: { label: editorText.fileActions.undo, onClick: () => void restore(removal) },
    })
  } catch (error) {
    showFailure(editorText.fileActions.couldNotRemove(file), error)
  }
}

async function restore(removal: string): Promise<void> {
  try {
    openFile((await api.editor.restore({ removal })).file)
  } catch (error) {
    showFailure(editorText.fileActions.couldNotRestoreFile, error)
  }
}
