import { styleText } from 'node:util'

type Format = 'bold' | 'dim' | 'cyan' | 'red' | 'yellow'

/** Colours a text that is safe for a terminal. */
export type Paint = (format: Format, text: string) => string

/** Colours for a stream: if FORCE_COLOR asks for them, or it is a terminal and NO_COLOR is not set. */
export function paintFor(stream: NodeJS.WriteStream): Paint {
  return (format, text) => styleText(format, text, { stream })
}
