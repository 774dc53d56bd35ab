import { once } from 'node:events'
import { stringifyExact } from '../protocol/exact-json.ts'
import { visibleText } from '../protocol/visible-text.ts'

/** Whether answers are written for a person: on a terminal, unless JSON was asked for. */
export function isForPerson(json: boolean): boolean {
  return !json && process.stdout.isTTY
}

/** Writes an answer to stdout as JSON; numbers come out digit by digit as they came in. */
export async function writeJson(value: unknown): Promise<void> {
  await write(process.stdout, `${stringifyExact(value, 2)}\n`)
}

/** Writes an answer to stdout for a person, without what a server could do to a terminal. */
export async function writeText(text: string): Promise<void> {
  await write(process.stdout, `${visibleText(text)}\n`)
}

/** Says something on stderr, without what a server could do to a terminal. */
export function tell(text: string): void {
  process.stderr.write(`${visibleText(text)}\n`)
}

/** Waits for a slow reader, so that ending the process loses nothing. */
async function write(stream: NodeJS.WriteStream, text: string): Promise<void> {
  if (!stream.write(text)) await once(stream, 'drain')
}
