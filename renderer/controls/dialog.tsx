import { Dialog as Base } from '@base-ui/react/dialog'
import type { ReactNode, SubmitEvent } from 'react'
import { classes } from './classes.ts'
import styles from './dialog.module.css'
import { useReturnFocus } from './return-focus.ts'

interface DialogProps {
  open: boolean
  onOpenChange: (open: boolean) => void
  title: string
  description?: ReactNode
  wide?: boolean
  /** What Enter in a field and a button of type `submit` do. */
  onSubmit?: (() => void) | undefined
  /** Buttons, the primary one last. */
  actions?: ReactNode
  children?: ReactNode
}

/** Something to fill in or read above the page. */
export function Dialog(props: DialogProps) {
  const { open, onOpenChange, title, description, wide = false, onSubmit, actions, children } = props
  useReturnFocus()
  const content = (
    <>
      {children !== undefined && <div className={styles.body}>{children}</div>}
      {actions !== undefined && <div className={styles.acts}>{actions}</div>}
    </>
  )
  return (
    <Base.Root open={open} onOpenChange={(next) => onOpenChange(next)}>
      <Base.Portal>
        <Base.Backdrop className={styles.backdrop} />
        <Base.Popup className={classes(styles.popup, wide && styles.wide)}>
          <Base.Title className={styles.title}>{title}</Base.Title>
          {description !== undefined && (
            <Base.Description className={styles.description} render={<div />}>
              {description}
            </Base.Description>
          )}
          {onSubmit === undefined ? (
            content
          ) : (
            <form className={styles.form} onSubmit={withoutLeaving(onSubmit)} noValidate>
              {content}
            </form>
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}

/** Submits to the page itself, never to an address. */
function withoutLeaving(submit: () => void): (event: SubmitEvent<HTMLFormElement>) => void {
  return (event) => {
    event.preventDefault()
    submit()
  }
}
