import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { Turn } from '../../exam/dialogue.ts'
import { isResponse } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'

/** A request that a server of 2026-07-28 must not send. */
export const ILLEGAL_REQUEST = {
  jsonrpc: '2.0',
  id: 'patchbay-illegal',
  method: 'elicitation/create',
  params: { mode: 'form', message: 'Who are you?', requestedSchema: { type: 'object', properties: {} } },
} as const

/** Sends an illegal request before the answer of tools/list, and judges what the client says to it. */
export async function provokeResponse(exam: ClientExam, statement: string): Promise<void> {
  exam.set({ capabilities: ['elicitation'] })
  exam.on('tools/list', (turn) => {
    turn.send(ILLEGAL_REQUEST)
    return turn.usual()
  })
  await exam.run()
  if (exam.messagesOf('tools/list').length === 0) exam.inconclusive('the client never asked for tools')
  const answer = exam.received.find(({ message }) => isResponse(message))
  exam.expect(answer === undefined, {
    expected: 'no response of the client',
    actual: shortJson(answer?.message),
    statement,
    frame: answer?.frame,
  })
}

export const noResponses = clientCheck(
  'stdio.client.modern-no-responses',
  (exam) => provokeResponse(exam, 'stdio.client-no-responses'),
  { title: 'A modern client writes no responses' },
)

export const noRequests = passiveCheck(
  'stdio.server.modern-no-requests',
  (transcript) => {
    const statement = { stdio: 'stdio.server-no-requests', http: 'http26.sse.no-requests', sse: '' }
    for (const { message, frame, pointer } of transcript.examined()) {
      if (!('id' in message) || !('method' in message)) continue
      const { transport } = transcript.cell
      transcript.fail({
        expected: 'no request of the server',
        actual: shortJson(message),
        statement: transport === 'websocket' ? 'ws.modern-no-server-requests' : statement[transport],
        member: `${pointer}/method`,
        frame,
      })
    }
  },
  { title: 'A modern server sends no requests' },
)

function subscriptionOf({ request }: Turn): JsonObject {
  return { [MetaKey.subscriptionId]: request['id'] }
}

/** The acknowledgement of a listen. */
function acknowledgement(turn: Turn): JsonObject {
  const params = isJsonObject(turn.params['notifications']) ? turn.params['notifications'] : {}
  return {
    jsonrpc: '2.0',
    method: 'notifications/subscriptions/acknowledged',
    params: { notifications: params, _meta: subscriptionOf(turn) },
  }
}

function noticesIn(value: unknown): readonly string[] {
  const notices =
    isJsonObject(value) && Array.isArray(value['notices']) ? (value['notices'] as unknown[]) : []
  return notices.flatMap((each) => (isJsonObject(each) ? [String(each['method'])] : []))
}

export const demultiplex = clientCheck(
  'stdio.client.demultiplex',
  async (exam) => {
    exam.content.capabilities = {
      tools: { listChanged: true },
      prompts: { listChanged: true },
      resources: {},
    }
    const turns: Turn[] = []
    const both = Promise.withResolvers<boolean>()
    exam.on('subscriptions/listen', (turn) => {
      turns.push(turn)
      if (turns.length === 2) both.resolve(true)
      return { silent: true }
    })
    await exam.connect()
    const opened = exam.step({
      type: 'parallel',
      steps: [
        { type: 'listen', filter: { toolsListChanged: true } },
        { type: 'listen', filter: { promptsListChanged: true } },
      ],
    })
    const late = new Promise<boolean>((resolve) => setTimeout(resolve, exam.waits.answerMs * 2, false))
    if (!(await Promise.race([both.promise, late]))) exam.inconclusive('the client did not open two listens')
    const [first, second] = turns
    if (first === undefined || second === undefined) return
    const notice = (method: string, turn: Turn) => ({
      jsonrpc: '2.0',
      method,
      params: { _meta: subscriptionOf(turn) },
    })
    const toolsTurn = turns.find(({ params }) => JSON.stringify(params).includes('toolsListChanged')) ?? first
    const promptsTurn = toolsTurn === first ? second : first
    second.connection.send(acknowledgement(second))
    first.connection.send(acknowledgement(first))
    const sent = ['tools', 'prompts', 'tools', 'prompts'].map((list) =>
      first.connection.send(
        notice(`notifications/${list}/list_changed`, list === 'tools' ? toolsTurn : promptsTurn),
      ),
    )
    const outcome = await opened
    await exam.step({ type: 'list', list: 'tools' })
    const outcomes =
      outcome.type === 'done' && Array.isArray(outcome.value) ? (outcome.value as unknown[]) : []
    for (const [index, list] of ['tools', 'prompts'].entries()) {
      const each = outcomes[index]
      if (!isJsonObject(each) || each['type'] !== 'done') {
        exam.fail({
          expected: 'a listen that opens although another is acknowledged first',
          actual: shortJson(each),
          statement: 'subscriptions.ack-interleave',
          frame: sent,
        })
        continue
      }
      const own = `notifications/${list}/list_changed`
      const notices = noticesIn(each['value']).filter((method) => method.endsWith('/list_changed'))
      exam.expect(notices.length > 0 && notices.every((method) => method === own), {
        expected: `${own} alone at its subscription`,
        actual: notices.join(', ') || 'nothing',
        statement: 'stdio.correlate-subscription',
        member: '/params/_meta',
        frame: sent,
      })
    }
  },
  { title: 'Each notice reaches its own subscription' },
)

/** Time to start a process again. */
const RESTART_MS = 15_000

export const relisten = clientCheck(
  'stdio.client.relisten',
  async (exam) => {
    exam.content.capabilities = { tools: { listChanged: true } }
    exam.on('subscriptions/listen', (turn) => {
      turn.send(acknowledgement(turn))
      return { silent: true }
    })
    const connection = await exam.connect()
    const opened = await exam.step({ type: 'listen', filter: { toolsListChanged: true } })
    if (opened.type === 'failed') exam.inconclusive(`the client did not open a listen: ${opened.message}`)
    const before = exam.messagesOf('subscriptions/listen').at(-1)
    if (exam.cell.transport === 'stdio') exam.server.control('exit 1')
    else connection.close()
    await exam.step({ type: 'idle', milliseconds: exam.waits.silenceMs * 2 })
    const again = await exam.waitFor(
      ({ message, frame }) =>
        message['method'] === 'subscriptions/listen' && frame.connection !== before?.frame.connection,
      Math.max(exam.waits.answerMs * 2, RESTART_MS),
    )
    // Its id may be that of the first one: ids of another process are other ids.
    if (again !== undefined) return
    if (exam.connections.length > 1) {
      exam.fail({
        expected: 'subscriptions/listen sent again',
        actual: 'a new connection without it',
        statement: 'stdio.relisten',
        frame: before?.frame,
      })
    } else {
      exam.warn({
        expected: 'a new process or connection after the first one broke',
        actual: 'none',
        statement: 'stdio.restart-crashed',
        frame: before?.frame,
      })
    }
  },
  { title: 'A client that reconnects opens its subscriptions again' },
)
