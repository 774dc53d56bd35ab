import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import type { JsonObject } from '../protocol/json.ts'
import type { Revision } from '../protocol/revisions.ts'
import { declares } from './declaration.ts'

/** What a responder may look at while it finds an answer. */
export type QuestionContext = {
  /** Aborted when the server takes the question back or the connection ends. */
  readonly signal: AbortSignal
  readonly method: string
  readonly revision: Revision
  /** The bytes of the message that asks, as the tap saw them. */
  readonly bytes: Uint8Array
  /** Its name among the questions of one answer (2026-07-28); missing where the question is a request of its own. */
  readonly key?: string
}

/**
 * Answers one kind of question of the server with the bare result. It may throw a `ProtocolError`, which is sent as
 * it is (a person's no to sampling is code -1); any other error becomes an internal error without its text.
 */
export type Responder = (params: JsonObject, context: QuestionContext) => Promise<JsonObject>

/**
 * What this client answers. Each member given is declared as a capability, and nothing else is, unless the connection
 * has a declaration of its own (client features: elicitation, sampling, roots).
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
 * Finds the responder to a question, by the declaration. Throws a `ProtocolError`: unknown method if undeclared,
 * invalid parameters for an elicitation mode or for tools that are not (client features: elicitation and sampling, error
 * handling), an internal error for what is declared and has no responder.
 */
export function responderFor(
  responders: Responders,
  capabilities: JsonObject,
  method: string,
  params: JsonObject,
): Responder {
  switch (method) {
    case 'elicitation/create':
      if (!declares(capabilities, 'elicitation')) break
      return elicitationResponder(responders, capabilities, params['mode'] ?? 'form')
    case 'sampling/createMessage': {
      if (!declares(capabilities, 'sampling')) break
      const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined
      if (wantsTools && !declares(capabilities, 'sampling', 'tools'))
        throw new ProtocolError(ErrorCode.invalidParams, 'this client does not answer sampling with tools')
      return responders.sampling?.answer ?? nobody('sampling')
    }
    case 'roots/list':
      if (!declares(capabilities, 'roots')) break
      return responders.roots ?? nobody('roots')
  }
  throw new ProtocolError(ErrorCode.methodNotFound, `this client does not answer ${method}`)
}

/** A form needs no declaration of its own where no mode is declared. */
function elicitationResponder(responders: Responders, capabilities: JsonObject, mode: unknown): Responder {
  const offersUrl = declares(capabilities, 'elicitation', 'url')
  const offersForm = declares(capabilities, 'elicitation', 'form') || !offersUrl
  const { elicitation } = responders
  if (mode === 'form' && offersForm) return elicitation?.form ?? nobody('elicitation by form')
  if (mode === 'url' && offersUrl) return elicitation?.url ?? nobody('elicitation by URL')
  throw new ProtocolError(
    ErrorCode.invalidParams,
    `this client does not answer elicitation in mode ${JSON.stringify(mode)}`,
  )
}

function nobody(what: string): never {
  throw new ProtocolError(
    ErrorCode.internalError,
    `this client declares ${what}, but no responder is set for it`,
  )
}

/** The `error` member for whatever a responder threw. */
export function errorBodyOf(error: unknown): { code: number; message: string; data?: unknown } {
  if (error instanceof ProtocolError) return error.toBody()
  return { code: ErrorCode.internalError, message: 'the client could not answer' }
}
