import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { Stopped } from '../examination.ts'

/** Which tools may be called. */
export type CallPermission = {
  /** By name (`--call`). */
  readonly names?: readonly string[]
  /** Those annotated with `readOnlyHint` (`--call-read-only`). */
  readonly readOnly?: boolean
  /** All of them: for servers that exist to be examined. */
  readonly all?: boolean
}

/** Names that no server has; a check may call them to see the error. */
export const UNKNOWN_TOOL = 'patchbay_unknown_tool'

/** Whether a listed tool may be called. */
export function mayCall(permission: CallPermission, tool: JsonObject): boolean {
  const { annotations, name } = tool
  if (permission.all === true) return true
  if (typeof name === 'string' && permission.names?.includes(name) === true) return true
  return permission.readOnly === true && isJsonObject(annotations) && annotations['readOnlyHint'] === true
}

/**
 * Throws a `Stopped` if a message, or one in an array, calls a tool that may not be called. Tools that are not listed
 * may be named: the server has to refuse them; where lists are unknown, only names that begin with `patchbay`.
 */
export function guardCalls(
  permission: CallPermission,
  tools: readonly JsonObject[] | undefined,
  message: unknown,
): void {
  const messages = Array.isArray(message) ? (message as unknown[]) : [message]
  for (const each of messages) {
    if (!isJsonObject(each) || each['method'] !== 'tools/call' || !isJsonObject(each['params'])) continue
    const name = each['params']['name']
    if (typeof name !== 'string' || permission.all === true || permission.names?.includes(name) === true)
      continue
    const tool = tools?.find((listed) => listed['name'] === name)
    const isAllowed =
      tool === undefined ? tools !== undefined || name.startsWith('patchbay') : mayCall(permission, tool)
    if (!isAllowed) throw new Stopped('notApplicable', `calls the tool ${name}, which was not permitted`)
  }
}
