import { Dialog as Base } from '@base-ui/react/dialog'
import { useRef } from 'react'
import { IconButton } from '../controls/icon-button.tsx'
import { useReturnFocus } from '../controls/return-focus.ts'
import dialogStyles from '../controls/dialog.module.css'
import { ComparisonBar } from './comparison-bar.tsx'
import { openComparison, type Compared } from './comparison-state.ts'
import styles from './comparison.module.css'
import { ExchangeComparison } from './exchange-comparison.tsx'
import { RecordingsComparison } from './recordings-comparison.tsx'
import { comparisonText } from './text.ts'

const text = comparisonText.dialog

/** The comparison over the page. */
export default function ComparisonDialog({ compared }: { compared: Compared }) {
  useReturnFocus()
  const popup = useRef<HTMLDivElement>(null)
  const close = (): void => openComparison.set(undefined)
  return (
    <Base.Root open onOpenChange={close}>
      <Base.Portal>
        <Base.Backdrop className={dialogStyles.backdrop} />
        <Base.Popup ref={popup} initialFocus={popup} className={styles.popup}>
          <div className={styles.title}>
            <Base.Title className={dialogStyles.title}>{text.title}</Base.Title>
            <IconButton icon="close" label={text.close} keys="esc" onClick={close} />
          </div>
          <ComparisonBar />
          {compared.type === 'exchanges' ? (
            <ExchangeComparison before={compared.before} after={compared.after} />
          ) : (
            <RecordingsComparison before={compared.before} after={compared.after} />
          )}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  )
}
