import { isSameId } from '../../probe/inbox.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { Transcript } from '../../passive/transcript.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'

const MEGABYTE = 1024 * 1024

/** Every line of the examined side that is not one JSON-RPC message. */
function inspectLines(transcript: Transcript, purity: string): void {
  const lines = [...transcript.examinedFrames(({ kind }) => kind === 'message' || kind === 'invalid')]
  for (const frame of lines) {
    if (isTorn(frame, transcript.frames)) continue
    const isBatch = Array.isArray(frame.value) && transcript.cell.revision === '2025-03-26'
    const isMessage = typeof frame.value === 'object' && frame.value !== null && !Array.isArray(frame.value)
    if (frame.kind === 'message' && (isMessage || isBatch)) continue
    const text = Buffer.from(frame.bytes).toString()
    const holdsJson = /^\s*[{}[\]"]/.test(text)
    transcript.fail({
      expected: 'one JSON-RPC message on a line',
      actual: shortJson(text.slice(0, 100)),
      statement: holdsJson ? 'stdio.framing.one-line' : purity,
      frame,
    })
  }
}

/** A line that breaks off because its process was ended. */
function isTorn(frame: CapturedFrame, frames: readonly CapturedFrame[]): boolean {
  if (frame.kind !== 'invalid' || !Buffer.from(frame.bytes).toString().startsWith('{"')) return false
  const own = frames.filter(
    ({ connection, from, kind }) =>
      connection.number === frame.connection.number && from === frame.from && kind !== 'stderr',
  )
  const next = own[own.indexOf(frame) + 1]
  return next === undefined || (next.kind === 'lifecycle' && next.reason?.startsWith('closed') === true)
}

export const stdoutPure = passiveCheck(
  'stdio.server.stdout-pure',
  (transcript) => {
    inspectLines(transcript, 'stdio.stdout-pure')
  },
  { title: 'stdout holds JSON-RPC messages alone, one on a line' },
)

export const stdinPure = passiveCheck(
  'stdio.client.stdin-pure',
  (transcript) => {
    inspectLines(transcript, 'stdio.stdin-pure')
  },
  { title: 'The client writes JSON-RPC messages alone, one on a line' },
)

export const crlfAndBig = serverCheck(
  'stdio.server.crlf-and-big',
  async (probe) => {
    const { method } = probe.cheapRequest()
    const cases = ['ended by CRLF', 'of 1 MB', 'three in one write', 'in 1,000 writes'] as const
    let connection = await probe.connectStdio()
    for (const name of cases) {
      if (connection.closedReason !== undefined) connection = await probe.connectStdio()
      const current = connection
      const padded = (length: number) =>
        current.compose(method, { _meta: { 'patchbay/padding': 'x'.repeat(length) } })
      if (name === 'three in one write') {
        const requests = [padded(1), padded(1), padded(1)]
        const from = connection.received.length
        const { frame } = await connection.send(requests.map((each) => JSON.stringify(each)).join('\n'))
        for (const { id } of requests) {
          const answer = await connection.waitFor(({ message }) => isSameId(message['id'], id), { from })
          if (answer === undefined) probe.timedOut = true
          probe.expect(answer !== undefined, {
            expected: `an answer to request ${shortJson(id)} of ${name}`,
            actual: connection.closedReason ?? 'none',
            frame,
          })
        }
        continue
      }
      const request = padded(name === 'of 1 MB' ? MEGABYTE : 2_000)
      const { length } = JSON.stringify(request)
      const outcome = await connection.exchange(request, {
        ...(name === 'ended by CRLF' && { lineEnd: '\r\n' }),
        ...(name === 'in 1,000 writes' && {
          splitAt: Array.from({ length: 999 }, (_, index) => Math.floor(((index + 1) * length) / 1_000)),
        }),
      })
      probe.expect(outcome.type === 'result' || outcome.type === 'error', {
        expected: `an answer to a request ${name}`,
        actual: describeOutcome(outcome),
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Lines are put together from any pieces, and end with LF or CRLF' },
)

export const newlineInText = serverCheck(
  'stdio.server.newline-in-text',
  async (probe) => {
    const echo = probe.fixture('echo')
    const connection = await probe.connectStdio()
    for (const text of ['one\ntwo', 'one\r\ntwo', 'one\u2028two']) {
      const key = Object.keys(echo.arguments)[0] ?? 'text'
      const outcome = await connection.call('tools/call', {
        name: echo.name,
        arguments: { ...echo.arguments, [key]: text },
      })
      const returned = outcome.type === 'result' && JSON.stringify(outcome.result)
      const isWhole = returned !== false && returned.includes(JSON.stringify(text).slice(1, -1))
      probe.expect(isWhole, {
        expected: `one line with the text ${shortJson(text)}`,
        actual: describeOutcome(outcome),
        member: '/result/content/0/text',
        frame: outcome.frame ?? [outcome.sent, ...connection.inbox.frames.slice(-2)],
      })
    }
  },
  { title: 'Line breaks inside of texts are escaped' },
)

const BAD_LINES = [
  { name: 'text that is not JSON', bytes: Buffer.from('garbage') },
  { name: 'an empty line', bytes: Buffer.alloc(0) },
  { name: 'a byte order mark alone', bytes: Buffer.of(0xef, 0xbb, 0xbf) },
  { name: 'invalid UTF-8', bytes: Buffer.of(0x22, 0xc3, 0x28, 0xff, 0x22) },
]

export const badLine = serverCheck(
  'stdio.server.bad-line',
  async (probe) => {
    let connection = await probe.connectStdio()
    for (const { name, bytes } of BAD_LINES) {
      const from = connection.received.length
      const { frame } = await connection.send(bytes)
      const barrier = await connection.tryBarrier()
      if (barrier.type !== 'result' && barrier.type !== 'error') {
        probe.fail({
          expected: `service after ${name}`,
          actual: describeOutcome(barrier),
          frame: [frame, barrier.sent],
          ...(name.startsWith('a byte order') && { severity: 'warning' }),
        })
        connection = await probe.connectStdio()
        continue
      }
      for (const { message, frame: answer } of connection.received.slice(from)) {
        if ('method' in message || answer === barrier.frame) continue
        const { error, id } = message
        const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined
        probe.expect((code === -32700 || code === -32600) && (id === null || id === undefined), {
          expected: `error -32700 with the id null or none, or nothing, after ${name}`,
          actual: shortJson(message),
          member: '/id',
          frame: [answer, frame],
        })
      }
    }
  },
  { title: 'Lines that cannot be parsed end nothing' },
)
