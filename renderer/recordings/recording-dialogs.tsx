import { useState } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { AlertDialog } from '../controls/alert-dialog.tsx'
import { FormDialog } from '../controls/form-dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { messageOf } from '../../server-core/protocol/error-message.ts'
import { timeText } from '../text/times.ts'
import { nameOf, type ListedRecording } from './list-order.ts'
import { addComment, deleteRecording, keepAs, renameTo } from './recording-actions.ts'
import { recordingsText } from './text.ts'

const text = recordingsText.dialogs

export type RecordingDialog =
  { readonly type: 'keep' | 'rename' | 'delete' } | { readonly type: 'comment'; readonly at: number }

interface RecordingDialogsProps {
  recording: ListedRecording
  dialog: RecordingDialog
  onClose: () => void
}

/** The dialog about a recording that is open. */
export function RecordingDialogs({ recording, dialog, onClose }: RecordingDialogsProps) {
  const { id } = recording
  switch (dialog.type) {
    case 'keep':
      return (
        <TextDialog
          title={text.keepTitle}
          description={text.keepText}
          label={text.name}
          submit={text.keep}
          first={nameOf(recording)}
          missing={text.nameMissing}
          onSubmit={(name) => keepAs(id, name)}
          onClose={onClose}
        />
      )
    case 'rename':
      return (
        <TextDialog
          title={text.renameTitle}
          description={text.renameText}
          label={text.name}
          submit={text.rename}
          first={nameOf(recording)}
          missing={text.nameMissing}
          onSubmit={(name) => renameTo(id, name)}
          onClose={onClose}
        />
      )
    case 'comment':
      return (
        <TextDialog
          isLong
          title={text.commentTitle}
          description={text.commentText(timeText(dialog.at))}
          label={text.comment}
          submit={text.add}
          first=""
          missing={text.commentMissing}
          onSubmit={(comment) => addComment(id, dialog.at, comment)}
          onClose={onClose}
        />
      )
    case 'delete':
      return (
        <AlertDialog
          open
          onOpenChange={onClose}
          title={text.deleteTitle(visibleText(nameOf(recording)))}
          description={text.deleteText}
          confirm={text.delete}
          danger
          onConfirm={() => void deleteRecording(id)}
        />
      )
  }
}

const LONGEST = { name: 200, comment: 4_000 }

interface TextDialogProps {
  title: string
  description: string
  label: string
  submit: string
  first: string
  missing: string
  isLong?: boolean
  onSubmit: (typed: string) => Promise<void>
  onClose: () => void
}

/** One text to type; what the host refuses is shown, and the dialog stays. */
function TextDialog(props: TextDialogProps) {
  const { first, missing, isLong = false, onSubmit, onClose } = props
  const [typed, setTyped] = useState(first)
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [isBusy, setBusy] = useState(false)
  const submit = async (): Promise<void> => {
    const value = typed.trim()
    if (value === '') {
      setProblem(missing)
      return
    }
    setBusy(true)
    try {
      await onSubmit(value)
      onClose()
    } catch (error) {
      setProblem(messageOf(error))
      setBusy(false)
    }
  }
  const field = { value: typed, onValueChange: setTyped, maxLength: isLong ? LONGEST.comment : LONGEST.name }
  return (
    <FormDialog
      title={props.title}
      description={props.description}
      submit={props.submit}
      disabled={isBusy}
      problem={problem}
      onClose={onClose}
      onSubmit={() => void submit()}
    >
      <FormRow label={props.label} required>
        {(control) =>
          isLong ? <TextArea {...control} {...field} rows={4} /> : <TextField {...control} {...field} />
        }
      </FormRow>
    </FormDialog>
  )
}
