import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import type { Revision } from '../../../protocol/revisions.ts'
import { NOTIFICATIONS, REQUESTS, resultNames, shapeOf } from '../../../protocol/wire/definitions.ts'

/** The definition that a message, or its result, must fit. */
export type MessageRoot = {
  readonly definition: string
  readonly value: unknown
  /** The way from the message to the value. */
  readonly path: readonly string[]
}

/**
 * Finds the definition of a request or notification by its method, and of a result by the request that it answers.
 * Undefined for errors, and for what the revision does not know.
 */
export function messageRoot(
  message: JsonObject,
  answers: JsonObject | undefined,
  revision: Revision,
): MessageRoot | undefined {
  const { method, result } = message
  const whole = (definition: string | undefined): MessageRoot | undefined =>
    definition !== undefined && shapeOf(definition, revision) !== undefined
      ? { definition, value: message, path: [] }
      : undefined
  if (typeof method === 'string') {
    if (Object.hasOwn(NOTIFICATIONS, method)) return whole(NOTIFICATIONS[method])
    return Object.hasOwn(REQUESTS, method) ? whole(REQUESTS[method]?.request) : undefined
  }
  const asked = answers?.['method']
  if (typeof asked !== 'string' || !isJsonObject(result)) return undefined
  const definition = resultOf(resultNames(asked, revision), result)
  return definition === undefined ? undefined : { definition, value: result, path: ['result'] }
}

/** Which of the results a request may have this is, by what tells them apart. */
function resultOf(names: readonly string[], result: JsonObject): string | undefined {
  const { resultType, task } = result
  if (resultType === 'input_required') return names.find((name) => name === 'InputRequiredResult')
  // Extensions define further kinds.
  if (typeof resultType === 'string' && resultType !== 'complete') return undefined
  if (isJsonObject(task) && names.includes('CreateTaskResult')) return 'CreateTaskResult'
  return names[0]
}
