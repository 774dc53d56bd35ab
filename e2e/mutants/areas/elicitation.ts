import { uncheckedAnswer } from '../../../server-core/client/answers/unchecked-answer.ts'
import { ProtocolError } from '../../../server-core/protocol/errors.ts'
import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { Messages } from '../mutant.ts'
import { changeAnswerTo, changeDeclared, changeQuestion, declaredIn } from './asked-questions.ts'
import { changeAnswer, changeSent, paramsOf } from './changes-message.ts'
import { sessionIsToken } from './session-faults.ts'

const METHOD = 'elicitation/create'
const COMPLETE = 'notifications/elicitation/complete'

/** Changes the fields of a form. */
const changeFields = (change: (properties: JsonObject) => JsonObject) =>
  changeQuestion(METHOD, (params) => {
    const { requestedSchema } = params
    if (!isJsonObject(requestedSchema) || !isJsonObject(requestedSchema['properties'])) return params
    return {
      ...params,
      requestedSchema: { ...requestedSchema, properties: change(requestedSchema['properties']) },
    }
  })

/** What the tool of the official suite asks for. */
const RIGHT = { username: 'example', email: 'example' }

/** The mutants of the area `elicitation`. */
export const ELICITATION_PROOF: AreaProof = {
  fixtures: addUrlTools,
  mutants: [
    {
      id: 'm.elicitation.server.user-bound',
      side: 'server',
      revisions: ['2025-11-25'],
      fault: { http: sessionIsToken },
    },
    {
      id: 'm.elicitation.client.capability',
      side: 'client',
      revisions: ['2025-11-25', '2026-07-28'],
      fault: {
        connect: (options) => {
          const { elicitation, ...others } = options.responders ?? {}
          const { form } = elicitation ?? {}
          return { ...options, responders: { ...others, ...(form && { elicitation: { form, url: form } }) } }
        },
        outgoing: changeDeclared((declared) => {
          const { elicitation } = declared
          return isJsonObject(elicitation) ? { ...declared, elicitation: { form: {} } } : declared
        }),
      },
      alsoBreaks: { 'elicitation.client.url-canary': 'unsafe pages are opened as if they were forms' },
    },
    {
      id: 'm.elicitation.client.mode-absent',
      side: 'client',
      fault: {
        incoming: changeQuestion(METHOD, (params) => ({ ...params, mode: params['mode'] ?? 'none' })),
      },
    },
    {
      id: 'm.elicitation.client.defaults',
      side: 'client',
      fault: {
        outgoing: changeAnswerTo(METHOD, (answer) => {
          const { content } = answer
          if (!isJsonObject(content) || !('empty' in content)) return answer
          return {
            ...answer,
            content: Object.fromEntries(Object.entries(content).filter(([, value]) => value)),
          }
        }),
      },
    },
    {
      id: 'm.elicitation.client.validates',
      side: 'client',
      fault: {
        connect: (options) => {
          const { elicitation, ...others } = options.responders ?? {}
          const { form, url } = elicitation ?? {}
          if (form === undefined) return options
          const unchecked: typeof form = async (params, context) =>
            uncheckedAnswer(await form(params, context))
          return {
            ...options,
            responders: { ...others, elicitation: { form: unchecked, ...(url && { url }) } },
          }
        },
      },
      alsoBreaks: {
        'elicitation.client.defaults': 'An unchecked answer is not completed with defaults either.',
      },
    },
    {
      id: 'm.elicitation.client.actions',
      side: 'client',
      fault: {
        outgoing: changeAnswerTo(METHOD, (answer) =>
          answer['action'] === 'decline' ? { ...answer, action: 'cancel' } : answer,
        ),
      },
    },
    {
      id: 'm.elicitation.client.complete',
      side: 'client',
      fault: {
        incoming: changeSent(COMPLETE, (message, { connection }) => {
          if (paramsOf(message)['elicitationId'] === 'never-heard-of') connection.set('dead', true)
          return message
        }),
        outgoing: (message, { connection }) => (connection.has('dead') ? undefined : message),
      },
    },
    {
      id: 'm.elicitation.client.url-canary',
      side: 'client',
      fault: {
        incoming: changeQuestion(METHOD, (params) => {
          const { url } = params
          if (typeof url === 'string' && url.startsWith('http://127.0.0.1'))
            void fetch(url).catch(() => undefined)
          return params
        }),
      },
    },
    {
      id: 'm.elicitation.server.capability-gate',
      side: 'server',
      fault: {
        outgoing: changeAnswer('tools/call', (message, { answers, params }) => {
          const { elicitation } = declaredIn(answers)
          const isRefused = isJsonObject(message['error']) && message['error']['code'] === -32021
          const isBare = isJsonObject(elicitation) && Object.keys(elicitation).length === 0
          if (!isRefused || !isBare || params['name'] !== 'test_url_elicitation') return message
          const page = { mode: 'url', message: 'Please sign in', url: 'https://example.com/sign-in' }
          const inputRequests = { page: { method: METHOD, params: page } }
          return {
            jsonrpc: '2.0',
            id: message['id'],
            result: { resultType: 'input_required', inputRequests },
          }
        }),
      },
    },
    {
      id: 'm.elicitation.server.schema',
      side: 'server',
      fault: {
        outgoing: changeFields((properties) => ({
          ...properties,
          nested: { type: 'object', properties: { deep: { type: 'string' } } },
        })),
      },
    },
    {
      id: 'm.elicitation.server.validates',
      side: 'server',
      fault: {
        incoming: changeAnswerTo(METHOD, (answer) =>
          answer['action'] === 'accept' && isJsonObject(answer['content'])
            ? { ...answer, content: { ...RIGHT, name: 'anybody', ok: true } }
            : answer,
        ),
      },
    },
    {
      id: 'm.elicitation.server.decline',
      side: 'server',
      fault: {
        incoming: changeAnswerTo(METHOD, (answer) =>
          answer['action'] === 'decline' ? { action: 'accept', content: RIGHT } : answer,
        ),
      },
    },
    {
      id: 'm.elicitation.server.secrets',
      side: 'server',
      fault: {
        outgoing: changeFields((properties) => ({ ...properties, api_key: { type: 'string' } })),
      },
    },
    {
      id: 'm.elicitation.server.url',
      side: 'server',
      fault: {
        outgoing: changeQuestion(METHOD, (params) =>
          typeof params['url'] === 'string'
            ? { ...params, url: `${params['url']}?user=someone@example.com` }
            : params,
        ),
      },
    },
    {
      id: 'm.elicitation.server.url-error',
      side: 'server',
      fault: {
        outgoing: (message) => {
          const { error } = message
          if (!isJsonObject(error) || error['code'] !== -32042 || !isJsonObject(error['data'])) return message
          const list: unknown[] = Array.isArray(error['data']['elicitations'])
            ? error['data']['elicitations']
            : []
          const elicitations = list.filter(isJsonObject).map(({ elicitationId: _, ...rest }) => rest)
          return { ...message, error: { ...error, data: { ...error['data'], elicitations } } }
        },
      },
    },
    {
      id: 'm.elicitation.server.complete',
      side: 'server',
      // A body of JSON has no room for a notification before the answer.
      transports: ['stdio', 'websocket'],
      fault: {
        outgoing: (message, { connection, peer }) => {
          if (message['method'] === COMPLETE) {
            connection.set('told', true)
            peer.set('notice', message)
            return message
          }
          const notice = peer.get('notice')
          if (notice === undefined || connection.has('told') || 'method' in message) return message
          connection.set('told', true)
          return new Messages(notice, message)
        },
      },
      alsoBreaks: { 'elicitation.server.url': 'Pages of other clients receive the notification, too.' },
    },
  ],
}

/** A tool that needs a page to be opened first, and one that reports when it was. */
function addUrlTools(registry: Registry): void {
  registry.addTool({
    name: 'test_url_required',
    description: 'Needs a page to be opened first.',
    run: (_args, ctx) => {
      const { elicitation } = ctx.clientCapabilities
      const hasUrl = isJsonObject(elicitation) && elicitation['url'] !== undefined
      if (ctx.revision !== '2025-11-25' || !hasUrl) return 'not needed'
      const page = {
        mode: 'url',
        elicitationId: 'reference-page',
        url: 'https://example.com/sign-in',
        message: 'Please sign in',
      }
      throw new ProtocolError(-32042, 'A page must be opened first', { elicitations: [page] })
    },
  })
  registry.addTool({
    name: 'test_url_completion',
    description: 'Asks the user to open a page, and says when that is done.',
    run: async (_args, ctx) => {
      await ctx.elicitUrl('Please sign in', 'https://example.com/sign-in', { key: 'page' })
      ctx.urlCompleted('page')
      return 'completed'
    },
  })
}
