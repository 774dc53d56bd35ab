import { useState } from 'react'
import { TextField } from './text-field.tsx'

interface TypedNumberProps<Value extends number | undefined> {
  /** Its accessible name. */
  label: string
  /** As it is set now. */
  text: string
  /** Gives the number, or what was expected instead. */
  read: (text: string) => Value | string
  onNumber: (value: Value) => void
}

/** A number that counts once it is left or Enter is pressed; what does not fit stays typed and says what would. */
export function TypedNumber<Value extends number | undefined>(props: TypedNumberProps<Value>) {
  const { label, text, read, onNumber } = props
  const [draft, setDraft] = useState<string | undefined>(undefined)
  const value = draft === undefined ? undefined : read(draft)
  const problem = typeof value === 'string' ? value : undefined
  const settle = (): void => {
    if (draft === undefined || problem !== undefined) return
    setDraft(undefined)
    const now = read(draft)
    if (draft !== text && typeof now !== 'string') onNumber(now)
  }
  return (
    <TextField
      mono
      inputMode="numeric"
      aria-label={label}
      value={draft ?? text}
      invalid={problem !== undefined}
      title={problem === undefined ? undefined : `Expected ${problem}`}
      onValueChange={setDraft}
      onBlur={settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter') settle()
        if (event.key === 'Escape') setDraft(undefined)
      }}
    />
  )
}
