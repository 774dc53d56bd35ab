import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { isResponse, isSameId, type InMessage } from '../../probe/inbox.ts'
import { elapsed } from '../../probe/waits.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'

const LONGEST_MS = 5_000

/**
 * Sends an array, and returns what answered it: until so many responses came, the exchange ended, or the wait is over.
 * With a barrier the wait is over soon after a later request was answered.
 */
export async function sendArray(
  connection: ProbeConnection,
  items: readonly unknown[],
  { answers, waitMs, barrier }: { answers: number; waitMs?: number; barrier?: true },
) {
  const from = connection.received.length
  const sent = await connection.send(items)
  const last = barrier === true && connection.transport !== 'http' ? connection.barrierRequest() : undefined
  const responses = (): readonly InMessage[] =>
    connection.received
      .slice(from)
      .filter(
        ({ message, source }) =>
          isResponse(message) &&
          (last === undefined || !isSameId(message['id'], last.id)) &&
          (sent.exchange === undefined || connection.transport !== 'http' || source === sent.exchange),
      )
  if (answers > 0) {
    const enough = connection.waitFor(() => responses().length >= answers, {
      from,
      ...(waitMs !== undefined && { timeoutMs: waitMs }),
    })
    const passed = async () => {
      await connection.exchange(last)
      await connection.silence()
    }
    const ended = connection.transport === 'http' ? sent.exchange?.ended : undefined
    const isOver = last === undefined ? ended : passed()
    await (isOver === undefined ? enough : Promise.race([enough, isOver]))
  } else if (connection.transport === 'http') {
    await Promise.race([sent.exchange?.ended, elapsed(LONGEST_MS)])
  } else {
    await connection.silence()
  }
  return { frame: sent.frame, responses: responses(), status: sent.exchange?.response?.status }
}

export const receiveBatch = serverCheck(
  'base.batch.receive.server',
  async (probe) => {
    const connection = await probe.connect()
    const request = (method: string) => ({ jsonrpc: '2.0', id: connection.nextId(), method })
    const notification = { jsonrpc: '2.0', method: 'notifications/unknown' }
    const second = probe.declares('tools') ? 'tools/list' : 'ping'
    const arrays: readonly (readonly object[])[] = [
      [request('ping'), request(second)],
      [notification, request('ping')],
      [notification],
      [{ jsonrpc: '2.0', id: 'patchbay-none', result: {} }],
    ]
    for (const items of arrays) {
      const ids = items.flatMap((item) => ('method' in item && 'id' in item ? [item.id] : []))
      const { frame, responses, status } = await sendArray(connection, items, {
        answers: ids.length,
        barrier: true,
      })
      await connection.barrier()
      const answered = responses
        .filter(({ message }) => isJsonObject(message['result']))
        .map(({ message }) => message['id'])
      probe.expect(
        answered.length === ids.length &&
          ids.every((id) => answered.some((other) => isSameId(other, id))) &&
          responses.length === ids.length,
        {
          expected: ids.length === 0 ? 'no answer' : `one result for each of the ids ${shortJson(ids)}`,
          actual:
            responses.length === 0
              ? `no answer${status === undefined ? '' : ` (HTTP ${status})`}`
              : shortJson(responses.map(({ message }) => message)),
          frame: [frame, ...responses.map((response) => response.frame)],
        },
      )
      if (ids.length === 0 && probe.cell.transport === 'http') {
        probe.expect(status === 202, {
          expected: 'HTTP 202',
          actual: `HTTP ${status ?? 'without a response'}`,
          frame,
        })
      }
    }
  },
  { title: 'Arrays of messages are served' },
)

export const receiveBatchClient = clientCheck(
  'base.batch.receive.client',
  async (exam) => {
    const open: { id: unknown; result: object }[] = []
    const done = Promise.withResolvers<undefined>()
    exam.on('tools/call', async (turn) => {
      const usual = turn.usual()
      open.push({ id: turn.request['id'], result: 'result' in usual ? usual.result : {} })
      if (open.length < 2) {
        // Over HTTP each request has a stream of its own, on which its answer comes as an array of one.
        if (exam.hasHttp) return { message: [{ jsonrpc: '2.0', ...open[0] }] }
        await done.promise
        return { silent: true }
      }
      const answers = exam.hasHttp ? open.slice(1) : open
      turn.send([
        { jsonrpc: '2.0', method: 'notifications/unknown' },
        { jsonrpc: '2.0', id: 'batched-ping', method: 'ping' },
      ])
      done.resolve(undefined)
      return { message: answers.map((answer) => ({ jsonrpc: '2.0', ...answer })) }
    })
    await exam.connect()
    const call = { type: 'call', tool: 'echo', arguments: { text: 'a' } } as const
    const outcome = await exam.step({ type: 'parallel', steps: [call, call] })
    const each = outcome.type === 'done' && Array.isArray(outcome.value) ? (outcome.value as unknown[]) : []
    exam.expect(each.length === 2 && each.every((one) => isJsonObject(one) && one['type'] === 'done'), {
      expected: 'both answers taken from the array',
      actual: shortJson(outcome),
      frame: exam.messagesOf('tools/call').map(({ frame }) => frame),
    })
    const pong = await exam.waitFor(({ message }) => message['id'] === 'batched-ping')
    exam.expect(pong !== undefined && isJsonObject(pong.message['result']), {
      expected: 'the ping of an array answered',
      actual: pong === undefined ? 'no answer' : shortJson(pong.message),
      frame: pong?.frame ?? exam.messagesOf('tools/call').at(-1)?.frame,
    })
  },
  { title: 'The client takes arrays of messages' },
)

export const noInitializeInBatch = serverCheck(
  'base.batch.no-initialize',
  async (probe) => {
    const connection = await probe.open()
    const params = {
      protocolVersion: probe.cell.revision,
      capabilities: {},
      clientInfo: { name: 'patchbay-check', version: '1.0.0' },
    }
    const items = [connection.compose('initialize', params), connection.compose('tools/list')]
    const { frame, responses, status } = await sendArray(connection, items, { answers: 1 })
    const opened = responses.find(({ message }) => isJsonObject(message['result']))
    probe.expect(opened === undefined, {
      expected: 'initialize in an array refused',
      actual: shortJson(opened?.message),
      frame: opened === undefined ? frame : [opened.frame, frame],
    })
    const refusal = responses.find(({ message }) => isJsonObject(message['error']))
    const code = isJsonObject(refusal?.message['error']) ? refusal.message['error']['code'] : undefined
    const isRefused = code === -32_600 || (status !== undefined && status >= 400 && status < 500)
    probe.expect(isRefused || opened !== undefined, {
      expected: 'error -32600 or HTTP 400',
      actual:
        refusal === undefined
          ? `no answer${status === undefined ? '' : ` (HTTP ${status})`}`
          : shortJson(refusal.message),
      severity: 'warning',
      frame,
    })
  },
  { title: 'Initialize is refused in an array' },
)

export const noInitializeInBatchClient = clientCheck(
  'base.batch.no-initialize',
  async (exam) => {
    await exam.run()
    for (const { message, frame } of exam.messagesOf('initialize')) {
      exam.expect(!Array.isArray(frame.value), {
        expected: 'initialize on its own',
        actual: shortJson(message),
        frame,
      })
    }
    if (exam.messagesOf('initialize').length === 0) exam.inconclusive('the client sent no initialize')
  },
  { title: 'Initialize is not part of an array' },
)

export const emptyBatch = serverCheck(
  'base.batch.empty',
  async (probe) => {
    const connection = await probe.connect()
    const outcome = await connection.exchange('[]', { match: 'any', barrier: true })
    const severity =
      probe.cell.revision >= '2025-06-18' && outcome.type === 'silence'
        ? { severity: 'warning' as const }
        : {}
    probe.expect(isInvalidRequest(outcome), {
      expected: 'error -32600 or HTTP 400',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
      ...severity,
    })
  },
  { title: 'Empty arrays are refused' },
)

/** Whether something was refused as an invalid request, by its code or by its status. */
function isInvalidRequest(outcome: Outcome): boolean {
  if (outcome.type === 'http') return isRefusal(outcome.status)
  return outcome.type === 'error' && (outcome.code === -32_600 || isRefusal(outcome.http?.status))
}

function isRefusal(status: number | undefined): boolean {
  return status !== undefined && status >= 400 && status < 500
}
