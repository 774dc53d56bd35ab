import { useState } from 'react'
import { TextField } from '../controls/text-field.tsx'
import { openAddServerWith } from './dialogs.ts'
import styles from './rail.module.css'
import { serversText } from './text.ts'

/** Shown below the server list while it contains only the embedded server. */
export function PlugIn() {
  const [text, setText] = useState('')

  const open = (pasted: string): void => {
    if (pasted.trim() === '') return
    setText('')
    openAddServerWith(pasted)
  }

  return (
    <div className={styles.plugIn}>
      <h3>{serversText.plugIn.addAServer}</h3>
      <p>{serversText.plugIn.pastePlaceholder}</p>
      <TextField
        mono
        aria-label={serversText.plugIn.commandUrlOrJson}
        placeholder={serversText.plugIn.npxYExampleServer}
        value={text}
        onValueChange={setText}
        onKeyDown={(event) => {
          if (event.key !== 'Enter' || event.nativeEvent.isComposing) return
          // The dialog takes the focus during keydown: its text field must not receive the line break.
          event.preventDefault()
          open(text)
        }}
        onPaste={(event) => {
          event.preventDefault()
          open(event.clipboardData.getData('text/plain'))
        }}
      />
    </div>
  )
}
