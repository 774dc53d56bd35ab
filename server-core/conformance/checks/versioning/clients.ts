import { isJsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import type { InMessage } from '../../probe/inbox.ts'

/** More than so many attempts are a loop. */
const MOST_ATTEMPTS = 5

function versionOf({ message: { params } }: InMessage): unknown {
  return isJsonObject(params) && isJsonObject(params['_meta'])
    ? params['_meta'][MetaKey.protocolVersion]
    : undefined
}

export const retriesVersion = clientCheck(
  'versioning.client.retry',
  async (exam) => {
    exam.set({ anyRevision: true, requestTimeoutMs: exam.waits.answerMs * 2 })
    const { revision } = exam.cell
    let isRefused = false
    let supported: readonly string[] = []
    exam.on('server/discover', (turn) => {
      if (isRefused && supported.includes(revision)) return turn.usual()
      isRefused = true
      const data = { supported, requested: revision }
      return { error: { code: -32022, message: 'Unsupported protocol version', data } }
    })
    for (supported of [[revision], ['2031-01-01']]) {
      isRefused = false
      const mark = exam.received.length
      const ending = await exam.ending(exam.step({ type: 'connect' }))
      const sent = exam.received.slice(mark).filter(({ message }) => message['method'] === 'server/discover')
      await exam.endClient()
      const isMutual = supported.includes(revision)
      const frame = sent.at(-1)?.frame
      if (sent.length === 0) exam.inconclusive('the client did not ask server/discover')
      if (sent.length > MOST_ATTEMPTS) {
        exam.warn({ expected: 'one retry at most', actual: `${sent.length} requests`, frame })
        continue
      }
      const [first, second] = sent
      const isRetried = second !== undefined && versionOf(second) === revision
      if (isMutual) {
        const isNew = isRetried && second.message['id'] !== first?.message['id']
        if (ending.type === 'done' && isNew) continue
        exam.warn({
          expected: `a retry with ${revision} and a new id`,
          actual: isRetried ? `the id ${shortJson(second.message['id'])}` : describeEnding(ending),
          frame,
        })
      } else if (ending.type !== 'failed' || ending.message === '') {
        exam.warn({ expected: 'a report that no version is common', actual: describeEnding(ending), frame })
      }
    }
  },
  { title: 'A refused version is retried once, or reported' },
)

export const eraRemembered = clientCheck(
  'versioning.client.era-cache',
  async (exam) => {
    if (!exam.speaksLegacy) exam.inconclusive('the client is modern-only')
    exam.set({ anyRevision: true })
    const connect = async () => {
      const mark = exam.received.length
      const ending = await exam.ending(exam.step({ type: 'connect' }))
      const methods = exam.received.slice(mark).map(({ message }) => message['method'])
      const frame = exam.received.slice(mark)[0]?.frame ?? exam.exchanges.at(-1)?.frame
      if (ending.type === 'done') await exam.step({ type: 'close' })
      return { ending, methods, frame }
    }
    exam.speak('2025-11-25')
    const first = await connect()
    if (first.ending.type !== 'done' || !first.methods.includes('initialize'))
      exam.inconclusive(`the client did not connect to an older server: ${describeEnding(first.ending)}`)
    const second = await connect()
    if (second.methods.includes('server/discover')) {
      exam.warn({
        expected: 'no probe of a server whose era is known',
        actual: 'server/discover',
        frame: second.frame,
      })
    }
    exam.speak(exam.cell.revision)
    const third = await connect()
    if (third.ending.type === 'done' && third.methods.includes('server/discover')) return
    exam.warn({
      expected: 'a new probe, once the remembered era proves wrong',
      actual: describeEnding(third.ending),
      frame: third.frame,
    })
  },
  { title: 'The era of a server is remembered until it proves wrong' },
)

export const extensionFallbackClient = clientCheck(
  'versioning.extension-fallback',
  async (exam) => {
    const outcome = await exam.run()
    exam.expect(outcome.type === 'done', {
      expected: 'work with a server that has no extensions',
      actual: describeEnding(outcome),
      statement: 'versioning.extension-fallback',
      frame: exam.received.at(-1)?.frame,
    })
    const foreign = exam.received.find(
      ({ message: { method } }) => typeof method === 'string' && method.startsWith('tasks/'),
    )
    exam.expect(foreign === undefined, {
      expected: 'no method of an extension that the server does not declare',
      actual: String(foreign?.message['method']),
      member: '/method',
      statement: 'versioning.extension-fallback',
      frame: foreign?.frame,
    })
  },
  { title: 'Without extensions of the server, the core is used' },
)
