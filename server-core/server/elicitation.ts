import { isJsonObject } from '../protocol/json.ts'
import { elicitationFor } from './downgrade/elicitation.ts'
import type { QuestionKind } from './question-kind.ts'

/** Questions to the user (specification: Elicitation), by a form or by a page to visit. */
export const ELICITATION: QuestionKind = {
  needs: (params) => ['elicitation', params['mode'] === 'url' ? { url: {} } : { form: {} }],
  written: elicitationFor,
  check: async (params, validators) => {
    const schema = params['requestedSchema']
    if (isJsonObject(schema)) await validators.check(schema, 'the form')
  },
  faultOf: async (params, answer, validators) => {
    const action = answer['action']
    if (action === 'decline' || action === 'cancel') return undefined
    if (action !== 'accept') return '"action" must be "accept", "decline" or "cancel"'
    if (params['mode'] === 'url') return undefined
    const content = answer['content'] ?? {}
    const schema = params['requestedSchema']
    if (!isJsonObject(schema)) return isJsonObject(content) ? undefined : '"content" must be an object'
    const check = await validators.check(schema, 'the form')
    const problem = await check(content)
    return problem && `its content does not fit the form: ${problem}`
  },
}
