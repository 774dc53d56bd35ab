import { complete as ask } from '../../client/requests/complete.ts'
import type { ClientCommand } from './client-command.ts'
import { ExitCode } from '../output/exit-code.ts'
import { withNameHint } from './known-names.ts'
import { isForPerson, writeNote, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { textArguments } from './arguments.ts'
import { progressOutput } from './progress-output.ts'

type CompleteCommand = Extract<ClientCommand, { type: 'complete' }>

/** `patchbay complete`: values of an argument of a prompt, or of a variable of a URI template. */
export async function complete(command: CompleteCommand, signal: AbortSignal): Promise<ExitCode> {
  const { of, argument: name, value, named } = command
  const isTemplate = of.includes('{') || of.includes('://')
  const { values, total, hasMore } = await useServer(
    command,
    signal,
    (connection) =>
      withNameHint(connection, isTemplate ? 'resourceTemplates' : 'prompts', of, () =>
        ask(
          connection,
          {
            of: isTemplate ? { resourceTemplate: of } : { prompt: of },
            argument: { name, value },
            context: textArguments(named),
          },
          { signal },
        ),
      ),
    { listeners: progressOutput(command) },
  )
  if (!isForPerson(command.json)) {
    await writeJson({ values, ...(total !== undefined && { total }), hasMore })
    return ExitCode.ok
  }
  if (values.length > 0) await writeText(values.join('\n'))
  else writeNote('There is no such value.')
  if (hasMore) writeNote(total === undefined ? 'There are more.' : `There are ${total} in all.`)
  return ExitCode.ok
}
