import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { Handler } from '../../exam/dialogue.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { shortJson } from '../../probe/outcome.ts'

const LEGACY = '2025-11-25'
/** The specification allows 90 s; a client with default settings may need them. */
const SILENCE_MS = 90_000

/** Messages since a mark, so that several clients can be told apart. */
export function methodsSince(exam: ClientExam, mark: number): readonly string[] {
  return exam.received
    .slice(mark)
    .flatMap(({ message }) => (typeof message['method'] === 'string' ? [message['method']] : []))
}

export const probeFirst = clientCheck(
  'stdio.client.probe',
  async (exam) => {
    exam.set({ anyRevision: true })
    await exam.run()
    const requests = exam.received.filter(({ message }) => 'method' in message)
    const [first] = requests
    if (first === undefined) return exam.inconclusive('the client sent nothing')
    const { method } = first.message
    if (method !== 'server/discover') {
      const input = {
        expected: 'server/discover first',
        actual: String(method),
        member: '/method',
        statement: 'stdio.probe-discover',
        frame: first.frame,
      }
      if (exam.speaksLegacy) exam.warn(input)
      else exam.inform(input)
    }
    const settled = requests.find(({ message }) => message['method'] === 'tools/list')
    const params = settled?.message['params']
    const meta = isJsonObject(params) && isJsonObject(params['_meta']) ? params['_meta'] : {}
    exam.expect(settled === undefined || meta[MetaKey.protocolVersion] === exam.cell.revision, {
      expected: `requests of ${exam.cell.revision}, which the server listed`,
      actual: shortJson(meta[MetaKey.protocolVersion]),
      statement: 'stdio.probe.result-modern',
      member: '/params/_meta',
      frame: settled?.frame,
    })
  },
  { title: 'A client of both eras asks server/discover first' },
)

export const probeVersionError = clientCheck(
  'stdio.client.probe-version-error',
  async (exam) => {
    exam.set({ anyRevision: true })
    for (const supported of [['2026-07-28'], ['2031-01-01']]) {
      let refused = false
      exam.on('server/discover', (turn) => {
        if (refused && supported.includes(exam.cell.revision)) return turn.usual()
        refused = true
        const data = { supported, requested: exam.cell.revision }
        return { error: { code: -32022, message: 'Unsupported protocol version', data } }
      })
      const mark = exam.received.length
      const ending = await exam.ending(exam.step({ type: 'connect' }))
      const fallback = exam.received.slice(mark).find(({ message }) => message['method'] === 'initialize')
      exam.expect(fallback === undefined, {
        expected: `no initialize after a refusal that lists ${supported.join(', ')}`,
        actual: 'initialize',
        member: '/method',
        statement: 'stdio.probe.modern-error',
        frame: fallback?.frame,
      })
      if (ending.type === 'hangs') {
        exam.fail({
          expected: 'a connection, or a report that there is no common version',
          actual: describeEnding(ending),
          statement: 'versioning.client-retry',
          frame: exam.received.at(-1)?.frame,
        })
      }
      await exam.endClient()
    }
  },
  { title: 'A modern refusal of the version leads to no handshake' },
)

type LegacyServer = { readonly name: string; readonly reply: Handler; readonly isExit?: true }

function legacyServers(exam: ClientExam): readonly LegacyServer[] {
  const refusal = (code: number): LegacyServer => ({
    name: `error ${code}`,
    reply: () => ({ error: { code, message: 'Not understood' } }),
  })
  return [
    refusal(-32601),
    refusal(-32602),
    refusal(-32000),
    { name: 'silence', reply: () => ({ silent: true }) },
    {
      name: 'the end of the connection',
      isExit: true,
      reply: () => {
        if (exam.cell.transport === 'stdio') {
          exam.server.control('exit 1')
          return { silent: true }
        }
        return { close: true }
      },
    },
  ]
}

export const probeFallback = clientCheck(
  'stdio.client.probe-fallback',
  async (exam) => {
    if (!exam.speaksLegacy) exam.inconclusive('the client is modern-only')
    exam.set({ anyRevision: true })
    exam.speak(LEGACY)
    for (const { name, reply, isExit } of legacyServers(exam)) {
      exam.on('server/discover', reply)
      const mark = exam.received.length
      const connected = await exam.ending(exam.step({ type: 'connect' }), SILENCE_MS)
      const listed = connected.type === 'done' ? await exam.step({ type: 'list', list: 'tools' }) : connected
      const methods = methodsSince(exam, mark)
      const works = methods.includes('initialize') && listed.type === 'done'
      if (!works) {
        exam.fail({
          expected: `initialize after ${name}, and a session that works`,
          actual: methods.includes('initialize') ? describeEnding(listed) : 'no initialize',
          statement: name.startsWith('error') ? 'stdio.probe.not-one-code' : 'stdio.probe.legacy-fallback',
          frame: exam.received.at(-1)?.frame,
          ...(isExit === true && { severity: 'info' }),
        })
      }
      await exam.endClient()
    }
  },
  { title: 'Any other error, or silence, leads to the handshake', slow: true },
)
