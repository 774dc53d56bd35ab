import { isJsonObject } from '../../protocol/json.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { Connection, RequestOptions, RequestResult } from '../connection.ts'
import { RequestFailedError } from '../errors.ts'

/** The argument to complete: of a prompt, or of a resource template. */
export type CompletionQuestion = {
  /** A prompt by name, or a resource template by URI template. */
  readonly of: { readonly prompt: string } | { readonly resourceTemplate: string }
  /** The argument or variable, and what is typed of its value. */
  readonly argument: { readonly name: string; readonly value: string }
  /** The values of other arguments, from 2025-06-18 on. */
  readonly context?: Readonly<Record<string, string>>
}

/** Proposed values of an argument. */
export type Completions = RequestResult & {
  readonly values: readonly string[]
  /** How many there are in all, if the server says. */
  readonly total?: number
  readonly hasMore: boolean
}

/**
 * Asks for values of an argument (`completion/complete`). Throws as `Connection.request` does.
 *
 * @example
 * ```ts
 * import { connectTo, complete } from 'patchbay/client'
 *
 * const connection = await connectTo(
 *   { transport: 'stdio', command: 'node', args: ['server.js'] },
 *   { identity: { name: 'my-client', version: '1.0.0' } },
 * )
 * const { values } = await complete(connection, {
 *   of: { prompt: 'greet' },
 *   argument: { name: 'name', value: 'A' },
 * })
 * console.log(values)
 * await connection.close()
 * ```
 */
export async function complete(
  connection: Connection,
  { of, argument, context }: CompletionQuestion,
  options?: RequestOptions,
): Promise<Completions> {
  const ref =
    'prompt' in of
      ? { type: 'ref/prompt', name: of.prompt }
      : { type: 'ref/resource', uri: of.resourceTemplate }
  const knowsContext = revisionRow(connection.revision)?.completionContext === true
  const isGiven = context !== undefined && knowsContext && Object.keys(context).length > 0
  const params = { ref, argument, ...(isGiven ? { context: { arguments: context } } : {}) }
  const answer = await connection.request('completion/complete', params, options)
  const completion = answer.result['completion']
  const { values, total, hasMore } = isJsonObject(completion) ? completion : {}
  if (!Array.isArray(values) || !values.every((value) => typeof value === 'string')) {
    const message = 'completion/complete: expected a list of texts in "completion.values"'
    throw new RequestFailedError('invalid-answer', message, { bytes: answer.bytes })
  }
  return { ...answer, values, ...(typeof total === 'number' ? { total } : {}), hasMore: hasMore === true }
}
