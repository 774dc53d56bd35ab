import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { Icon } from '../controls/icon.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { streamFailure, useHostState, useNotices } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { dismissNotice, windowNotices } from '../state/window-notices.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './notices.module.css'
import { appText } from './text.ts'

const tones = {
  info: { icon: 'info', className: undefined, mark: 't2' },
  warning: { icon: 'warn', className: styles.warning, mark: 'is-warn' },
  error: { icon: 'st-fail', className: styles.error, mark: 'is-error' },
} as const

function dismiss(id: string): void {
  api.app
    .dismissNotice({ id })
    .catch((error: unknown) => showFailure(appText.notices.couldNotDismissNotice, error))
}

/** Lines under the title bar: a lost host, and messages of the host and of this window. */
export function Notices() {
  const state = useHostState()
  const failure = useObservable(streamFailure)
  const notices = useNotices()
  const own = useObservable(windowNotices)
  return (
    <div className={styles.list}>
      <div role="alert">
        {state.status === 'lost' && (
          <div className={classes(styles.notice, styles.error)}>
            <span className={classes(styles.mark, 'is-error')}>
              <Icon name="st-busy" />
            </span>
            <div className={styles.text}>
              <b>{appText.notices.connectionLost}</b> {appText.notices.pageOutdated} {state.reason}
            </div>
          </div>
        )}
        {failure !== undefined && state.status === 'open' && (
          <div className={classes(styles.notice, styles.error)}>
            <span className={classes(styles.mark, 'is-error')}>
              <Icon name="st-fail" />
            </span>
            <div className={styles.text}>
              <b>{appText.notices.hostStoppedSendingUpdates}</b> {appText.notices.reloadPage}{' '}
              {failure.message}
            </div>
            <Button onClick={() => location.reload()}>{appText.notices.reload}</Button>
          </div>
        )}
      </div>
      {own.map(({ id, title, detail, action }) => (
        <div key={id} className={classes(styles.notice, tones.warning.className)} role="status">
          <span className={classes(styles.mark, tones.warning.mark)}>
            <Icon name={tones.warning.icon} />
          </span>
          <div className={styles.text}>
            <b>
              <SafeText>{title}</SafeText>
            </b>{' '}
            {detail}
          </div>
          {action !== undefined && (
            <Button
              onClick={() => {
                dismissNotice(id)
                action.run()
              }}
            >
              {action.label}
            </Button>
          )}
          <IconButton
            tight
            label={appText.notices.dismiss(title)}
            icon="close"
            onClick={() => dismissNotice(id)}
          />
        </div>
      ))}
      {notices.map((notice) => (
        <div key={notice.id} className={classes(styles.notice, tones[notice.tone].className)}>
          <span className={classes(styles.mark, tones[notice.tone].mark)}>
            <Icon name={tones[notice.tone].icon} />
          </span>
          <div className={styles.text}>
            <b>
              <SafeText>{notice.title}</SafeText>
            </b>{' '}
            <SafeText>{notice.detail}</SafeText>
          </div>
          <IconButton
            tight
            label={appText.notices.dismiss(notice.title)}
            icon="close"
            onClick={() => dismiss(notice.id)}
          />
        </div>
      ))}
    </div>
  )
}
