import { useMemo } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { api } from '../host/api.ts'
import type { Observable } from '../state/observable.ts'
import { argumentsText } from './form/arguments-state.ts'
import type { Complete } from './form/form-context.ts'
import type { Work } from './work-store.ts'

/** What arguments belong to (specification: Completion). */
export type CompletionRef =
  | { readonly type: 'ref/prompt'; readonly name: string }
  | { readonly type: 'ref/resource'; readonly uri: string }

/** Asks the server for values of the arguments of a tab, with regard to the other ones; only where it offers that. */
export function useCompletions(
  work: Observable<Work>,
  server: ServerState | undefined,
  ref: CompletionRef | undefined,
): Complete | undefined {
  const serverId = server?.id
  const isOffered = server?.status === 'connected' && isJsonObject(server.capabilities?.['completions'])
  return useMemo(() => {
    if (!isOffered || ref === undefined || serverId === undefined) return undefined
    return (argument, value, signal) => {
      const context = filledIn(work.get(), argument)
      return api.inspection.complete(
        { serverId, ref, argument: { name: argument, value }, context },
        { signal },
      )
    }
  }, [work, isOffered, ref, serverId])
}

/** The other arguments that are texts and not empty. */
function filledIn({ spec, arguments: typed }: Work, argument: string): Record<string, string> {
  let values: JsonObject
  try {
    const value: unknown = JSON.parse(argumentsText(spec, typed))
    values = isJsonObject(value) ? value : {}
  } catch (error) {
    // JSON that is not finished tells nothing yet.
    if (error instanceof SyntaxError) return {}
    throw error
  }
  return Object.fromEntries(
    Object.entries(values).filter(
      (entry): entry is [string, string] =>
        entry[0] !== argument && typeof entry[1] === 'string' && entry[1] !== '',
    ),
  )
}
