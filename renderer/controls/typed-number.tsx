import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { TypedText } from './typed-text.tsx'

interface TypedNumberProps<Value extends number | undefined> {
  /** Its accessible name. */
  label: string
  /** As it is set now. */
  text: string
  /** Returns the number, or what was expected instead. */
  read: (text: string) => Parsed<Value>
  onNumber: (value: Value) => void
}

/** A number that counts once it is left or Enter is pressed; what does not fit stays typed and says what would. */
export function TypedNumber<Value extends number | undefined>(props: TypedNumberProps<Value>) {
  const { label, text, read, onNumber } = props
  return (
    <TypedText
      label={label}
      inputMode="numeric"
      text={text}
      problem={(typed) => {
        const number = read(typed)
        return number.ok ? undefined : number.reason
      }}
      onText={(typed) => {
        const number = read(typed)
        if (number.ok) onNumber(number.value)
      }}
    />
  )
}
