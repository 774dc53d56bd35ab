import { clientCheck, passiveCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { SUPPORTED } from '../../../protocol/revisions.ts'
import type { Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'

export const postShape = passiveCheck(
  'http.client.post-shape',
  (transcript) => {
    for (const frame of transcript.examinedFrames(({ kind }) => kind === 'message' || kind === 'invalid')) {
      if (frame.http === undefined) continue
      const { headers, method } = frame.http
      const isArray = Array.isArray(frame.value)
      const type = (headers['content-type'] ?? '').split(';')[0]?.trim().toLowerCase()
      const accept = headers['accept'] ?? ''
      const single = transcript.isModern ? 'http26.post.body-single' : 'http.post.body-single'
      const rules = [
        { ok: method === 'POST', expected: 'POST', actual: method, statement: 'http.post.method' },
        {
          ok: accept.includes('application/json') && accept.includes('text/event-stream'),
          expected: 'Accept with application/json and text/event-stream',
          actual: shortJson(headers['accept']),
          statement: 'http.post.accept-both',
        },
        {
          ok: type === 'application/json',
          expected: 'Content-Type application/json',
          actual: shortJson(headers['content-type']),
          statement: single,
        },
        {
          ok: frame.kind === 'message',
          expected: 'one JSON-RPC message',
          actual: shortJson(Buffer.from(frame.bytes).toString().slice(0, 80)),
          statement: 'http.post.new-request-per-message',
        },
        {
          ok: !isArray || transcript.cell.revision === '2025-03-26',
          expected: 'one message in a body',
          actual: 'an array',
          statement: single,
        },
      ]
      for (const { ok, ...input } of rules) transcript.expect(ok, { ...input, frame })
    }
  },
  { title: 'Each message is a POST of its own that accepts JSON and event streams' },
)

/** Requests of one client to one exam: the host tells exams apart. */
function hosts(transcript: Transcript): ReadonlyMap<string, readonly CapturedFrame[]> {
  const own = transcript.frames.filter(({ from, http }) => from === 'client' && http !== undefined)
  return Map.groupBy(own, ({ http }) => http?.headers['host'] ?? '')
}

const isInitialize = ({ value }: CapturedFrame) => isJsonObject(value) && value['method'] === 'initialize'

/** The requests from one initialize to the next. */
function sessionsOf(frames: readonly CapturedFrame[]): readonly (readonly CapturedFrame[])[] {
  const sessions: CapturedFrame[][] = []
  for (const frame of frames) {
    if (isInitialize(frame)) sessions.push([frame])
    else sessions.at(-1)?.push(frame)
  }
  return sessions
}

/** The session ids that a server gave in its responses. */
function issuedIds(transcript: Transcript): ReadonlySet<string> {
  const ids = transcript.frames.flatMap(({ from, http }) =>
    from === 'server' && http?.status !== undefined ? (http.headers['mcp-session-id'] ?? []) : [],
  )
  return new Set(ids)
}

export const repeatsSessionId = passiveCheck(
  'http.client.session-id',
  (transcript) => {
    const issued = issuedIds(transcript)
    for (const [opening, ...later] of [...hosts(transcript).values()].flatMap(sessionsOf)) {
      // A server that issues no id to this client expects none.
      const hasSession = later.some(({ http }) => issued.has(http?.headers['mcp-session-id'] ?? ''))
      if (opening === undefined || !hasSession) continue
      for (const frame of later) {
        if (frame.http?.url !== opening.http?.url) continue
        const id = frame.http?.headers['mcp-session-id']
        transcript.see()
        transcript.expect(id !== undefined && issued.has(id), {
          expected: 'the session id of the server',
          actual: `${shortJson(id)} on ${frame.http?.method ?? ''}`,
          frame,
        })
      }
    }
  },
  { title: 'Every request after initialize carries the session id' },
)

export const repeatsVersion = passiveCheck(
  'http.client.version-header',
  (transcript) => {
    const negotiated = new Map<number, { readonly version: unknown; readonly frame: number }>()
    for (const { message, from, frame } of transcript.messages) {
      if (from !== 'server' || !isJsonObject(message['result'])) continue
      const { protocolVersion } = message['result']
      // A client that is offered an unknown version leaves, and has negotiated none.
      if (SUPPORTED.some((revision) => revision === protocolVersion))
        negotiated.set(frame.connection.number, { version: protocolVersion, frame: frame.index })
    }
    for (const frame of transcript.frames) {
      const { version, frame: since = Infinity } = negotiated.get(frame.connection.number) ?? {}
      // A client of both eras may have asked for the other one before.
      if (frame.index < since) continue
      if (frame.from !== 'client' || frame.http === undefined || version === undefined || isInitialize(frame))
        continue
      const header = frame.http.headers['mcp-protocol-version']
      transcript.see()
      if (header === version) continue
      const input = {
        expected: `MCP-Protocol-Version ${shortJson(version)}`,
        actual: shortJson(header),
        frame,
      }
      if (header === undefined) transcript.fail({ ...input, statement: 'http.version-header.present' })
      else transcript.warn({ ...input, statement: 'http.version-header.negotiated' })
    }
  },
  { title: 'Requests after the handshake carry the negotiated version' },
)

export const sessionOptional = clientCheck(
  'http.client.session-optional',
  async (exam) => {
    const long = `patchbay-${'x'.repeat(991)}`
    for (const id of [undefined, long]) {
      exam.issueSessionIds(() => id)
      const mark = exam.exchanges.length
      const outcome = await exam.run()
      const requests = exam.exchanges
        .slice(mark)
        .filter(({ json }) => !isJsonObject(json) || json['method'] !== 'initialize')
      if (outcome.type === 'failed') {
        exam.fail({
          expected:
            id === undefined ? 'work without a session id' : 'work with a session id of 1,000 characters',
          actual: outcome.message,
          frame: requests.at(-1)?.frame,
        })
      }
      const wrong = requests.find(({ headers }) => headers['mcp-session-id'] !== id)
      exam.expect(wrong === undefined, {
        expected: id === undefined ? 'no session id' : 'the whole session id',
        actual: shortJson(wrong?.headers['mcp-session-id']),
        frame: wrong?.frame,
      })
      await exam.endClient()
    }
  },
  { title: 'Sessions are optional, and their ids any visible ASCII' },
)
