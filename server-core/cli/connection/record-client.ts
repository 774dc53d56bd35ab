import type { ConnectionSource } from '../../capture/recording/recording-format.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { Recorder } from '../../capture/recording/recorder.ts'
import type { Tap } from '../../ports/tap.ts'
import { StartError } from '../output/exit-code.ts'
import { masking, writeNote, writeStderr } from '../output/output.ts'
import { plural } from '../../protocol/plural.ts'

/** Begins to record what a client sends and receives in a new file. Throws a `StartError` if that cannot be made. */
export async function recordClient(
  file: string,
  source: ConnectionSource,
): Promise<{ readonly tap: Tap; close(): Promise<void> }> {
  const recorder = await create(file)
  return {
    tap: recorder.tap(source),
    close: async () => {
      const { frames, shed } = await recorder.close()
      const left = shed === 0 ? '' : `; ${shed} were left out, because the disk was too slow or full`
      writeNote(`patchbay: recorded ${plural(frames, 'frame')} in ${recorder.path}${left}`)
    },
  }
}

async function create(file: string): Promise<Recorder> {
  try {
    return await Recorder.create(file, { redaction: masking, onTrouble: writeStderr })
  } catch (error) {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  }
}
