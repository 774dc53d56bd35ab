import { useState } from 'react'
import { TextField } from './text-field.tsx'
import { controlsText } from './text.ts'

interface TypedTextProps {
  /** Its accessible name. */
  label: string
  /** As it is set now. */
  text: string
  /** What was expected instead; undefined if the text fits. */
  problem: (text: string) => string | undefined
  onText: (text: string) => void
  inputMode?: 'text' | 'numeric' | undefined
}

/**
 * A text that counts once it is left or Enter is pressed; what does not fit stays typed and says what would. Escape
 * takes back what was typed.
 */
export function TypedText({ label, text, problem, onText, inputMode }: TypedTextProps) {
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
      inputMode={inputMode}
      value={draft ?? text}
      invalid={fault !== undefined}
      title={fault === undefined ? undefined : controlsText.typedText.expected(fault)}
      onValueChange={setDraft}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle()
        else if (event.key === 'Escape' && draft !== undefined) {
          setDraft(undefined)
          event.stopPropagation()
        } else return
        // It is this field that is done, not the dialog around it.
        event.preventDefault()
      }}
    />
  )
}
