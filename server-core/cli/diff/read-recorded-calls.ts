import { recordedCalls, type RecordedCall } from '../../comparison/recorded-calls.ts'
import { defaultProfile, profileFiles } from '../../profile/profile-files.ts'
import { RecordingView } from '../../recordings/recording-view.ts'
import { recordingPlace } from '../../recordings/store/recording-place.ts'
import { RecordingStore } from '../../recordings/store/recording-store.ts'
import { writeStderr } from '../output/output.ts'

/**
 * Reads the calls of a recording; what cannot be read of it is written to stderr. Rejects with a `RecordingError`.
 *
 * @param place a file, a folder of segments, or an id that `patchbay recordings list` prints
 * @param profile the data folder, if it is not the usual one
 */
export async function readRecordedCalls(
  place: string,
  profile: string = defaultProfile(),
): Promise<RecordedCall[]> {
  const store = new RecordingStore(profileFiles(profile).recordings)
  const view = await RecordingView.open(await recordingPlace(place, store))
  for (const problem of view.problems) writeStderr(`patchbay: ${place}: ${problem}`)
  return recordedCalls(view)
}
