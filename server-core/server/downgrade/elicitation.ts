import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { InputUnavailableError, type Question } from '../../registry/invocation.ts'
import { formParams } from './form.ts'

/**
 * The elicitation as it can be put to a client of the revision with these capabilities. Throws an
 * `InputUnavailableError` that names what the revision cannot ask; for a page to visit it carries the link, so that
 * whoever reads the error can open it.
 */
export function elicitationFor(
  row: RevisionRow,
  question: Question,
  clientCapabilities: JsonObject,
): Question {
  const { params } = question
  if (params['mode'] === 'url') {
    if (!canVisit(row, clientCapabilities)) throw linkInstead(row, params)
    return question
  }
  if (!row.elicitationModes.includes('form')) {
    throw new InputUnavailableError(
      `The client cannot be asked: ${row.revision} has no elicitation; it needs a client of 2025-06-18 or later`,
      { elicitation: { form: {} } },
    )
  }
  return { ...question, params: formParams(row, params) }
}

function canVisit(row: RevisionRow, { elicitation }: JsonObject): boolean {
  return row.elicitationModes.includes('url') && isJsonObject(elicitation) && isJsonObject(elicitation['url'])
}

function linkInstead(row: RevisionRow, { message, url }: JsonObject): InputUnavailableError {
  const reason = row.elicitationModes.includes('url')
    ? 'it does not declare "elicitation.url"'
    : `${row.revision} cannot ask to open a page`
  return new InputUnavailableError(
    `The client cannot be asked: ${reason}. ${String(message)} Open ${String(url)} and try again.`,
    { elicitation: { url: {} } },
  )
}
