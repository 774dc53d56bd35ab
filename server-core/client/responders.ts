import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'

/** What a responder may look at while it finds an answer. */
export type QuestionContext = {
  /** Aborted when the server takes the question back or the connection ends. */
  readonly signal: AbortSignal
}

/**
 * Answers one kind of question of the server with the bare result. It may throw a `ProtocolError`, which is sent as
 * it is (a person's no to sampling is code -1); any other error becomes an internal error without its text.
 */
export type Responder = (params: JsonObject, context: QuestionContext) => Promise<JsonObject>

/**
 * What this client answers. Each member given is declared as a capability, and nothing else is (client features:
 * elicitation, sampling, roots).
 */
export type Responders = {
  readonly elicitation?: { readonly form?: Responder; readonly url?: Responder }
  readonly sampling?: { readonly answer: Responder; readonly tools?: boolean; readonly context?: boolean }
  readonly roots?: Responder
}

/** The client capabilities that the responders amount to. */
export function capabilitiesOf(responders: Responders): JsonObject {
  const { elicitation, sampling, roots } = responders
  const modes = {
    ...(elicitation?.form === undefined ? {} : { form: {} }),
    ...(elicitation?.url === undefined ? {} : { url: {} }),
  }
  return {
    ...(Object.keys(modes).length === 0 ? {} : { elicitation: modes }),
    ...(sampling === undefined
      ? {}
      : {
          sampling: {
            ...(sampling.tools === true ? { tools: {} } : {}),
            ...(sampling.context === true ? { context: {} } : {}),
          },
        }),
    ...(roots === undefined ? {} : { roots: {} }),
  }
}

/**
 * Finds who answers a question. Throws a `ProtocolError`: unknown method for what is not declared, invalid
 * parameters for an elicitation mode that is not (client features: elicitation, error handling).
 */
export function responderFor(responders: Responders, method: string, params: JsonObject): Responder {
  const found = lookUp(responders, method, params)
  if (found === undefined)
    throw new ProtocolError(ErrorCode.methodNotFound, `this client does not answer ${method}`)
  return found
}

function lookUp(responders: Responders, method: string, params: JsonObject): Responder | undefined {
  switch (method) {
    case 'elicitation/create': {
      const { elicitation } = responders
      if (elicitation?.form === undefined && elicitation?.url === undefined) return undefined
      const mode = params['mode'] ?? 'form'
      const responder = mode === 'form' ? elicitation.form : mode === 'url' ? elicitation.url : undefined
      if (responder !== undefined) return responder
      throw new ProtocolError(
        ErrorCode.invalidParams,
        `this client does not answer elicitation in mode ${JSON.stringify(mode)}`,
      )
    }
    case 'sampling/createMessage': {
      const { sampling } = responders
      if (sampling === undefined) return undefined
      if (sampling.tools !== true && (params['tools'] !== undefined || params['toolChoice'] !== undefined)) {
        throw new ProtocolError(ErrorCode.invalidParams, 'this client does not answer sampling with tools')
      }
      return sampling.answer
    }
    case 'roots/list':
      return responders.roots
    default:
      return undefined
  }
}

/** The `error` member for whatever a responder threw. */
export function errorBodyOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof ProtocolError) return error.toBody()
  return { code: ErrorCode.internalError, message: 'the client could not answer' }
}
