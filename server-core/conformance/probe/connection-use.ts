import type { JsonObject } from '../../protocol/json.ts'
import { isJsonObject } from '../../protocol/json.ts'

/** Requests that leave a session as it was. */
const HARMLESS: ReadonlySet<unknown> = new Set([
  'ping',
  'server/discover',
  'tools/list',
  'tools/call',
  'resources/list',
  'resources/templates/list',
  'resources/read',
  'prompts/list',
  'prompts/get',
  'completion/complete',
  'tasks/get',
  'tasks/list',
])

/** Whether a notification says nothing about a request that is still open, or that no server knows. */
const isHarmlessNotice = (method: unknown) =>
  method === 'notifications/cancelled' || method === 'notifications/unknown'

/** What went over a connection since it was opened. */
export type ConnectionUse = {
  /** What was sent; undefined stands for bytes that are not an ordinary message. */
  readonly sent: readonly unknown[]
  readonly received: readonly JsonObject[]
  /** Ids up to the last one that the connection gave were in use only once. */
  readonly lastId: number
  /** Whether a tool may be called without a trace. */
  readonly isReadOnly: (tool: string) => boolean
}

/**
 * Whether a session is as it was before: all that was sent are ordinary requests that change nothing, each of them is
 * answered, and the server asked nothing. Then another check may go on with it.
 */
export function leavesNoTrace({ sent, received, lastId, isReadOnly }: ConnectionUse): boolean {
  const answered = new Set<unknown>()
  const refused = new Set<unknown>()
  for (const message of received) {
    const { method, id } = message
    if (method !== undefined && id !== undefined) return false
    if (method === undefined) answered.add(id)
    if (isJsonObject(message['error'])) refused.add(id)
  }
  return sent.every((message) => {
    if (!isJsonObject(message)) return false
    const { id, method, params = {} } = message
    if (!('id' in message)) return isHarmlessNotice(method)
    const isOwnId = typeof id === 'number' && Number.isInteger(id) && id > 0 && id <= lastId
    if (!isOwnId || !answered.has(id) || message['jsonrpc'] !== '2.0' || !isJsonObject(params)) return false
    const isHarmless = HARMLESS.has(method) || (typeof method === 'string' && method.startsWith('patchbay/'))
    if (!isHarmless) return refused.has(id)
    if (method !== 'tools/call') return true
    const { name, task } = params
    return task === undefined && typeof name === 'string' && isReadOnly(name)
  })
}
