import { once } from 'node:events'
import { Redaction } from '../host/masking.ts'
import { stringifyExact } from '../protocol/exact-json.ts'
import { HIDDEN, visibleText } from '../protocol/visible-text.ts'

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

/** The secrets of the server that this run is about; what is told hides them. */
export const masking = new Redaction()

/** The question that waits for its answer at the terminal, if one does: shows it again. */
export const pending: { showAgain?: (() => void) | undefined } = {}

/** Says something on stderr, without what a server could do to a terminal and without secrets that it repeated. */
export function tell(text: string): void {
  const { showAgain } = pending
  // What is told while somebody types goes below, and the question comes again.
  process.stderr.write(`${showAgain === undefined ? '' : '\n'}${visibleText(masking.text(text))}\n`)
  showAgain?.()
}

/** Waits for a slow reader, so that ending the process loses nothing. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
