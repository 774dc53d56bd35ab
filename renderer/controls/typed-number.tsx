import { TypedText } from './typed-text.tsx'

interface TypedNumberProps<Value extends number | undefined> {
  /** Its accessible name. */
  label: string
  /** As it is set now. */
  text: string
  /** Returns the number, or what was expected instead. */
  read: (text: string) => Value | string
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
        const value = read(typed)
        return typeof value === 'string' ? value : undefined
      }}
      onText={(typed) => {
        const value = read(typed)
        if (typeof value !== 'string') onNumber(value)
      }}
    />
  )
}
