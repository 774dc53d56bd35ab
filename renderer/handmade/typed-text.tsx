import { useState } from 'react'
import { TextField } from '../controls/text-field.tsx'

interface TypedTextProps {
  /** Its accessible name. */
  label: string
  /** As it is set now. */
  text: string
  /** What was expected instead; undefined if the text fits. */
  problem: (text: string) => string | undefined
  onText: (text: string) => void
}

/** A text that counts once it is left or Enter is pressed; what does not fit stays typed and says what would. */
export function TypedText({ label, text, problem, onText }: TypedTextProps) {
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const fault = draft === undefined ? undefined : problem(draft)
  const settle = (): void => {
    if (draft === undefined || fault !== undefined) return
    setDraft(undefined)
    if (draft !== text) onText(draft)
  }
  return (
    <TextField
      mono
      aria-label={label}
      value={draft ?? text}
      invalid={fault !== undefined}
      title={fault === undefined ? undefined : `Expected ${fault}`}
      onValueChange={setDraft}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key !== 'Enter') return
        // It is this field that is done, not the dialog.
        event.preventDefault()
        settle()
      }}
    />
  )
}
