import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswerTo, changeDeclared, declaredIn, isRetry } from './asked-questions.ts'
import { changeAnswer, changeResult, changeSent, errorFor, paramsOf } from './changes-message.ts'

const FORM = { mode: 'form', message: 'Your name?', requestedSchema: { type: 'object', properties: {} } }

const hasAll = (capabilities: JsonObject) =>
  ['roots', 'sampling', 'elicitation'].every((name) => name in capabilities)

/** A state that anybody can read and change. */
const plainState = (state: unknown) =>
  Buffer.from(JSON.stringify({ note: 'x'.repeat(300), state, end: 'x'.repeat(60) })).toString('base64')

function readPlain(text: unknown): unknown {
  const decoded = Buffer.from(String(text), 'base64').toString()
  return /"state":"([^"]*)"/.exec(decoded)?.[1]
}

/** The mutants of the area `mrtr`. */
export const MRTR_PROOF: AreaProof = {
  mutants: [
    {
      id: 'm.mrtr.server.methods',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/list', (result, { answers }) =>
          hasAll(declaredIn(answers))
            ? {
                resultType: 'input_required',
                inputRequests: { name: { method: 'elicitation/create', params: FORM } },
              }
            : result,
        ),
      },
    },
    {
      id: 'm.mrtr.server.shape',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result, { answers, params }) => {
          const { inputRequests: _, requestState: __, ...rest } = result
          const isSeen = hasAll(declaredIn(answers)) && !String(params['name']).includes('state')
          return isSeen && result['resultType'] === 'input_required' ? rest : result
        }),
      },
    },
    {
      id: 'm.mrtr.server.capabilities',
      side: 'server',
      fault: {
        outgoing: changeAnswer('tools/call', (message, { answers }) => {
          const declared = declaredIn(answers)
          const isRefused = isJsonObject(message['error']) && message['error']['code'] === -32021
          if (!isRefused || !('sampling' in declared) || 'elicitation' in declared) return message
          const inputRequests = { name: { method: 'elicitation/create', params: FORM } }
          const result = { resultType: 'input_required', inputRequests }
          return { jsonrpc: '2.0', id: message['id'], result }
        }),
      },
    },
    {
      id: 'm.mrtr.server.round',
      side: 'server',
      fault: {
        incoming: changeAnswerTo('elicitation/create', (answer) => {
          const { content } = answer
          const isWrong = isJsonObject(content) && isJsonObject(content['name'])
          return isWrong ? { ...answer, content: { name: 'anybody' } } : answer
        }),
      },
    },
    {
      id: 'm.mrtr.server.abandoned',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        incoming: changeSent('tools/call', (message, { connection }) => {
          const open = Number(connection.get('open') ?? 0)
          connection.set('open', isRetry(message) ? open - 1 : open + 1)
          return open > 100 ? undefined : message
        }),
      },
      alsoBreaks: { 'tools.server.rate-limit': 'every call counts as a demand' },
    },
    {
      id: 'm.mrtr.server.tamper',
      side: 'server',
      fault: {
        outgoing: changeResult('tools/call', (result) =>
          typeof result['requestState'] === 'string'
            ? { ...result, requestState: plainState(result['requestState']) }
            : result,
        ),
        incoming: changeSent('tools/call', (message) => {
          const params = paramsOf(message)
          return params['requestState'] === undefined
            ? message
            : { ...message, params: { ...params, requestState: readPlain(params['requestState']) ?? '' } }
        }),
      },
    },
    {
      id: 'm.mrtr.server.replay',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message) => {
          const params = paramsOf(message)
          const args = params['arguments']
          if (!isRetry(message) || !isJsonObject(args) || !('patchbay_other' in args)) return message
          const { patchbay_other: _, ...rest } = args
          return { ...message, params: { ...params, arguments: rest } }
        }),
      },
    },
    {
      id: 'm.mrtr.server.other-process',
      side: 'server',
      transports: ['stdio', 'websocket'],
      fault: {
        outgoing: changeResult('tools/call', (result, { connection }) => {
          if (typeof result['requestState'] === 'string') connection.set(result['requestState'], true)
          return result
        }),
        incoming: changeSent('tools/call', (message, { connection }) => {
          const { requestState } = paramsOf(message)
          const isForeign =
            typeof requestState === 'string' && requestState.length > 60 && !connection.has(requestState)
          return isForeign ? undefined : message
        }),
      },
      alsoBreaks: {
        'mrtr.server.tamper': 'A changed state is foreign to the connection, too: no answer comes.',
      },
    },
    {
      id: 'm.mrtr.client.round',
      side: 'client',
      fault: {
        outgoing: (message) => {
          const params = paramsOf(message)
          const { requestState } = params
          return typeof requestState === 'string'
            ? { ...message, params: { ...params, requestState: requestState.trim() } }
            : message
        },
      },
    },
    {
      id: 'm.mrtr.client.no-state',
      side: 'client',
      fault: {
        incoming: changeResult('tools/call', (result, { connection }) => {
          const { requestState } = result
          if (requestState !== undefined) connection.set('state', requestState)
          return result
        }),
        outgoing: changeSent('tools/call', (message, { connection }) => {
          const params = paramsOf(message)
          const kept = connection.get('state')
          return isRetry(message) && kept !== undefined
            ? { ...message, params: { ...params, requestState: params['requestState'] ?? kept } }
            : message
        }),
      },
    },
    {
      id: 'm.mrtr.client.repeat',
      side: 'client',
      fault: {
        incoming: changeAnswer('tools/call', (message, { answers }) => {
          const { result } = message
          const isAgain = answers !== undefined && isRetry(answers)
          return isAgain && isJsonObject(result) && result['resultType'] === 'input_required'
            ? errorFor(message, -32603, 'Only one round is supported')
            : message
        }),
      },
      alsoBreaks: { 'mrtr.client.no-state': 'its second round does not come' },
    },
    {
      id: 'm.mrtr.client.isolation',
      side: 'client',
      fault: {
        incoming: changeResult('tools/call', (result, { connection }) => {
          if (result['requestState'] === 'of the one call') connection.set('state', result['requestState'])
          return result
        }),
        outgoing: changeSent('tools/call', (message, { connection }) => {
          const state = connection.get('state')
          const params = paramsOf(message)
          return state === undefined ? message : { ...message, params: { requestState: state, ...params } }
        }),
      },
    },
    {
      id: 'm.mrtr.client.undeclared',
      side: 'client',
      fault: {
        connect: (options) => ({
          ...options,
          responders: {
            ...options.responders,
            elicitation: options.responders?.elicitation ?? {
              form: () => Promise.resolve({ action: 'accept', content: {} }),
            },
          },
        }),
        outgoing: changeDeclared(({ elicitation: _, ...rest }) => rest),
      },
      alsoBreaks: {
        'elicitation.client.mode-absent': 'the check declares forms and finds none declared',
      },
    },
  ],
}
