import { capabilitiesOf, responderFor, type Responder, type Responders } from '../../client/responders.ts'
import type { CommandRespondersOptions } from './command-responders.ts'

/**
 * What a command declares, and answers: every kind of question, whoever is there, so that a server shows the same to a
 * pipe and to a terminal. What finds the answers is loaded with the first question.
 */
export function declaredResponders(options: CommandRespondersOptions): Responders {
  let loaded: Promise<Responders> | undefined
  const answer: Responder = async (params, context) => {
    loaded ??= import('./command-responders.ts').then((module) => module.commandResponders(options))
    const responders = await loaded
    return responderFor(responders, capabilitiesOf(responders), context.method, params)(params, context)
  }
  return { elicitation: { form: answer, url: answer }, sampling: { answer, tools: true }, roots: answer }
}
