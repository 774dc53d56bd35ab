import { Toast as Base } from '@base-ui/react/toast'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import styles from './toast.module.css'

interface ToastData {
  readonly icon: IconName
  readonly tone: ToastTone
}

export type ToastTone = 'normal' | 'ok' | 'warn' | 'error'

const manager = Base.createToastManager<ToastData>()

interface ToastOptions {
  title: string
  /** What it means, and for an error what to do. */
  detail?: string
  tone?: ToastTone
  icon?: IconName
  /** One deed, such as Undo. */
  action?: { label: string; onClick: () => void }
  /** Milliseconds; 0 stays until it is closed. Errors stay by default. */
  timeoutMs?: number
}

const toneIcons: Record<ToastTone, IconName> = { normal: 'info', ok: 'check', warn: 'warn', error: 'st-fail' }

/** Tells the user what happened, from anywhere. */
export function showToast({ title, detail, tone = 'normal', icon, action, timeoutMs }: ToastOptions): void {
  const id: string = manager.add({
    title,
    description: detail,
    timeout: timeoutMs ?? (tone === 'error' ? 0 : 6_000),
    data: { icon: icon ?? toneIcons[tone], tone },
    ...(action === undefined
      ? {}
      : {
          actionProps: {
            children: action.label,
            onClick: () => {
              manager.close(id)
              action.onClick()
            },
          },
        }),
  })
}

/** Says that a deed failed, with the reason of the error. */
export function showFailure(title: string, error: unknown): void {
  showToast({ title, detail: error instanceof Error ? error.message : String(error), tone: 'error' })
}

const toneClass: Record<ToastTone, string> = { normal: 't2', ok: 'is-ok', warn: 'is-warn', error: 'is-error' }

function ToastList() {
  const { toasts } = Base.useToastManager<ToastData>()
  return toasts.map((toast) => (
    <Base.Root key={toast.id} toast={toast} className={styles.toast} swipeDirection="right">
      <Base.Content className={styles.content}>
        <span className={classes(styles.mark, toneClass[toast.data?.tone ?? 'normal'])}>
          <Icon name={toast.data?.icon ?? 'info'} />
        </span>
        <div className="grow">
          <Base.Title className={styles.title} render={<div />} />
          <Base.Description className={styles.detail} />
        </div>
        <Base.Action className={buttonStyles.link} />
        <Base.Close render={<IconButton tight label="Dismiss" icon="close" />} aria-label="Dismiss" />
      </Base.Content>
    </Base.Root>
  ))
}

/** Where toasts appear. Once in the page. */
export function Toasts() {
  return (
    <Base.Provider toastManager={manager} limit={5}>
      <Base.Portal>
        <Base.Viewport className={styles.viewport}>
          <ToastList />
        </Base.Viewport>
      </Base.Portal>
    </Base.Provider>
  )
}
