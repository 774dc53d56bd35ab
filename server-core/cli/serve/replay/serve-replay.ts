import { RecordingError } from '../../../capture/recording/recording-error.ts'
import { productVersion } from '../../../host/version.ts'
import { defaultProfile, profileFiles } from '../../../profile/profile-files.ts'
import { RecordingView } from '../../../recordings/recording-view.ts'
import { RecordingStore } from '../../../recordings/store/recording-store.ts'
import { RecordedServer } from '../../../replay/recorded-server.ts'
import { createServer } from '../../../server/server.ts'
import { ExitCode, StartError } from '../../output/exit-code.ts'
import { writeStderr } from '../../output/output.ts'
import { recordingPlace } from '../../../recordings/store/recording-place.ts'
import type { ServeFlags } from '../serve-options.ts'
import { keptSealKey, readServing, serveUntilEnd } from '../serving.ts'
import type { ReplayFlags } from './replay-flags.ts'

/** Serves the server's side of a recording until it is ended. Rejects with a `StartError` for one that has no calls. */
export async function serveReplay(
  flags: ServeFlags,
  { recording, match, once, latency }: ReplayFlags,
  signal: AbortSignal,
): Promise<ExitCode> {
  const serving = await readServing(flags, 'serve')
  const { plan, log } = serving
  const registry = await open()
  const { info, instructions } = registry.lists
  const name = info?.name ?? 'recorded'
  const server = createServer({
    registry,
    info: info ?? { name, version: productVersion },
    ...(instructions !== undefined && { instructions }),
    sealKey: () => keptSealKey(log),
    ...(plan.revisions !== undefined && { revisions: plan.revisions }),
  })
  try {
    await serveUntilEnd(
      { server, name: `The recording of ${name}`, serverName: name, prepare: () => server.prepare() },
      serving,
      signal,
    )
  } finally {
    await server.close()
  }
  return ExitCode.ok

  async function open(): Promise<RecordedServer> {
    try {
      const store = new RecordingStore(profileFiles(flags.profile ?? defaultProfile()).recordings)
      const view = await RecordingView.open(await recordingPlace(recording, store))
      for (const problem of view.problems) writeStderr(`patchbay: ${recording}: ${problem}`)
      const recorded = await RecordedServer.read(view, { match, once, latency })
      if (recorded.calls === 0 && recorded.lists.tools.length === 0)
        throw new StartError(`${recording} has neither a list nor a call of a server that was answered`)
      return recorded
    } catch (error) {
      if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
      throw error
    }
  }
}
