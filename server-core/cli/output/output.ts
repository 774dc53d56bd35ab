import { once } from 'node:events'
import { Redaction } from '../../capture/redaction.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { HIDDEN, visibleText } from '../../protocol/visible-text.ts'
import { paintFor, type Paint } from './paint.ts'

/** Whether answers are written for a person: on a terminal, unless JSON was asked for. */
export function isForPerson(json: boolean): boolean {
  return !json && process.stdout.isTTY
}

/**
 * Writes an answer to stdout as JSON; numbers come out digit by digit as they came in. On a terminal, characters
 * that could steer it are written as JSON escapes, which mean the same.
 */
export async function writeJson(value: unknown): Promise<void> {
  const text = stringifyExact(value, 2)
  await write(process.stdout, `${process.stdout.isTTY ? escapeHidden(text) : text}\n`)
}

/** Writes one value of many to stdout as a line of JSON. */
export async function writeJsonLine(value: unknown): Promise<void> {
  const text = stringifyExact(value)
  await write(process.stdout, `${process.stdout.isTTY ? escapeHidden(text) : text}\n`)
}

/** JSON text with every hidden or steering character as `\uXXXX`: the same value, safe to show. */
export function escapeHidden(json: string): string {
  return json.replace(HIDDEN, (character) =>
    Array.from({ length: character.length }, (_, at) => `\\u${hexOf(character, at)}`).join(''),
  )
}

function hexOf(text: string, at: number): string {
  return text.charCodeAt(at).toString(16).padStart(4, '0')
}

/** Writes an answer to stdout for a person, without what a server could do to a terminal. */
export async function writeText(text: string): Promise<void> {
  await write(process.stdout, `${visibleText(text)}\n`)
}

/** Width of lines where the terminal does not say its own. */
const USUAL_WIDTH = 100

/**
 * Writes an answer to stdout for a person, made for the width and colours of the terminal. What `describe` returns is
 * written as it is, so it must have made everything of a peer visible.
 */
export async function writeStyled(
  describe: (style: { width: number; paint: Paint }) => string,
): Promise<void> {
  const { stdout } = process
  const width = stdout.isTTY ? stdout.columns : USUAL_WIDTH
  await write(stdout, `${describe({ width, paint: paintFor(stdout) })}\n`)
}

/** The secrets of the server of this run; the output masks them. */
export const masking = new Redaction()

/** The question that waits for its answer at the terminal, if one does: shows it again. */
export const pending: { showAgain?: (() => void) | undefined } = {}

/** Colours the beginning of a line on stderr that says what kind of line it is. */
function withColour(text: string, paint: Paint): string {
  const [, prefix = '', rest = ''] = /^(patchbay:|WARNING:|progress:|\[\w+\])?(.*)$/s.exec(text) ?? []
  if (prefix === '') return text
  if (prefix === 'progress:') return paint('dim', text)
  const isLog = prefix.startsWith('[')
  return `${paint(isLog ? 'yellow' : 'red', prefix)}${rest}`
}

/** Prints to stderr, without what a server could do to a terminal and without secrets that it repeated. */
export function writeStderr(text: string): void {
  const { showAgain } = pending
  // Output while somebody types goes below, and the question comes again.
  const shown = withColour(visibleText(masking.text(text)), paintFor(process.stderr))
  process.stderr.write(`${showAgain === undefined ? '' : '\n'}${shown}\n`)
  showAgain?.()
}

let isQuiet = false

/** Silences `note` from now on. */
export function beQuiet(): void {
  isQuiet = true
}

/** Prints to stderr something that is not a failure, unless the user wants to read failures alone. */
export function writeNote(text: string): void {
  if (!isQuiet) writeStderr(text)
}

/** Waits for a slow reader, so that ending the process loses nothing. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
