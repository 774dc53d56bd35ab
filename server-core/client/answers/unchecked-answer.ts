import type { JsonObject } from '../../protocol/json.ts'

const UNCHECKED = new WeakSet<JsonObject>()

/** An answer to a server's question that goes out as it is, whether it fits or not: to see what the server makes of it. */
export function uncheckedAnswer(answer: JsonObject): JsonObject {
  const marked = { ...answer }
  UNCHECKED.add(marked)
  return marked
}

/** Returns whether an answer is not to be checked against the question. */
export function isUnchecked(answer: JsonObject): boolean {
  return UNCHECKED.has(answer)
}
