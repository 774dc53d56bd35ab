import { useState } from 'react'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Switch } from '../controls/switch.tsx'
import { TextField } from '../controls/text-field.tsx'
import { useObservable } from '../state/observable.ts'
import { comparing } from './comparison-state.ts'
import styles from './comparison.module.css'
import { comparisonText } from './text.ts'

const text = comparisonText.bar

/** Adds a pattern to what comparisons leave out. */
export function leaveOut(pointer: string): void {
  const { ignore, exact } = comparing.get()
  if (pointer !== '' && !ignore.includes(pointer)) comparing.set({ ignore: [...ignore, pointer], exact })
}

/** What a comparison leaves out, and whether values of the run count. */
export function ComparisonBar() {
  const { ignore, exact } = useObservable(comparing)
  const [typed, setTyped] = useState('')
  return (
    <div className={styles.ignoring}>
      <form
        className={styles.ignoreForm}
        onSubmit={(event) => {
          event.preventDefault()
          leaveOut(typed.trim())
          setTyped('')
        }}
      >
        <TextField
          mono
          aria-label={text.ignore}
          placeholder={text.ignorePlaceholder}
          maxLength={1_000}
          value={typed}
          onValueChange={setTyped}
        />
        <Button type="submit" disabled={typed.trim() === ''}>
          {text.add}
        </Button>
      </form>
      <label className={styles.exact}>
        <Switch
          checked={exact}
          aria-label={text.exact}
          onCheckedChange={(next) => comparing.set({ ignore, exact: next })}
        />
        {text.exact}
      </label>
      {ignore.length > 0 && (
        <ul className={styles.ignored} aria-label={text.ignore}>
          {ignore.map((pointer) => (
            <li key={pointer}>
              <code>{visibleText(pointer)}</code>
              <IconButton
                tight
                icon="close"
                label={text.remove(visibleText(pointer))}
                onClick={() => comparing.set({ ignore: ignore.filter((each) => each !== pointer), exact })}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}
