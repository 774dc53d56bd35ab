import { AlertDialog as Base } from '@base-ui/react/alert-dialog'
import type { ReactNode } from 'react'
import { Button } from './button.tsx'
import styles from './dialog.module.css'
import { controlsText } from './text.ts'

interface AlertDialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description: ReactNode
  /** What the confirming button says: a verb. */
  confirm: string
  danger?: boolean
  onConfirm: () => void
  /** Between the description and the buttons. */
  children?: ReactNode
}

/** A question that must be answered before anything else; Escape is "Cancel". */
export function AlertDialog(props: AlertDialogProps) {
  const { open, onOpenChange, title, description, confirm, danger = false, onConfirm, children } = props
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={styles.popup}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          <Base.Description className={styles.description} render={<div />}>
            {description}
          </Base.Description>
          {children !== undefined && <div className={styles.body}>{children}</div>}
          <div className={styles.acts}>
            <Base.Close render={<Button>{controlsText.alertDialog.cancel}</Button>} />
            <Button
              tone={danger ? 'danger' : 'primary'}
              onClick={() => {
                onOpenChange(false)
                onConfirm()
              }}
            >
              {confirm}
            </Button>
          </div>
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
