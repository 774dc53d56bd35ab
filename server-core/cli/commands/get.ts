import type { Connection } from '../../client/connect.ts'
import { getPrompt } from '../../client/requests/read.ts'
import type { ClientCommand } from './client-command.ts'
import { describeMessages } from '../output/describe.ts'
import { ExitCode, UsageError } from '../output/exit-code.ts'
import { withNameHint } from './known-names.ts'
import { isForPerson, writeNote, writeJson, writeText } from '../output/output.ts'
import { useServer } from '../connection/server-session.ts'
import { checkArgumentNames, promptSchema } from './argument-names.ts'
import { readArguments, textArguments } from './arguments.ts'
import { exactResult } from './exact-result.ts'
import { progressOutput, writeProgress } from './progress-output.ts'

type GetCommand = Extract<ClientCommand, { type: 'get' }>

/** `patchbay get`: gets one prompt and prints its messages. */
export async function get(command: GetCommand, signal: AbortSignal): Promise<ExitCode> {
  const { prompt: name, argumentsText, named } = command
  const args: Record<string, string> = {}
  for (const [key, value] of Object.entries(await readArguments(argumentsText))) {
    if (typeof value !== 'string')
      throw new UsageError(`the arguments of a prompt are strings; "${key}" is not, so quote it`)
    args[key] = value
  }
  const prompt = { name, arguments: { ...args, ...textArguments(named) } }
  const got = await useServer(
    command,
    signal,
    async (connection) => {
      if (named.length > 0) await checkNames(connection, command, Object.keys(prompt.arguments), signal)
      return withNameHint(connection, 'prompts', name, () =>
        getPrompt(connection, prompt, { signal, onProgress: writeProgress }),
      )
    },
    { listeners: progressOutput(command) },
  )
  if (isForPerson(command.json)) await writeText(describeMessages(got.messages))
  else await writeJson(exactResult(got))
  return ExitCode.ok
}

/** Arguments that were named one by one are checked before they are sent. Throws a `UsageError`. */
async function checkNames(
  connection: Connection,
  { prompt, named }: GetCommand,
  given: readonly string[],
  signal: AbortSignal,
): Promise<void> {
  const { items } = await connection.listPrompts({ signal })
  const listed = items.find(({ name }) => name === prompt)
  // The server says itself that it has no such prompt.
  if (listed === undefined) return
  const names = named.map(({ name }) => name)
  const warnings = checkArgumentNames(names, given, { what: 'prompt', schema: promptSchema(listed) })
  for (const warning of warnings) writeNote(`patchbay: ${warning}`)
}
