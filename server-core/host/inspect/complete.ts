import type { Connection } from '../../client/connection.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { revisionRow } from '../../protocol/revisions.ts'
import type { Completion } from '../contract/inspection.ts'
import { messageOf } from '../../protocol/error-message.ts'

/** The most values that an answer holds (specification: Completion). */
const MOST_VALUES = 100

export type CompletionQuestion = {
  readonly ref: JsonObject
  readonly argument: { readonly name: string; readonly value: string }
  /** The other arguments; left out where the revision knows no context. */
  readonly context: Readonly<Record<string, string>>
}

/** Asks a server for values of an argument (specification: Completion). Never throws for what the server does. */
export async function complete(
  connection: Connection,
  { ref, argument, context }: CompletionQuestion,
  signal?: AbortSignal,
): Promise<Completion> {
  const hasContext =
    revisionRow(connection.revision)?.completionContext === true && Object.keys(context).length > 0
  try {
    const { result } = await connection.request(
      'completion/complete',
      { ref, argument, ...(hasContext && { context: { arguments: context } }) },
      signal === undefined ? {} : { signal },
    )
    return read(result)
  } catch (error) {
    return { type: 'problem', message: messageOf(error) }
  }
}

function read({ completion }: JsonObject): Completion {
  if (!isJsonObject(completion) || !Array.isArray(completion['values']))
    return { type: 'problem', message: 'completion.values: expected a list, and the answer has none' }
  const { total, hasMore } = completion
  const values = (completion['values'] as unknown[]).filter((value) => typeof value === 'string')
  return {
    type: 'values',
    values: values.slice(0, MOST_VALUES),
    ...(typeof total === 'number' && { total }),
    ...(typeof hasMore === 'boolean' && { hasMore }),
  }
}
