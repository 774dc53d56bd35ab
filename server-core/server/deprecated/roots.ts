import { isJsonObject } from '../../protocol/json.ts'
import { InputUnavailableError } from '../../registry/invocation.ts'
import type { QuestionKind } from '../question-kind.ts'
import type { DeprecatedFeature } from './feature.ts'

const KIND: QuestionKind = {
  needs: () => ['roots', {}],
  written: (_row, question, { roots }) => {
    const tells = isJsonObject(roots) && roots['listChanged'] === true
    if (question.after === undefined || tells) return question
    throw new InputUnavailableError(
      'The client cannot be waited for: it does not declare "roots.listChanged"',
      { roots: { listChanged: true } },
    )
  },
  faultOf: (_params, answer) => (Array.isArray(answer['roots']) ? undefined : 'it needs the array "roots"'),
  sparse: true,
  changes: {
    notice: 'notifications/roots/list_changed',
    unheard: () =>
      new InputUnavailableError(
        'The client cannot be waited for: in this revision it does not tell changes of its roots',
        { roots: {} },
      ),
  },
}

/** Questions for what the user opened for the server (specification: Roots). */
export const ROOTS: DeprecatedFeature = {
  name: 'Roots',
  instead: 'take paths as arguments of tools, resource URIs or configuration',
  question: ['roots/list', KIND],
}
