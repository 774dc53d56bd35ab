import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { samplingFaults } from '../../protocol/sampling-rules.ts'
import { pathText } from '../../protocol/wire/fault.ts'
import { answerFaults } from './answer-check.ts'
import { withElicitationDefaults } from './elicitation-defaults.ts'
import { declares } from '../declaration.ts'
import { InvalidAnswerError } from '../errors.ts'
import { responderFor, type QuestionContext, type Responders } from '../responders.ts'
import { isUnchecked } from './unchecked-answer.ts'

export type Asked = Pick<QuestionContext, 'signal' | 'bytes' | 'key'>

/**
 * Finds the answers to what a server asks, in both eras: by the responders, with the defaults of a form filled in, and
 * checked against what was asked before they leave, unless they were marked to go as they are.
 */
export class Answering {
  readonly #responders: Responders
  readonly #capabilities: JsonObject
  readonly #revision: Revision

  /** @param capabilities what this client declared */
  constructor(responders: Responders, capabilities: JsonObject, revision: Revision) {
    this.#responders = responders
    this.#capabilities = capabilities
    this.#revision = revision
  }

  /** Whether a server may ask for a visit to a URL. */
  get offersUrls(): boolean {
    return declares(this.#capabilities, 'elicitation', 'url')
  }

  /**
   * Returns the bare result. Throws a `ProtocolError` for an undeclared method, a missing responder, a breach of the rules of
   * sampling, or was refused by its responder; an `InvalidAnswerError` for an answer that may not be sent; and whatever
   * else the responder throws.
   */
  async answer(method: string, params: JsonObject, asked: Asked): Promise<JsonObject> {
    const responder = responderFor(this.#responders, this.#capabilities, method, params)
    if (method === 'sampling/createMessage') refuseUnsound(params['messages'])
    const revision = this.#revision
    const given = await responder(params, { ...asked, method, revision })
    if (isUnchecked(given)) return given
    const answer = method === 'elicitation/create' ? withDefaults(params, given) : given
    const faults = answerFaults({ method, params, revision }, answer)
    if (faults.length > 0) throw new InvalidAnswerError(method, faults)
    return answer
  }
}

/** An accepted form with the defaults of what was asked for in place of what is missing. */
export function withDefaults(params: JsonObject, answer: JsonObject): JsonObject {
  const { action, content = {} } = answer
  if (action !== 'accept' || (params['mode'] ?? 'form') !== 'form' || !isJsonObject(content)) return answer
  return { ...answer, content: withElicitationDefaults(params['requestedSchema'], content) }
}

/** Messages with tool blocks that do not belong together are refused before anybody is asked. */
function refuseUnsound(messages: unknown): void {
  const [fault] = Array.isArray(messages) ? samplingFaults(messages) : []
  if (fault === undefined) return
  const where = pathText(['messages', ...fault.path])
  throw new ProtocolError(ErrorCode.invalidParams, `${where}: ${fault.message}`)
}
