import { RecordingError } from '../../../capture/recording/recording-error.ts'
import { defaultProfile, profileFiles } from '../../../profile/profile-files.ts'
import { RecordingView } from '../../../recordings/recording-view.ts'
import { recordingPlace } from '../../../recordings/store/recording-place.ts'
import { RecordingStore } from '../../../recordings/store/recording-store.ts'
import { RecordedServer } from '../../../replay/recorded-server.ts'
import { StartError } from '../../output/exit-code.ts'
import { writeStderr } from '../../output/output.ts'
import type { ReplayFlags } from './replay-flags.ts'
import { serverOtherwise } from './server-otherwise.ts'

/**
 * Opens the server's side of a recording. Rejects with a `StartError` for what cannot be read and for a recording without
 * a list or an answered call.
 *
 * @param profile the data folder, if it is not the usual one
 */
export async function openRecordedServer(
  { recording, match, once, latency, otherwise }: ReplayFlags,
  profile: string = defaultProfile(),
): Promise<RecordedServer> {
  try {
    const store = new RecordingStore(profileFiles(profile).recordings)
    const view = await RecordingView.open(await recordingPlace(recording, store))
    for (const problem of view.problems) writeStderr(`patchbay: ${recording}: ${problem}`)
    const recorded = await RecordedServer.read(view, {
      match,
      once,
      latency,
      ...(otherwise !== undefined && { otherwise: serverOtherwise(otherwise, profile) }),
    })
    if (recorded.calls === 0 && recorded.lists.tools.length === 0)
      throw new StartError(`expected lists or answered calls in ${recording}, found neither`)
    return recorded
  } catch (error) {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  }
}
