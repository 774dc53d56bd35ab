import { useState, type ReactNode } from 'react'
import { Button } from './button.tsx'
import { Dialog } from './dialog.tsx'
import styles from './dialog.module.css'
import { controlsText } from './text.ts'

interface FormDialogProps {
  title: string
  description: ReactNode
  wide?: boolean
  onClose: () => void
  onSubmit: () => void
  /** The word on the button that submits. */
  submit?: string
  /** It cannot be submitted now. */
  disabled?: boolean
  /** Why what was submitted was not taken. */
  problem?: string | undefined
  /** What else can be done, before "Cancel". */
  more?: ReactNode
  children: ReactNode
}

/** Something to fill in and submit, or to leave as it was. */
export function FormDialog(props: FormDialogProps) {
  const { title, description, wide = false, onClose, onSubmit, submit = 'Save', disabled = false } = props
  return (
    <Dialog
      open
      onOpenChange={onClose}
      title={title}
      description={description}
      wide={wide}
      onSubmit={onSubmit}
      actions={
        <>
          {props.problem !== undefined && (
            <p className={styles.problem} role="alert">
              {props.problem}
            </p>
          )}
          {props.more}
          <Button onClick={onClose}>{controlsText.formDialog.cancel}</Button>
          <Button tone="primary" type="submit" disabled={disabled}>
            {submit}
          </Button>
        </>
      }
    >
      {props.children}
    </Dialog>
  )
}

interface FirstLoadedProps<Data> {
  /** What the dialog begins with, as it is asked for. */
  asked: { readonly data: Data | undefined; readonly error: Error | null; readonly isFetching: boolean }
  /** What it means if that cannot be had. */
  failure: string
  onClose: () => void
  children: (data: Data) => ReactNode
}

/**
 * A dialog that begins with what has to be asked for: nothing until that is there, or why it cannot be had. Once it has
 * begun it stays, with what was typed, whatever is asked for again.
 */
export function FirstLoaded<Data>({ asked, failure, onClose, children }: FirstLoadedProps<Data>) {
  const [first, setFirst] = useState<{ readonly data: Data } | undefined>(undefined)
  if (first !== undefined) return children(first.data)
  if (asked.error !== null) {
    return (
      <Dialog
        open
        onOpenChange={onClose}
        title={failure}
        description={asked.error.message}
        actions={<Button onClick={onClose}>{controlsText.formDialog.close}</Button>}
      />
    )
  }
  if (asked.data !== undefined && !asked.isFetching) setFirst({ data: asked.data })
  return null
}
