import { stat } from 'node:fs/promises'
import path from 'node:path'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import type { RecordingStore } from './recording-store.ts'

/**
 * Finds a recording: a file or folder of that name, or else the recording of the profile with that id. Rejects with a
 * `RecordingError` if there is none.
 */
export async function recordingPlace(place: string, store: RecordingStore): Promise<string> {
  const isThere = await stat(place).then(
    () => true,
    () => false,
  )
  if (isThere) return place
  if (path.basename(place) !== place)
    throw new RecordingError('unreadable', `${place} is not there: expected a recording's file, folder or id`)
  await store.get(place)
  return store.folderOf(place)
}
