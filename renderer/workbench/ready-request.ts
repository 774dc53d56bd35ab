import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { showToast } from '../controls/toast.tsx'
import { argumentsText } from './form/arguments-state.ts'
import { firstUnfinished } from './form/unfinished.ts'
import type { Request } from './use-call.ts'
import type { Work } from './work-store.ts'
import { workbenchText } from './text.ts'

/** A request that can be sent, and the arguments that it was made of. */
type Readied = { readonly request: Request; readonly argumentsText: string }

/**
 * The request for what was typed. `undefined` if there is none yet: the user sees the reason, and `onUnfinished` gets the
 * field that is not finished.
 */
export function readyRequest(
  { spec, arguments: typed }: Work,
  requestOf: (argumentsText: string) => Parsed<Request>,
  onUnfinished?: (pointer: string) => void,
): Readied | undefined {
  const unfinished = firstUnfinished(spec, typed.draft)
  if (unfinished !== undefined) {
    showToast({
      title: workbenchText.readyRequest.unfinishedField(unfinished.name),
      tone: 'warn',
    })
    onUnfinished?.(unfinished.pointer)
    return undefined
  }
  const text = argumentsText(spec, typed)
  const request = requestOf(text)
  if (!request.ok) {
    showToast({ title: workbenchText.readyRequest.nothingWasSent(request.reason), tone: 'warn' })
    return undefined
  }
  return {
    request: { ...request.value, paramsText: asOneLine(request.value.paramsText) },
    argumentsText: text,
  }
}

/** The same JSON without line breaks; every number stays as it was typed. */
function asOneLine(text: string): string {
  return stringifyExact(parseExact(text, 'text'))
}
