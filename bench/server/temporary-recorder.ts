import { mkdtemp, rmdir, unlink } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { Recorder } from '../../server-core/capture/recording/recorder.ts'

/** A recorder whose file has no name any more, so that nothing is left of it however the server ends. */
export async function temporaryRecorder(): Promise<Recorder> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-bench-recording-'))
  const recorder = await Recorder.create(path.join(folder, 'bench.ndjson'), {
    onTrouble: (text) => {
      throw new Error(text)
    },
  })
  await unlink(recorder.path)
  await rmdir(folder)
  return recorder
}
