import { RequestFailedError } from '../../client/errors.ts'
import type { ClientCommand } from './client-command.ts'
import { ExitCode } from '../output/exit-code.ts'
import { withNameHint } from './known-names.ts'
import { isForPerson, writeNote, writeJsonLine, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { progressOutput } from './progress-output.ts'

type SubscribeCommand = Extract<ClientCommand, { type: 'subscribe' }>

/** `patchbay subscribe`: a line whenever one of the resources changes. Ctrl+C is its usual end. */
export async function subscribe(command: SubscribeCommand, signal: AbortSignal): Promise<ExitCode> {
  const { uris, count = Infinity } = command
  const isShown = isForPerson(command.json)
  await useServer(
    command,
    signal,
    async (connection) => {
      const enough = Promise.withResolvers<void>()
      let lines = 0
      let writing = Promise.resolve()
      connection.onResourceUpdated((uri) => {
        lines += 1
        if (lines > count) return
        const at = new Date().toISOString()
        writing = writing.then(() => (isShown ? writeText(`${at} ${uri}`) : writeJsonLine({ at, uri })))
        writing.catch(enough.reject)
        if (lines === count) enough.resolve(writing)
      })
      for (const uri of uris)
        await withNameHint(connection, 'resources', uri, () => connection.subscribe(uri))
      writeNote(`subscribed to ${uris.join(', ')}`)
      const closed = connection.closed.then((error) => {
        throw new RequestFailedError('closed', error.message, { cause: error })
      })
      await Promise.race([enough.promise, closed, untilAborted(signal)])
    },
    { listeners: progressOutput(command) },
  )
  return ExitCode.ok
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve()
    signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
