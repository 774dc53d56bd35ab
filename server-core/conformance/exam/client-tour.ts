import type { JsonObject } from '../../protocol/json.ts'
import { MetaKey } from '../../protocol/meta-keys.ts'
import { answerQuestion } from '../probe/tour-answers.ts'
import { elapsed } from '../probe/waits.ts'
import type { ClientExam } from './client-exam.ts'
import type { Turn } from './dialogue.ts'
import type { Reply } from './reply.ts'

const FORM = {
  message: 'Your name?',
  requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
}
const SAMPLING = {
  messages: [{ role: 'user', content: { type: 'text', text: 'Hello' } }],
  maxTokens: 10,
}

/**
 * Leads a client through everything that it can be made to do: a tool that asks, progress, a cancelled call,
 * completion, subscriptions. Judges nothing; what the client wrote is for passive checks.
 */
export async function tourClient(exam: ClientExam): Promise<void> {
  const { content, isModern, cell } = exam
  content.capabilities = {
    tools: { listChanged: true },
    resources: { subscribe: true, listChanged: true },
    prompts: { listChanged: true },
    logging: {},
    ...(cell.revision > '2024-11-05' && { completions: {} }),
  }
  content.tools.push(tool('ask'), tool('wait'))
  exam.set({
    capabilities: ['sampling', 'elicitation', 'roots'],
    answers: { 'roots/list': () => answerQuestion('roots/list', {}) ?? {} },
  })
  exam.on('tools/call', async (turn) => {
    // So that calls made at once are open at once.
    await elapsed(50)
    if (turn.params['name'] === 'wait') return { silent: true }
    return turn.params['name'] === 'ask' ? ask(turn, isModern, cell.revision >= '2025-06-18') : turn.usual()
  })
  // A client waits for the acknowledgement.
  exam.on('subscriptions/listen', ({ request, params, send }) => {
    send({
      jsonrpc: '2.0',
      method: 'notifications/subscriptions/acknowledged',
      params: {
        notifications: params['notifications'],
        _meta: { [MetaKey.subscriptionId]: request['id'] },
      },
    })
    return { silent: true }
  })
  if ((await exam.client()).step !== undefined) await everyStep(exam)
  await exam.run()
}

async function everyStep(exam: ClientExam): Promise<void> {
  const ref = { type: 'ref/prompt', name: 'greeting' }
  const uri = 'exam://text'
  await exam.step({ type: 'connect' })
  for (const list of ['tools', 'resources', 'templates', 'prompts'] as const) {
    await exam.step({ type: 'list', list })
  }
  await exam.step({ type: 'read', uri })
  await exam.step({ type: 'get', prompt: 'greeting' })
  await exam.step({ type: 'complete', params: { ref, argument: { name: 'style', value: '' } } })
  const progress = { type: 'call', tool: 'echo', arguments: { text: 'é\u2028😀' }, progress: true } as const
  await exam.step({ type: 'parallel', steps: [progress, { ...progress, arguments: { text: 'b' } }] })
  await exam.step({ type: 'call', tool: 'ask' })
  await exam.step({ type: 'call', tool: 'none' })
  await exam.step({ type: 'call', tool: 'wait', cancelAfterMs: 50 })
  if (exam.isModern) {
    await exam.step({ type: 'listen', filter: { toolsListChanged: true } })
  } else {
    await exam.step({ type: 'ping' })
    await exam.step({ type: 'set-log-level', level: 'info' })
    await exam.step({ type: 'subscribe', uri })
    await exam.step({ type: 'unsubscribe', uri })
    await exam.step({ type: 'change-roots' })
    await exam.connections.at(-1)?.request('patchbay/none')
  }
  await exam.step({ type: 'close' })
}

/** Asks the client for whatever it declared; in 2026-07-28 by a round of its own. */
async function ask(turn: Turn, isModern: boolean, elicits: boolean): Promise<Reply> {
  const questions: readonly (readonly [string, JsonObject])[] = [
    ['sampling/createMessage', SAMPLING],
    ['roots/list', {}],
    ...(elicits ? [['elicitation/create', FORM] as const] : []),
  ]
  if (isModern) {
    if (turn.params['inputResponses'] !== undefined) return turn.usual()
    const inputRequests = Object.fromEntries(
      questions.map(([method, params], index) => [`q${index}`, { method, params }]),
    )
    const usual = turn.usual()
    const meta = 'result' in usual ? usual.result['_meta'] : undefined
    return { result: { resultType: 'input_required', inputRequests, requestState: 's', _meta: meta } }
  }
  for (const [method, params] of questions) await turn.ask(method, params)
  return turn.usual()
}

function tool(name: string): JsonObject {
  return { name, inputSchema: { type: 'object' } }
}
