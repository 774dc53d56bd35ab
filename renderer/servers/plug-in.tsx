import { useState } from 'react'
import { TextField } from '../controls/text-field.tsx'
import { openAddServerWith } from './dialogs.ts'
import styles from './rail.module.css'

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
      <h3>Plug something in</h3>
      <p>Paste a command, a URL, a curl line or any client’s JSON.</p>
      <TextField
        mono
        aria-label="Command, URL or JSON"
        placeholder="npx -y @example/server"
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
