import { isJsonObject } from '../../../protocol/json.ts'
import { SUPPORTED } from '../../../protocol/revisions.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import { shortJson } from '../../probe/outcome.ts'
import { elapsed } from '../../probe/waits.ts'

export const firstMessage = passiveCheck(
  'lifecycle.client.first-message',
  (transcript) => {
    if (transcript.cell.revision >= '2026-07-28') return
    for (const messages of transcript.connections().values()) {
      const own = messages.filter(({ from, kind }) => from === transcript.side && kind !== 'response')
      const first = own.find(({ message }) => !isEraProbe(message))
      if (first === undefined) continue
      transcript.see()
      const { message, frame, pointer } = first
      if (message['method'] !== 'initialize') {
        const isSession = frame.http?.headers['mcp-session-id'] !== undefined
        if (isSession) continue
        transcript.fail({
          expected: 'initialize first',
          actual: shortJson(message['method']),
          statement: 'lifecycle.initialize.first',
          member: `${pointer}/method`,
          frame,
        })
        continue
      }
      const params = isJsonObject(message['params']) ? message['params'] : {}
      const { protocolVersion, capabilities, clientInfo } = params
      const info = isJsonObject(clientInfo) ? clientInfo : {}
      const members: readonly (readonly [string, boolean, unknown])[] = [
        ['protocolVersion', typeof protocolVersion === 'string', protocolVersion],
        ['capabilities', isJsonObject(capabilities), capabilities],
        ['clientInfo/name', typeof info['name'] === 'string', info['name']],
        ['clientInfo/version', typeof info['version'] === 'string', info['version']],
      ]
      for (const [member, isRight, value] of members) {
        if (isRight) continue
        transcript.fail({
          expected: `initialize with ${member}`,
          actual: shortJson(value),
          statement: 'lifecycle.initialize.request-content',
          member: `${pointer}/params/${member}`,
          frame,
        })
      }
    }
  },
  { title: 'The client opens with initialize' },
)

/** Whether a message belongs to the revisions without a handshake, which a client may try first. */
function isEraProbe(message: Readonly<Record<string, unknown>>): boolean {
  if (message['method'] === 'server/discover') return true
  const { method, params } = message
  const meta = isJsonObject(params) ? params['_meta'] : undefined
  return typeof method === 'string' && isJsonObject(meta) && meta[MetaKey.protocolVersion] !== undefined
}

export const initialized = clientCheck(
  'lifecycle.client.initialized',
  async (exam) => {
    let answeredAt = Infinity
    exam.on('initialize', async (turn) => {
      await elapsed(50)
      answeredAt = exam.received.length
      return turn.usual()
    })
    const outcome = await exam.run()
    if (exam.messagesOf('initialize').length === 0) exam.inconclusive('the client never sent initialize')
    const methods = exam.received.map(({ message }) => message['method'])
    const sent = exam.messagesOf('notifications/initialized')
    const at = methods.indexOf('notifications/initialized')
    const ordinary = methods.findIndex(
      (method) =>
        typeof method === 'string' &&
        !['initialize', 'ping', 'server/discover', 'notifications/initialized'].includes(method),
    )
    const last = exam.received.at(-1)?.frame
    if (sent.length === 0) {
      exam.fail({
        expected: 'notifications/initialized',
        actual: outcome.type === 'failed' ? outcome.message : 'none',
        frame: last,
      })
      return
    }
    exam.expect(at >= answeredAt, {
      expected: 'notifications/initialized after the answer to initialize',
      actual: 'before it',
      frame: sent[0]?.frame,
    })
    exam.expect(ordinary === -1 || at < ordinary, {
      expected: 'notifications/initialized before other requests',
      actual: `after ${String(methods[ordinary])}`,
      frame: exam.received[ordinary]?.frame,
    })
    const sessions = exam.messagesOf('initialize').length
    if (sent.length > sessions)
      exam.warn({
        expected: 'notifications/initialized once',
        actual: `${sent.length} times`,
        frame: sent.at(-1)?.frame,
      })
  },
  { title: 'The client says that it is ready' },
)

export const quietClient = clientCheck(
  'lifecycle.client.quiet',
  async (exam) => {
    let early: readonly string[] = []
    exam.on('initialize', async (turn) => {
      await elapsed(exam.waits.silenceMs)
      early = exam.received.flatMap(({ message }) => {
        const { method, id } = message
        const mayCome = method === 'initialize' || method === 'ping' || method === 'server/discover'
        return typeof method === 'string' && id !== undefined && !mayCome ? [method] : []
      })
      return turn.usual()
    })
    await exam.run()
    if (exam.messagesOf('initialize').length === 0) exam.inconclusive('the client never sent initialize')
    exam.expect(early.length === 0, {
      expected: 'no request before the answer to initialize',
      actual: early.join(', '),
      frame: early.flatMap((method) =>
        exam
          .messagesOf(method)
          .slice(0, 1)
          .map(({ frame }) => frame),
      ),
    })
  },
  { title: 'The client asks nothing before initialize is answered' },
)

export const versionOffer = clientCheck(
  'lifecycle.client.version-offer',
  async (exam) => {
    const outcome = await exam.run()
    const sent = exam.messagesOf('initialize')[0]
    if (sent === undefined) {
      exam.inconclusive('the client never sent initialize')
      return
    }
    const params = isJsonObject(sent.message['params']) ? sent.message['params'] : {}
    const offered = params['protocolVersion']
    const where = {
      member: '/params/protocolVersion',
      frame: sent.frame,
      statement: 'lifecycle.version.offer-supported',
    }
    const isPublished = SUPPORTED.some((revision) => revision === offered)
    const newest = SUPPORTED.at(-1) ?? ''
    if (!isPublished && typeof offered === 'string' && /^\d{4}-\d\d-\d\d$/.test(offered) && offered > newest)
      exam.inconclusive(`the client offers ${offered}, which is newer than what is known here`)
    if (!exam.expect(isPublished, { expected: 'a published revision', actual: shortJson(offered), ...where }))
      return
    // A client with one configured revision offers it, and the exam answers with the revision of its cell.
    if (offered !== exam.cell.revision) return
    exam.expect(outcome.type === 'done', {
      expected: `a client that goes on with ${exam.cell.revision}`,
      actual: outcome.type === 'failed' ? outcome.message : '',
      ...where,
    })
  },
  { title: 'The client offers a revision that it supports' },
)

export const versionUnsupported = clientCheck(
  'lifecycle.client.version-unsupported',
  async (exam) => {
    const unknown = ['1999-01-01', '2099-01-01']
    exam.alter('initialize', (result, { count }) => ({ ...result, protocolVersion: unknown[count % 2] }))
    for (const version of unknown) {
      const from = exam.received.length
      const outcome = await exam.step({ type: 'connect' })
      const sent = exam.received.slice(from).filter(({ message }) => {
        const { method } = message
        return (
          typeof method === 'string' &&
          !['initialize', 'server/discover', 'notifications/cancelled'].includes(method)
        )
      })
      exam.expect(sent.length === 0, {
        expected: `nothing more in a session of ${version}`,
        actual: sent.map(({ message }) => String(message['method'])).join(', '),
        statement: 'lifecycle.version.client-disconnect-must',
        frame: sent.map(({ frame }) => frame),
      })
      if (sent.length === 0)
        exam.expect(outcome.type === 'failed', {
          expected: `a client that does not accept ${version}`,
          actual: 'it connected',
          statement: 'lifecycle.version.client-disconnect-must',
          frame: exam.received.at(-1)?.frame,
        })
    }
  },
  { title: 'The client leaves a session of a revision that it does not support' },
)

export const preparedClient = clientCheck(
  'lifecycle.errors.prepared.client',
  async (exam) => {
    exam.set({ requestTimeoutMs: exam.waits.answerMs })
    exam.on('initialize', (turn) => {
      const usual = turn.usual()
      if (turn.count === 0) return { error: { code: -32_603, message: 'Internal error' } }
      if (turn.count === 1 && 'result' in usual) {
        const { capabilities: _, ...rest } = usual.result
        return { result: rest }
      }
      return turn.count === 2 ? { silent: true } : { close: true }
    })
    const limit = exam.waits.answerMs * 3
    for (const what of ['an error', 'a result without capabilities', 'silence', 'a closed connection']) {
      const before = exam.messagesOf('initialize').length
      const outcome = await Promise.race([exam.step({ type: 'connect' }), elapsed(limit)])
      const sent = exam.messagesOf('initialize')
      exam.expect(outcome !== undefined && sent.length - before <= 3, {
        expected: `a client that ends with an error after ${what} to initialize`,
        actual:
          outcome === undefined ? `still waiting after ${limit} ms` : `${sent.length - before} attempts`,
        frame: sent.at(-1)?.frame,
      })
      if (outcome === undefined) return
    }
  },
  { title: 'The client is prepared for a failing handshake', slow: true },
)
