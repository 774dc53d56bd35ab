import type { TransportKind } from '../../protocol/transport-kind.ts'
import { countText } from '../../protocol/count-text.ts'
import { Recorder } from '../../capture/recording/recorder.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { bothTaps } from '../../capture/recording/both-taps.ts'
import type { NamedToken } from '../../listener/bearer-token.ts'
import type { Tap } from '../../ports/tap.ts'
import { plural } from '../../protocol/plural.ts'
import { StartError } from '../output/exit-code.ts'
import { masking } from '../output/output.ts'
import type { ServeLog } from './serve-log.ts'
import { messageOf } from '../../protocol/error-message.ts'

export type RecordingPlan = {
  readonly file: string
  /** What is served, as the recording calls it. */
  readonly serverName: string
  /** The tokens of clients, which do not reach the file. */
  readonly tokens: readonly NamedToken[]
}

/** The recording of what is served. */
export type ServeRecording = {
  /** A tap that records, and shows everything to another one too. */
  tap(transport: TransportKind, beside: Tap): Tap
  /** Writes what waits and reports how much was recorded. */
  close(): Promise<void>
}

/** Begins a recording in a new file. Throws a `StartError` if that cannot be made. */
export async function startRecording(
  { file, serverName, tokens }: RecordingPlan,
  log: ServeLog,
): Promise<ServeRecording> {
  for (const { token } of tokens) masking.register(token)
  const recorder = await create(file, log)
  const atExit = (): void => {
    try {
      recorder.flushNow()
    } catch (error) {
      const why = messageOf(error)
      log.error(
        `${recorder.path}: the last ${countText(recorder.waitingBytes)} bytes could not be written: ${why}`,
      )
    }
  }
  // A process that fails has the most to tell.
  process.once('exit', atExit)
  log.info(`recording to ${recorder.path}`)
  return {
    tap: (transport, beside) => bothTaps(beside, recorder.tap({ serverName, side: 'server', transport })),
    close: async () => {
      const { frames, shed } = await recorder.close()
      process.off('exit', atExit)
      const left = shed === 0 ? '' : `; ${shed} were left out, because the disk was too slow or full`
      log.info(`recorded ${plural(frames, 'frame')} in ${recorder.path}${left}`)
    },
  }
}

async function create(file: string, log: ServeLog): Promise<Recorder> {
  const onTrouble = (text: string): void => {
    log.error(text)
  }
  try {
    return await Recorder.create(file, { redaction: masking, onTrouble })
  } catch (error) {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  }
}
