import { readdir } from 'node:fs/promises'
import path from 'node:path'
import type { Redaction } from '../../capture/redaction.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { appendNotes } from '../../capture/recording/recording-notes.ts'
import { SEGMENT_FILE } from '../../capture/recording/segment-sink.ts'
import { HostError } from '../host-error.ts'

/** Appends a comment to the last segment of a recording that is closed. */
export async function addComment(
  folder: string,
  { at, text }: { readonly at: number; readonly text: string },
  redaction: Redaction,
): Promise<void> {
  const last = (await readdir(folder))
    .filter((name) => SEGMENT_FILE.test(name))
    .sort()
    .at(-1)
  if (last === undefined) throw new HostError('NOT_FOUND', `The recording in ${folder} has no segments.`)
  try {
    await appendNotes(path.join(folder, last), [{ type: 'comment', at, text }], redaction)
  } catch (error) {
    if (!(error instanceof RecordingError)) throw error
    throw new HostError('REFUSED', error.message, { cause: error })
  }
}
