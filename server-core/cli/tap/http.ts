import { RecordingError } from '../../capture/recording/recording-error.ts'
import { bothTaps } from '../../capture/recording/both-taps.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { HttpAppSide } from '../../tap/http/http-app-side.ts'
import { startHttpTap, type HttpTap } from '../../tap/http/http-tap.ts'
import { openRecording } from '../../tap/recording/open-recorder.ts'
import { readRulesFile } from '../../tap/rules/rules-file.ts'
import { ExitCode, StartError } from '../output/exit-code.ts'
import { writeNote, writeStderr } from '../output/output.ts'
import type { TapCommand } from './tap-flags.ts'

/** `patchbay tap --url`: forwards until the command is interrupted. Rejects with a `StartError` if it cannot listen. */
export async function tapUrl(
  {
    url,
    port,
    rewritesMetadata,
    rules: rulesFile,
    recording: choice,
  }: Extract<TapCommand, { readonly action: 'http' }>,
  signal: AbortSignal,
): Promise<ExitCode> {
  const report = (text: string): void => writeStderr(`patchbay tap: ${text}`)
  const rules = rulesFile === undefined ? undefined : await readRulesFile(rulesFile)
  const recording = await openRecording(choice, report).catch((error: unknown) => {
    if (error instanceof RecordingError) throw new StartError(error.message, { cause: error })
    throw error
  })
  const { profile, name, client } = choice
  const app = new HttpAppSide({
    identity: { name, command: url.href, ...(client !== undefined && { client }) },
    ...(profile !== undefined && { profile }),
    ...(rules !== undefined && { rules }),
  })
  let tap: HttpTap
  try {
    tap = await startHttpTap({
      url,
      port,
      tap: bothTaps(recording.tap, app.tap),
      rewritesMetadata,
      rules: app.rules,
    })
  } catch (error) {
    await recording.close()
    throw new StartError(`the tap cannot listen on port ${port}: ${messageOf(error)}`, { cause: error })
  }
  app.start()
  writeNote(`patchbay tap listens at ${tap.url}`)
  writeNote(
    `It forwards to ${url.href}. Changed: Host, headers of the connection, extensions of WebSockets${rewritesMetadata ? ', the address of the server in OAuth metadata' : ''}.`,
  )
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
  app.close()
  await tap.close()
  await recording.close()
  return ExitCode.ok
}
