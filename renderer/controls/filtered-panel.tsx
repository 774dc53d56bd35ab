import { useRef, type ReactNode } from 'react'
import { Kbd } from './kbd.tsx'
import { matchesKeys } from './keys.ts'
import { TextField } from './text-field.tsx'
import styles from './filtered-panel.module.css'

interface FilteredPanelProps {
  /** The accessible name of the field. */
  label: string
  placeholder: string
  text: string
  onTextChange: (text: string) => void
  invalid?: boolean | undefined
  /** What is filtered; the arrow down in the field leads to what has the role `tree` or `treegrid` in it. */
  children: ReactNode
}

/** A list under the field that filters it: ⌘F in it leads to the field, Escape empties the field. */
export function FilteredPanel({
  label,
  placeholder,
  text,
  onTextChange,
  invalid,
  children,
}: FilteredPanelProps) {
  const panel = useRef<HTMLDivElement>(null)
  const focus = (what: string): void => panel.current?.querySelector<HTMLElement>(what)?.focus()
  return (
    <div
      ref={panel}
      className={styles.panel}
      onKeyDown={(event) => {
        if (!matchesKeys(event, 'mod+f')) return
        event.preventDefault()
        focus('input')
      }}
    >
      <div className={styles.filter}>
        <TextField
          icon="search"
          aria-label={label}
          placeholder={placeholder}
          value={text}
          onValueChange={onTextChange}
          invalid={invalid}
          trailing={<Kbd keys="mod+f" />}
          onKeyDown={(event) => {
            if (event.key === 'ArrowDown') focus('[role="tree"], [role="treegrid"]')
            else if (event.key === 'Escape') onTextChange('')
            else return
            event.preventDefault()
          }}
        />
      </div>
      {children}
    </div>
  )
}
