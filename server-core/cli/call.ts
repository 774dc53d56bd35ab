import { text as readAll } from 'node:stream/consumers'
import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Command } from './command.ts'
import { describeResult } from './describe.ts'
import { ExitCode, UsageError } from './exit-code.ts'
import { isForPerson, tell, writeJson, writeText } from './output.ts'
import { withServer } from './with-server.ts'

type CallCommand = Extract<Command, { type: 'call' }>

/** `patchbay call`: calls one tool and prints its result, also one that tells of an error. */
export async function call(command: CallCommand, signal: AbortSignal): Promise<ExitCode> {
  const argumentsText = command.argumentsText === '-' ? await readAll(process.stdin) : command.argumentsText
  const args = readArguments(argumentsText ?? '{}')
  const result = await withServer(command.target, command.timeoutMs, signal, async (connection) => {
    const params = { name: command.tool, arguments: args }
    const answer = await connection.request('tools/call', params, {
      signal,
      paramsText: stringifyExact(params),
    })
    // Read again from the bytes: numbers that a double cannot hold are still whole in them.
    const message = parseExact(new TextDecoder().decode(answer.bytes))
    return isJsonObject(message) && isJsonObject(message['result']) ? message['result'] : answer.result
  })
  if (isForPerson(command.json)) await writeText(describeResult(result))
  else await writeJson(result)
  if (isJsonObject(result) && result['isError'] === true) {
    tell(`patchbay: ${command.tool} told of an error`)
    return ExitCode.toolError
  }
  return ExitCode.ok
}

function readArguments(text: string): JsonObject {
  let value: unknown
  try {
    value = parseExact(text)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    throw new UsageError(`the arguments are no JSON (${reason}); quote them, e.g. '{"city":"Oslo"}'`, {
      cause: error,
    })
  }
  if (!isJsonObject(value))
    throw new UsageError('the arguments must be a JSON object, e.g. \'{"city":"Oslo"}\'')
  return value
}
