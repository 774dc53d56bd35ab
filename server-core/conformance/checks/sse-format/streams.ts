import { isUtf8 } from 'node:buffer'
import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, passiveCheck } from '../../check.ts'
import { describeEnding } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'

export const eventsHoldMessages = passiveCheck(
  'sse-format.server',
  (transcript) => {
    for (const frame of transcript.examinedFrames(({ http }) => http?.event !== undefined)) {
      const type = frame.http?.headers['content-type'] ?? 'text/event-stream'
      transcript.expect(/^text\/event-stream\b/i.test(type), {
        expected: 'text/event-stream',
        actual: type,
        statement: 'sse-format.content-type',
        frame,
      })
      const isMessage = typeof frame.value === 'object' && frame.value !== null
      transcript.expect(frame.kind === 'message' && isMessage && isUtf8(frame.bytes), {
        expected: 'one JSON-RPC message in UTF-8',
        actual: shortJson(Buffer.from(frame.bytes).toString().slice(0, 80)),
        statement: 'sse-format.json-per-event',
        frame,
      })
    }
  },
  { title: 'Each event holds one JSON-RPC message' },
)

/** How the same message can be written as an event. */
const FORMS: readonly {
  readonly name: string
  readonly write: (json: string) => string | readonly Buffer[]
}[] = [
  { name: 'lines that end with CR', write: (json) => `event: message\rdata: ${json}\r\r` },
  { name: 'lines that end with CRLF', write: (json) => `event: message\r\ndata: ${json}\r\n\r\n` },
  { name: 'comments', write: (json) => `: a comment\n\n:\ndata: ${json}\n: another\n\n` },
  {
    name: 'several data lines',
    write: (json) => `data: {\ndata: ${json.slice(1, -1)}\ndata: }\n\n`,
  },
  {
    name: 'unknown fields and events',
    write: (json) => `event: patchbay\ndata: not for you\n\nunknown: x\nretry: soon\ndata: ${json}\n\n`,
  },
  { name: 'no space after the colon', write: (json) => `event:message\ndata:${json}\n\n` },
  {
    name: 'bytes cut inside of a character',
    write: (json) => {
      const bytes = Buffer.from(`data: ${json}\n\n`)
      const cut = bytes.indexOf(0xc3) + 1
      return [bytes.subarray(0, cut), bytes.subarray(cut)]
    },
  },
  { name: 'a byte order mark', write: (json) => `\ufeffdata: ${json}\n\n` },
]
const TEXT = 'Grüße'

export const readsEveryForm = clientCheck(
  'sse-format.client',
  async (exam) => {
    await exam.connect()
    const isSse = exam.cell.transport === 'sse'
    let form = FORMS[0]
    exam.onHttp(async (exchange) => {
      const { json, response } = exchange
      if (!isJsonObject(json) || json['method'] !== 'tools/call') return false
      const result = {
        ...(exam.isModern && { resultType: 'complete' }),
        content: [{ type: 'text', text: TEXT }],
      }
      const written = form?.write(JSON.stringify({ jsonrpc: '2.0', id: json['id'], result })) ?? ''
      const pieces = typeof written === 'string' ? [Buffer.from(written)] : written
      const stream = isSse ? exam.exchanges.find(({ method }) => method === 'GET')?.response : response
      if (isSse) exchange.respond(202)
      else response.writeHead(200, { 'content-type': 'text/event-stream' })
      for (const piece of pieces) {
        stream?.write(piece)
        await new Promise((resolve) => setTimeout(resolve, 20))
      }
      if (!isSse) response.end()
      return true
    })
    for (form of FORMS) {
      // The mark begins a stream, and that of HTTP+SSE has begun.
      if (isSse && form.name === 'a byte order mark') continue
      const step = exam.step({ type: 'call', tool: 'echo', arguments: { text: TEXT } })
      const outcome = await exam.ending(step)
      const hasText = outcome.type === 'done' && JSON.stringify(outcome.value ?? TEXT).includes(TEXT)
      exam.expect(hasText, {
        expected: `a message to be read with ${form.name}`,
        actual: describeEnding(outcome),
        frame: exam.exchanges.at(-1)?.frame,
      })
    }
  },
  { title: 'Every form of an event stream is read' },
)
