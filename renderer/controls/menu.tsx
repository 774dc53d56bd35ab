import { Menu as Base } from '@base-ui/react/menu'
import type { ReactElement } from 'react'
import { Icon, type IconName } from './icon.tsx'
import { Kbd } from './kbd.tsx'
import styles from './menu.module.css'
import { controlsText } from './text.ts'

export type MenuEntry =
  | {
      readonly type: 'item'
      readonly label: string
      readonly icon?: IconName | undefined
      readonly keys?: string | undefined
      readonly disabled?: boolean | undefined
      readonly onSelect: () => void
    }
  | {
      readonly type: 'check'
      readonly label: string
      readonly checked: boolean
      readonly onChange: (checked: boolean) => void
    }
  | {
      readonly type: 'choices'
      readonly label: string
      readonly options: readonly { readonly value: string; readonly label: string }[]
      readonly value: string
      readonly onChange: (value: string) => void
    }
  | { readonly type: 'separator'; readonly key: string }

interface MenuProps {
  /** The button that opens it; must take a ref and spread its props. */
  trigger: ReactElement<Record<string, unknown>>
  entries: readonly MenuEntry[]
}

function Entry({ entry }: { entry: MenuEntry }) {
  switch (entry.type) {
    case 'separator':
      return <Base.Separator className={styles.separator} />
    case 'check':
      return (
        <Base.CheckboxItem
          className={styles.item}
          checked={entry.checked}
          onCheckedChange={(checked) => entry.onChange(checked)}
        >
          <span className={styles.tick}>{entry.checked && <Icon name="check" />}</span>
          {entry.label}
        </Base.CheckboxItem>
      )
    case 'choices':
      return (
        <Base.RadioGroup value={entry.value} onValueChange={(value: string) => entry.onChange(value)}>
          <div className={styles.label}>{entry.label}</div>
          {entry.options.map((option) => (
            <Base.RadioItem key={option.value} className={styles.item} value={option.value} closeOnClick>
              <span className={styles.tick}>{option.value === entry.value && <Icon name="check" />}</span>
              {option.label}
            </Base.RadioItem>
          ))}
        </Base.RadioGroup>
      )
    case 'item':
      return (
        <Base.Item className={styles.item} disabled={entry.disabled ?? false} onClick={entry.onSelect}>
          {entry.icon !== undefined && <Icon name={entry.icon} />}
          {entry.label}
          {entry.keys !== undefined && <Kbd keys={entry.keys} />}
        </Base.Item>
      )
  }
}

/** A button that opens a list of actions. */
export function Menu({ trigger, entries }: MenuProps) {
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal role="region" aria-label={controlsText.menu.menu}>
        <Base.Positioner className={styles.positioner} sideOffset={4} align="end">
          <Base.Popup className={styles.menu}>
            {entries.map((entry) => (
              <Entry key={entry.type === 'separator' ? entry.key : entry.label} entry={entry} />
            ))}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}
