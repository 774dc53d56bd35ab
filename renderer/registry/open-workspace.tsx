import { useState } from 'react'
import { FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextField } from '../controls/text-field.tsx'
import { useStillShown } from '../controls/use-still-shown.ts'
import { useObservable } from '../state/observable.ts'
import { OpeningNote } from './opening.tsx'
import { openFolder } from './registry-actions.ts'
import { openingWorkspace } from './registry-view.ts'
import { registryText } from './text.ts'

/** The dialog that opens another workspace folder. */
export function OpenWorkspace() {
  const isOpen = useObservable(openingWorkspace)
  return isOpen ? <FolderDialog onClose={() => openingWorkspace.set(false)} /> : null
}

function FolderDialog({ onClose }: { onClose: () => void }) {
  const [folder, setFolder] = useState('')
  const [isOpening, setOpening] = useState(false)
  const isStillShown = useStillShown()
  const open = async (): Promise<void> => {
    setOpening(true)
    const isDone = await openFolder(folder.trim())
    setOpening(false)
    if (isDone && isStillShown()) onClose()
  }
  return (
    <FormDialog
      onClose={onClose}
      title={registryText.openWorkspace.openAWorkspaceFolder}
      description={registryText.openWorkspace.replacesNote}
      onSubmit={() => {
        if (folder.trim() !== '') void open()
      }}
      submit={registryText.openWorkspace.open}
      disabled={isOpening || folder.trim() === ''}
    >
      <FormRow
        label={registryText.openWorkspace.folder}
        required
        note={registryText.openWorkspace.folderNote}
      >
        {(control) => <TextField {...control} mono value={folder} onValueChange={setFolder} />}
      </FormRow>
      {isOpening && <OpeningNote />}
    </FormDialog>
  )
}
