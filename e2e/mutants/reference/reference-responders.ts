import { capabilitiesOf, type Responder, type Responders } from '../../../server-core/client/responders.ts'
import type { ConnectOptions } from '../../../server-core/client/connect.ts'
import { Refusal, type DriverSettings } from '../../../server-core/conformance/exam/client-driver.ts'
import { ErrorCode, ProtocolError } from '../../../server-core/protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'

const SAMPLED = { role: 'assistant', content: { type: 'text', text: 'Hello' }, model: 'none' }

/** Answers questions as the exam says; pages with other addresses than http are not opened. */
export function respondersOf({ capabilities = [], answers = {} }: DriverSettings): Responders {
  const answer = (method: string, usual: JsonObject) => async (params: JsonObject) => {
    try {
      return (await answers[method]?.(params)) ?? usual
    } catch (error) {
      if (error instanceof Refusal) throw new ProtocolError(error.code, error.message)
      throw error
    }
  }
  const form = answer('elicitation/create', { action: 'decline' })
  const url: Responder = (params) =>
    /^https?:/.test(String(params['url'])) ? form(params) : Promise.resolve({ action: 'decline' })
  const model = answer('sampling/createMessage', SAMPLED)
  const sample: Responder = (params) => {
    requireMessages(params['messages'])
    return model(params)
  }
  return {
    ...(capabilities.some((each) => each.startsWith('elicitation')) && {
      elicitation: { form, ...(capabilities.includes('elicitation.url') && { url }) },
    }),
    ...(capabilities.some((each) => each.startsWith('sampling')) && {
      sampling: { answer: sample, tools: capabilities.includes('sampling.tools') },
    }),
    ...(capabilities.includes('roots') && { roots: answer('roots/list', { roots: [] }) }),
  }
}

/** Refuses messages of unknown roles, and media without data. */
function requireMessages(messages: unknown): void {
  for (const message of Array.isArray(messages) ? (messages as unknown[]) : []) {
    const { role, content } = isJsonObject(message) ? message : {}
    const blocks: unknown[] = Array.isArray(content) ? content : [content]
    const isMedium = (block: unknown) =>
      isJsonObject(block) && ['image', 'audio'].includes(String(block['type']))
    const isEmpty = blocks.some(
      (block) => isMedium(block) && isJsonObject(block) && typeof block['data'] !== 'string',
    )
    if ((role !== 'user' && role !== 'assistant') || isEmpty)
      throw new ProtocolError(ErrorCode.invalidParams, 'The messages break the schema')
  }
}

/** Declares, in the revisions with sessions, that changes of roots are announced. */
export function withRootChanges(options: ConnectOptions): ConnectOptions {
  const { responders, identity, protocol } = options
  if (responders?.roots === undefined || options.declaration !== undefined || protocol === '2026-07-28')
    return options
  const capabilities = { ...capabilitiesOf(responders), roots: { listChanged: true } }
  return { ...options, declaration: { identity, capabilities } }
}
