/** A word of a POSIX shell: as it is where the shell leaves it alone, else in single quotes. */
export function shellWord(text: string): string {
  if (/^[\w./:=@%+,-]+$/.test(text)) return text
  return `'${text.replaceAll('\0', '').replaceAll("'", String.raw`'\''`)}'`
}

/** An option with its value; joined by `=` where the value begins like another option. */
export function shellOption(name: string, value: string): string {
  return value.startsWith('-') ? `${name}=${shellWord(value)}` : `${name} ${shellWord(value)}`
}
