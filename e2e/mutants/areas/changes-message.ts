import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { ChangeMessage, MessageContext } from '../mutant.ts'

/** Changes the results that answer one method. */
export function changeResult(
  method: string | readonly string[],
  change: (result: JsonObject, context: MessageContext & { readonly params: JsonObject }) => JsonObject,
): ChangeMessage {
  return (message, context) => {
    const { answers } = context
    const { result } = message
    const asked = answers?.['method']
    const fits = typeof method === 'string' ? asked === method : method.some((each) => each === asked)
    if (!fits || !isJsonObject(result)) return message
    return { ...message, result: change(result, { ...context, params: paramsOf(answers) }) }
  }
}

/** Changes the answers, errors too, to one method. */
export function changeAnswer(
  method: string,
  change: (message: JsonObject, context: MessageContext & { readonly params: JsonObject }) => unknown,
): ChangeMessage {
  return (message, context) =>
    context.answers?.['method'] === method
      ? change(message, { ...context, params: paramsOf(context.answers) })
      : message
}

/** Changes requests and notifications of one method. */
export function changeSent(
  method: string,
  change: (message: JsonObject, context: MessageContext) => unknown,
): ChangeMessage {
  return (message, context) => (message['method'] === method ? change(message, context) : message)
}

/** The parameters of a message. */
export function paramsOf(message: JsonObject | undefined): JsonObject {
  const params = message?.['params']
  return isJsonObject(params) ? params : {}
}

/** An error in place of an answer. */
export function errorFor(message: JsonObject, code: number, text: string): JsonObject {
  return { jsonrpc: '2.0', id: message['id'], error: { code, message: text } }
}
