import { Popover } from '@base-ui/react/popover'
import { useState } from 'react'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { clearMessages, messages } from '../controls/message-log.ts'
import { useObservable } from '../state/observable.ts'
import { counted } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './message-list.module.css'
import { secondText } from '../text/times.ts'
import { appText } from './text.ts'

/** A button that lists the errors shown in this window. It is not there while there was no error. */
export function MessageList() {
  const all = useObservable(messages)
  const [open, setOpen] = useState(false)
  if (all.length === 0) return null
  const clear = (): void => {
    setOpen(false)
    clearMessages()
  }
  return (
    <Popover.Root open={open} onOpenChange={(next) => setOpen(next)}>
      <Popover.Trigger render={<IconButton label={counted(all.length, 'error message')} icon="st-fail" />} />
      <Popover.Portal role="region" aria-label={appText.messageList.errorMessages}>
        <Popover.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Popover.Popup className={styles.popup}>
            <div className={styles.head}>
              <Popover.Title className={styles.title}>{appText.messageList.errorMessages}</Popover.Title>
              <Button tone="quiet" onClick={clear}>
                {appText.messageList.clear}
              </Button>
            </div>
            <ul
              className={styles.list}
              tabIndex={0}
              aria-label={appText.messageList.errorMessagesNewestFirst}
            >
              {all.map(({ id, title, detail, at }) => (
                <li key={id}>
                  <span className="mono micro t3">{secondText(at)}</span>
                  <div>
                    <SafeText>{title}</SafeText>
                    {detail !== undefined && (
                      <p className={styles.detail}>
                        <SafeText>{detail}</SafeText>
                      </p>
                    )}
                  </div>
                </li>
              ))}
            </ul>
          </Popover.Popup>
        </Popover.Positioner>
      </Popover.Portal>
    </Popover.Root>
  )
}
