import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { kindOf } from '../../protocol/wire/fault.ts'
import type { Connection, RequestOptions, RequestResult } from '../connection.ts'
import { RequestFailedError } from '../errors.ts'

/** The answer to `resources/read`. */
export type ReadResource = RequestResult & {
  /** Each with its `uri`, and `text` or `blob` (base64). */
  readonly contents: readonly JsonObject[]
}

/** The answer to `prompts/get`. */
export type GotPrompt = RequestResult & {
  readonly description?: string
  /** Each with its `role` and `content`. */
  readonly messages: readonly JsonObject[]
}

/**
 * Reads a resource (`resources/read`). Throws as `Connection.request` does, also for a result without contents.
 *
 * @example
 * ```ts
 * import { connectTo, readResource } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const { contents } = await readResource(connection, 'notes://today')
 * console.log(contents)
 * await connection.close()
 * ```
 */
export async function readResource(
  connection: Connection,
  uri: string,
  options?: RequestOptions,
): Promise<ReadResource> {
  const answer = await connection.request('resources/read', { uri }, options)
  return { ...answer, contents: listIn(answer, 'resources/read', 'contents') }
}

/**
 * Gets a prompt (`prompts/get`). Throws as `Connection.request` does, also for a result without messages.
 *
 * @example
 * ```ts
 * import { connectTo, getPrompt } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const { messages } = await getPrompt(connection, { name: 'greet', arguments: { name: 'Ada' } })
 * console.log(messages)
 * await connection.close()
 * ```
 */
export async function getPrompt(
  connection: Connection,
  prompt: { readonly name: string; readonly arguments?: Readonly<Record<string, string>> },
  options?: RequestOptions,
): Promise<GotPrompt> {
  const answer = await connection.request('prompts/get', { ...prompt }, options)
  const { description } = answer.result
  return {
    ...answer,
    ...(typeof description === 'string' ? { description } : {}),
    messages: listIn(answer, 'prompts/get', 'messages'),
  }
}

function listIn({ result, bytes }: RequestResult, method: string, member: string): readonly JsonObject[] {
  const list = result[member]
  if (Array.isArray(list) && list.every(isJsonObject)) return list
  const got = Array.isArray(list) ? 'something else in it' : kindOf(list)
  const message = `${method}: expected a list of objects in "${member}", got ${got}`
  throw new RequestFailedError('invalid-answer', message, { bytes })
}
