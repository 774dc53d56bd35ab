import { Toast as Base } from '@base-ui/react/toast'
import buttonStyles from './button.module.css'
import { classes } from './classes.ts'
import { Icon, type IconName } from './icon.tsx'
import { IconButton } from './icon-button.tsx'
import { addMessage } from './message-log.ts'
import styles from './toast.module.css'
import { controlsText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

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
  /** One action, such as Undo. */
  action?: { label: string; onClick: () => void }
  /** Milliseconds; the pointer or the focus on a toast stops the time. */
  timeoutMs?: number
  /** What it is about. A later toast about the same replaces it, and `closeToasts` closes it. */
  subject?: string
}

/** Milliseconds for which a toast is shown by default. */
const SHOWN_MS = { error: 12_000, other: 6_000 }

/** The toast that is shown about a subject. */
const shownBySubject = new Map<string, string>()

const toneIcons: Record<ToastTone, IconName> = { normal: 'info', ok: 'check', warn: 'warn', error: 'st-fail' }

/** Shows what happened, from anywhere in the page. */
export function showToast(options: ToastOptions): void {
  const { title, detail, tone = 'normal', icon, action, timeoutMs, subject } = options
  if (subject !== undefined) closeToasts(subject)
  if (tone === 'error') addMessage({ title, detail })
  const id: string = manager.add({
    title,
    description: detail,
    timeout: timeoutMs ?? (tone === 'error' ? SHOWN_MS.error : SHOWN_MS.other),
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
  if (subject !== undefined) shownBySubject.set(subject, id)
}

/** Closes what is shown about a subject, for example because it is no longer true. */
export function closeToasts(subject: string): void {
  const id = shownBySubject.get(subject)
  if (id === undefined) return
  shownBySubject.delete(subject)
  manager.close(id)
}

/** Shows that an action failed, with the reason of the error. */
export function showFailure(title: string, error: unknown, subject?: string): void {
  const detail = messageOf(error)
  showToast({ title, detail, tone: 'error', ...(subject === undefined ? {} : { subject }) })
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
        <Base.Close
          render={<IconButton tight label={controlsText.toast.dismiss} icon="close" />}
          aria-label={controlsText.toast.dismiss}
        />
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
