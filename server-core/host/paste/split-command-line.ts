import { CodedError } from '../../protocol/coded-error.ts'

/** A command line cannot be read; `message` says where and what to do. */
export class CommandLineError extends CodedError<'invalid-command-line'> {
  override readonly name = 'CommandLineError'

  constructor(message: string, options?: ErrorOptions) {
    super('invalid-command-line', message, options)
  }
}

/**
 * Splits a command line into words as a POSIX shell does: blanks separate, quotes and backslashes keep together,
 * a backslash at the end of a line joins it with the next. Nothing is expanded or run: a variable, a glob or an
 * operator outside quotes is an error that names it, because without a shell it would not mean what it says.
 *
 * @throws CommandLineError
 */
export function splitCommandLine(text: string): string[] {
  const words: string[] = []
  let word: string | undefined
  let at = 0
  const take = (): string => text[at++] ?? ''
  while (at < text.length) {
    const char = take()
    if (/\s/.test(char)) {
      if (word !== undefined) words.push(word)
      word = undefined
    } else if (char === "'") {
      const end = text.indexOf("'", at)
      if (end === -1) throw unclosed("'", at)
      word = (word ?? '') + text.slice(at, end)
      at = end + 1
    } else if (char === '"') {
      const quoted = readDoubleQuoted(text, at)
      word = (word ?? '') + quoted.text
      at = quoted.end
    } else if (char === '\\') {
      const next = take()
      if (next === '') throw new CommandLineError('The line ends in a backslash. Complete it or take it out.')
      if (next === '\r' && text[at] === '\n') at += 1
      else if (next !== '\n') word = (word ?? '') + next
    } else if (char === '#' && word === undefined) {
      const end = text.indexOf('\n', at)
      at = end === -1 ? text.length : end
    } else {
      if ('$`|&;<>()*?'.includes(char)) throw shellOnly(char, at)
      word = (word ?? '') + char
    }
  }
  if (word !== undefined) words.push(word)
  return words
}

function readDoubleQuoted(text: string, start: number): { text: string; end: number } {
  let value = ''
  for (let at = start; at < text.length; at += 1) {
    const char = text[at] ?? ''
    if (char === '"') return { text: value, end: at + 1 }
    if (char === '$' || char === '`') throw shellOnly(char, at + 1)
    if (char !== '\\') {
      value += char
      continue
    }
    const next = text[at + 1] ?? ''
    at += 1
    if ('"\\$`'.includes(next)) value += next
    else if (next !== '\n') value += `\\${next}`
  }
  throw unclosed('"', start)
}

function unclosed(quote: string, position: number): CommandLineError {
  return new CommandLineError(`The quote ${quote} at character ${position} is never closed.`)
}

function shellOnly(char: string, position: number): CommandLineError {
  return new CommandLineError(
    `"${char}" at character ${position} needs a shell, and Patchbay starts commands without one. ` +
      'Put it in single quotes if it is meant literally, else write what it stands for.',
  )
}
