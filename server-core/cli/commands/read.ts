import { readResource } from '../../client/requests/read.ts'
import type { ClientCommand } from './client-command.ts'
import { describeContents } from '../output/describe.ts'
import { ExitCode } from '../output/exit-code.ts'
import { withNameHint } from './known-names.ts'
import { isForPerson, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { exactResult } from './exact-result.ts'
import { progressOutput, writeProgress } from './progress-output.ts'

type ReadCommand = Extract<ClientCommand, { type: 'read' }>

/** `patchbay read`: reads one resource and prints what is in it. */
export async function read(command: ReadCommand, signal: AbortSignal): Promise<ExitCode> {
  const { uri } = command
  const resource = await useServer(
    command,
    signal,
    (connection) =>
      withNameHint(connection, 'resources', uri, () =>
        readResource(connection, uri, { signal, onProgress: writeProgress }),
      ),
    { listeners: progressOutput(command) },
  )
  if (isForPerson(command.json)) await writeText(describeContents(resource.contents))
  else await writeJson(exactResult(resource))
  return ExitCode.ok
}
