import { isJsonObject } from '../../protocol/json.ts'

/** How many messages of a body want an answer. */
export function requestsIn(value: unknown): number {
  const messages = Array.isArray(value) ? (value as unknown[]) : [value]
  return messages.filter((each) => isJsonObject(each) && 'id' in each && each['method'] !== undefined).length
}
