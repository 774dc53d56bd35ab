import { isJsonObject } from '../../../protocol/json.ts'
import { passiveCheck } from '../../check.ts'
import type { CapturedFrame } from '../../frames/captured-frame.ts'
import type { SeenMessage } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'

const PROGRESS = 'notifications/progress'
/** Streams have no common order: a progress may arrive so long after the answer on another one. */
const CROSSING_MS = 2_000

const paramsOf = ({ params }: Readonly<Record<string, unknown>>) => (isJsonObject(params) ? params : {})

/** The token that a request gives. */
function tokenOf({ message }: SeenMessage): unknown {
  const { _meta: meta } = paramsOf(message)
  return isJsonObject(meta) ? meta['progressToken'] : undefined
}

type Followed = {
  readonly request: SeenMessage
  answer?: SeenMessage
  /** It is not judged: it was cancelled, or became a task. */
  isFree?: true
}

/** The requests of the other side with a token, by token, as they are when each message comes. */
function* followed(
  messages: readonly SeenMessage[],
  side: string,
): Generator<readonly [SeenMessage, Followed | undefined]> {
  const byToken = new Map<string, Followed>()
  const byId = new Map<string, Followed>()
  for (const seen of messages) {
    const { message, from, kind } = seen
    const id = JSON.stringify(message['id'])
    if (kind === 'request' && from !== side) {
      const token = tokenOf(seen)
      const entry = { request: seen }
      byId.set(id, entry)
      if (token !== undefined) byToken.set(JSON.stringify(token), entry)
    } else if (kind === 'response' && from === side) {
      const entry = byId.get(id)
      if (entry !== undefined) entry.answer ??= seen
      const { result } = message
      if (entry !== undefined && isJsonObject(result) && 'task' in result) entry.isFree = true
    } else if (message['method'] === 'notifications/cancelled' && from !== side) {
      const entry = byId.get(JSON.stringify(paramsOf(message)['requestId']))
      if (entry !== undefined) entry.isFree = true
    } else if (message['method'] === PROGRESS && from === side) {
      yield [seen, byToken.get(JSON.stringify(paramsOf(message)['progressToken']))]
    }
  }
}

const exchangeOf = ({ http }: CapturedFrame) => http?.exchange

export const activeOnly = passiveCheck(
  'progress.server.active-only',
  (transcript) => {
    for (const messages of transcript.connections().values()) {
      for (const [seen, target] of followed(messages, transcript.side)) {
        transcript.see()
        if (target?.isFree === true) continue
        const { frame, message, pointer } = seen
        const answered = target?.answer?.frame
        const isLate =
          answered !== undefined &&
          (exchangeOf(answered) === exchangeOf(frame) || frame.at - answered.at > CROSSING_MS)
        if (target !== undefined && !isLate) continue
        transcript.fail({
          expected: 'progress of an open request',
          actual: `${shortJson(paramsOf(message)['progressToken'])}, ${target === undefined ? 'which no request gave' : 'whose request was answered'}`,
          statement: target === undefined ? 'progress.active-token-only' : 'progress.stop-after-completion',
          member: `${pointer}/params/progressToken`,
          frame: answered === undefined ? frame : [frame, answered],
        })
      }
    }
  },
  { title: 'Progress belongs to an open request' },
)

export const ownStream = passiveCheck(
  'progress.server.own-stream',
  (transcript) => {
    const resumed = new Set<string>()
    const place = (frame: CapturedFrame) => `${frame.connection.number} ${String(exchangeOf(frame))}`
    for (const frame of transcript.frames) {
      const isResuming = frame.from === 'client' && frame.http?.headers['last-event-id'] !== undefined
      if (isResuming) resumed.add(place(frame))
    }
    for (const messages of transcript.connections().values()) {
      for (const [{ frame, pointer, revision }, target] of followed(messages, transcript.side)) {
        // The stream of a request ends when its task begins, and the progress of the task comes elsewhere.
        if (target === undefined || target.isFree === true) continue
        transcript.see()
        const isOwn = exchangeOf(frame) === exchangeOf(target.request.frame)
        if (isOwn || resumed.has(place(frame))) continue
        const isModern = revision >= '2026-07-28'
        const finding = {
          expected: 'progress on the stream of its request',
          actual: `progress on the stream of ${frame.http?.method ?? 'another'} ${String(exchangeOf(frame))}`,
          statement: isModern ? 'http26.sse.related-only' : 'http.post.sse-related-only',
          member: `${pointer}/params/progressToken`,
          frame: [frame, target.request.frame],
        }
        if (isModern) transcript.fail(finding)
        else transcript.warn(finding)
      }
    }
  },
  { title: 'Progress comes on the stream of its request' },
)
