import { Menu as Base } from '@base-ui/react/menu'
import { useState } from 'react'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { exchangeToCompare, openComparison } from '../comparison/comparison-state.ts'
import { Icon, type IconName } from '../controls/icon.tsx'
import styles from '../controls/menu.module.css'
import { COPY_FORMATS } from '../copy-as/copy-formats.ts'
import { useObservable } from '../state/observable.ts'
import { isTestable, showTest } from '../test-file/tested-exchange.ts'
import {
  comparedRow,
  copyExchange,
  editRow,
  isSendable,
  previousCall,
  sendRowAgain,
} from './exchange-actions.ts'
import { exchangeMenuText } from './text.ts'

const text = exchangeMenuText.menu

export interface ExchangeMenuProps {
  row: Exchange
  /** All rows of the timeline, in time order. */
  rows: readonly (Exchange | undefined)[]
  /** The recording that has the frames, if it is not the timeline of this window. */
  recording?: string | undefined
  /** Where it opens, in the window. */
  at: { readonly x: number; readonly y: number }
  onShowFrames: () => void
  onClose: () => void
}

/** The menu of a row. It opens at a point; closed, it gives the focus back. */
export default function ExchangeMenu(props: ExchangeMenuProps) {
  const { row, rows, recording, at, onShowFrames, onClose } = props
  const [focused] = useState(() => document.activeElement)
  const chosen = useObservable(exchangeToCompare)
  const self = comparedRow(row, recording)
  const previous = previousCall(rows, row)
  const canSend = recording === undefined && isSendable(row)
  const isMessage = row.kind === 'request' || row.kind === 'notification' || row.kind === 'invalid'
  return (
    <Base.Root
      defaultOpen
      onOpenChange={(isOpen) => {
        if (!isOpen) onClose()
      }}
    >
      <Base.Portal role="region" aria-label={text.menu(visibleText(row.method))}>
        <Base.Positioner
          className={styles.positioner}
          anchor={{ getBoundingClientRect: () => new DOMRect(at.x, at.y, 0, 0) }}
          side="bottom"
          align="start"
        >
          <Base.Popup
            className={styles.menu}
            aria-label={text.menu(visibleText(row.method))}
            finalFocus={() => (focused instanceof HTMLElement ? focused : true)}
          >
            {recording === undefined && (
              <>
                <Item
                  icon="restart"
                  label={text.sendAgain}
                  disabled={!canSend}
                  onSelect={() => void sendRowAgain(row)}
                />
                <Item
                  icon="script"
                  label={text.edit}
                  disabled={!canSend}
                  onSelect={() => void editRow(row)}
                />
                <Base.Separator className={styles.separator} />
              </>
            )}
            <Item
              icon="diff"
              label={text.comparePrevious}
              disabled={!isMessage || previous === undefined}
              onSelect={() => {
                if (previous !== undefined)
                  openComparison.set({
                    type: 'exchanges',
                    before: comparedRow(previous, recording),
                    after: self,
                  })
              }}
            />
            {chosen !== undefined && (
              <Item
                icon="diff"
                label={text.compareChosen(chosen.title)}
                disabled={!isMessage}
                onSelect={() => {
                  openComparison.set({ type: 'exchanges', before: chosen, after: self })
                  exchangeToCompare.set(undefined)
                }}
              />
            )}
            <Item
              icon="pin"
              label={text.chooseToCompare}
              disabled={!isMessage}
              onSelect={() => exchangeToCompare.set(self)}
            />
            <Base.Separator className={styles.separator} />
            <Base.SubmenuRoot>
              <Base.SubmenuTrigger className={styles.item} disabled={!isMessage}>
                <Icon name="copy" />
                {text.copyAs}
                <span className={styles.submenu}>
                  <Icon name="chev-r" small />
                </span>
              </Base.SubmenuTrigger>
              <Base.Portal role="region" aria-label={text.copyAs}>
                <Base.Positioner className={styles.positioner}>
                  <Base.Popup className={styles.menu} aria-label={text.copyAs}>
                    {COPY_FORMATS.map((format) => (
                      <Item
                        key={format}
                        label={text.formats[format]}
                        onSelect={() => void copyExchange(row, recording, format)}
                      />
                    ))}
                  </Base.Popup>
                </Base.Positioner>
              </Base.Portal>
            </Base.SubmenuRoot>
            <Item
              icon="save"
              label={text.saveAsTest}
              disabled={!isTestable(row)}
              onSelect={() => void showTest(row, rows, recording)}
            />
            <Item icon="eye" label={text.showFrames} onSelect={onShowFrames} />
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

interface ItemProps {
  icon?: IconName
  label: string
  disabled?: boolean
  onSelect: () => void
}

function Item({ icon, label, disabled = false, onSelect }: ItemProps) {
  return (
    <Base.Item className={styles.item} disabled={disabled} onClick={onSelect}>
      {icon !== undefined && <Icon name={icon} />}
      <span className="clip">{label}</span>
    </Base.Item>
  )
}
