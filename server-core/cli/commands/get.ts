import { getPrompt } from '../../client/requests/read.ts'
import type { ClientCommand } from '../client-command.ts'
import { describeMessages } from '../describe.ts'
import { ExitCode, UsageError } from '../exit-code.ts'
import { withNameHint } from '../known-names.ts'
import { isForPerson, writeJson, writeText } from '../output.ts'
import { withServer } from '../with-server.ts'
import { readArguments, textArguments } from './arguments.ts'
import { exactResult } from './exact-result.ts'
import { TELLING, tellProgress } from './told.ts'

type GetCommand = Extract<ClientCommand, { type: 'get' }>

/** `patchbay get`: gets one prompt and prints its messages. */
export async function get(command: GetCommand, signal: AbortSignal): Promise<ExitCode> {
  const { prompt: name, argumentsText, named } = command
  const args: Record<string, string> = {}
  for (const [key, value] of Object.entries(await readArguments(argumentsText))) {
    if (typeof value !== 'string')
      throw new UsageError(`the arguments of a prompt are texts; "${key}" is none, so quote it`)
    args[key] = value
  }
  const prompt = { name, arguments: { ...args, ...textArguments(named) } }
  const got = await withServer(
    command,
    signal,
    (connection) =>
      withNameHint(connection, 'prompts', name, () =>
        getPrompt(connection, prompt, { signal, onProgress: tellProgress }),
      ),
    { listeners: TELLING },
  )
  if (isForPerson(command.json)) await writeText(describeMessages(got.messages))
  else await writeJson(exactResult(got))
  return ExitCode.ok
}
