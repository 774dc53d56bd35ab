import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { DEPRECATED_QUESTIONS } from './deprecated/table.ts'
import { ELICITATION } from './elicitation.ts'
import type { QuestionKind } from './question-kind.ts'

const KINDS: ReadonlyMap<string, QuestionKind> = new Map([
  ['elicitation/create', ELICITATION],
  ...DEPRECATED_QUESTIONS,
])

/** Returns the description of a method by which handlers ask. Throws a `ProtocolError` for an unknown one. */
export function questionKind(method: string): QuestionKind {
  const kind = KINDS.get(method)
  if (kind !== undefined) return kind
  const known = [...KINDS.keys()].join(', ')
  throw new ProtocolError(
    ErrorCode.internalError,
    `A handler asked by "${method}", by which no client can be asked; expected one of ${known}`,
  )
}

const CHANGE_NOTICES: ReadonlySet<string> = new Set(
  [...KINDS.values()].flatMap(({ changes }) => (changes === undefined ? [] : [changes.notice])),
)

/** Returns whether by that notification a client says that what is asked for changed. */
export function isChangeNotice(method: string): boolean {
  return CHANGE_NOTICES.has(method)
}
