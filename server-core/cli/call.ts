import { text as readAll } from 'node:stream/consumers'
import type { Connection } from '../client/connect.ts'
import { ProtocolError } from '../protocol/errors.ts'
import { parseExact, stringifyExact } from '../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../protocol/json.ts'
import type { Command } from './command.ts'
import { describeResult } from './describe.ts'
import { ExitCode, UnknownToolError, UsageError } from './exit-code.ts'
import { unknownToolHint } from './known-tools.ts'
import { isForPerson, tell, writeJson, writeText } from './output.ts'
import { withServer } from './with-server.ts'

type CallCommand = Extract<Command, { type: 'call' }>

/** `patchbay call`: calls one tool and prints its result, also one that tells of an error. */
export async function call(command: CallCommand, signal: AbortSignal): Promise<ExitCode> {
  const argumentsText = command.argumentsText === '-' ? await readAll(process.stdin) : command.argumentsText
  const args = readArguments(argumentsText ?? '{}')
  const { result, hint } = await withServer(command.target, command.timeoutMs, signal, async (connection) => {
    const result = await callTool(connection, command.tool, args, signal)
    // Many servers answer a wrong name with a result that tells of an error.
    const hint = isError(result) ? await unknownToolHint(connection, command.tool) : undefined
    return { result, hint }
  })
  if (isForPerson(command.json)) await writeText(describeResult(result))
  else await writeJson(result)
  if (!isError(result)) return ExitCode.ok
  tell(`patchbay: ${command.tool} told of an error${hint === undefined ? '' : `\n${hint}`}`)
  return ExitCode.toolError
}

async function callTool(
  connection: Connection,
  tool: string,
  args: JsonObject,
  signal: AbortSignal,
): Promise<unknown> {
  const params = { name: tool, arguments: args }
  try {
    const paramsText = stringifyExact(params)
    const answer = await connection.request('tools/call', params, { signal, paramsText })
    // Read again from the bytes: numbers that a double cannot hold are still whole in them.
    const message = parseExact(new TextDecoder().decode(answer.bytes))
    return isJsonObject(message) && isJsonObject(message['result']) ? message['result'] : answer.result
  } catch (error) {
    const hint = error instanceof ProtocolError ? await unknownToolHint(connection, tool) : undefined
    throw hint === undefined ? error : new UnknownToolError(hint, { cause: error })
  }
}

function isError(result: unknown): boolean {
  return isJsonObject(result) && result['isError'] === true
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
