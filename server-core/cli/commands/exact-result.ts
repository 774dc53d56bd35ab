import { parseExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RequestResult } from '../../client/connection.ts'

/** A result read again from the bytes it came in: numbers that a double cannot hold are still whole in them. */
export function exactResult({ bytes, result }: RequestResult): JsonObject {
  const message = parseExact(new TextDecoder().decode(bytes))
  const whole = isJsonObject(message) ? message['result'] : undefined
  if (!isJsonObject(whole)) return result
  // A task of the extension brings the result of its call within its own.
  const isOfTask = typeof whole['taskId'] === 'string' && isJsonObject(whole['result'])
  return isOfTask ? (whole['result'] as JsonObject) : whole
}
