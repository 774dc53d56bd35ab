import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { RevisionRow } from '../../protocol/revisions.ts'
import { InputUnavailableError, type Question } from '../../registry/invocation.ts'
import { formParams } from './form.ts'
import { samplingParams } from './sampling.ts'

/**
 * The question as it can be put to a client of the revision with these capabilities. Throws an
 * `InputUnavailableError` that names what the revision cannot ask; for a page to visit it carries the link, so that
 * whoever reads the error can open it.
 */
export function questionFor(row: RevisionRow, question: Question, clientCapabilities: JsonObject): Question {
  const { method, params } = question
  switch (method) {
    case 'roots/list':
      if (question.after !== undefined) requireNotices(clientCapabilities)
      return question
    case 'sampling/createMessage':
      refuseTools(row, params)
      return { ...question, params: samplingParams(row, params, clientCapabilities) }
    case 'elicitation/create': {
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
  }
}

function requireNotices({ roots }: JsonObject): void {
  if (isJsonObject(roots) && roots['listChanged'] === true) return
  throw new InputUnavailableError(
    'The client cannot be waited for: it does not declare "roots.listChanged"',
    { roots: { listChanged: true } },
  )
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

function refuseTools(row: RevisionRow, { tools, toolChoice }: JsonObject): void {
  if ((tools ?? toolChoice) === undefined || row.clientCapabilities.includes('sampling.tools')) return
  throw new InputUnavailableError(
    `The client cannot be asked: sampling of ${row.revision} knows no tools; it needs a client of 2025-11-25 or later`,
    { sampling: { tools: {} } },
  )
}
