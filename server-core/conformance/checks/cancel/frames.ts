import { isJsonObject } from '../../../protocol/json.ts'
import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'
import { CANCELLED } from './slow-calls.ts'

/** A cancellation may cross an answer on its way for so long. */
const CROSSING_MS = 2_000
/** A peer that bounds what it reads does not read an answer that nests more deeply. */
const READABLE_LEVELS = 128
/** So many that come after the answer are not an accident. */
const MOST_CROSSINGS = 2

/** The requests of one side on a connection, by id, with the time of their answer. */
type Requests = Map<string, { readonly request: SeenMessage; answeredAt?: number }>

function inspect(transcript: Transcript): void {
  for (const messages of transcript.connections().values()) {
    const own: Requests = new Map()
    const foreign: Requests = new Map()
    const crossings: SeenMessage[] = []
    for (const seen of messages) {
      const { message, from, kind, frame } = seen
      const isOwn = from === transcript.side
      const key = JSON.stringify(message['id'])
      if (kind === 'request') (isOwn ? own : foreign).set(key, { request: seen })
      if (kind === 'response' && !nestsBeyond(message, READABLE_LEVELS)) {
        const open = (isOwn ? foreign : own).get(key)
        if (open !== undefined) open.answeredAt ??= frame.at
      }
      if (!isOwn || message['method'] !== CANCELLED) continue
      transcript.see()
      const isModernServer = transcript.side === 'server' && seen.revision >= '2026-07-28'
      const crossed = isModernServer
        ? judgeListen(transcript, seen, foreign)
        : judgeOwn(transcript, seen, own)
      if (crossed) crossings.push(seen)
    }
    if (crossings.length <= MOST_CROSSINGS) continue
    transcript.fail({
      expected: 'no cancellation of answered requests',
      actual: `${crossings.length} cancellations right after the answers`,
      statement: 'cancel.own-inflight-only',
      member: '/params/requestId',
      frame: crossings.map(({ frame }) => frame),
    })
  }
}

/** Judges one by the requests of its sender, and says whether it came right after an answer. */
function judgeOwn(transcript: Transcript, seen: SeenMessage, own: Requests): boolean {
  const { message, frame, pointer } = seen
  const id = requestIdOf(seen)
  const where = { member: `${pointer}/params/requestId`, frame }
  if (id === undefined) {
    transcript.fail({
      expected: 'the id of a request',
      actual: shortJson(message['params']),
      statement: 'cancel.notification-requestid-required',
      ...where,
    })
    return false
  }
  const target = own.get(JSON.stringify(id))
  const waited = target?.answeredAt === undefined ? undefined : frame.at - target.answeredAt
  if (target !== undefined && (waited === undefined || waited < CROSSING_MS)) return waited !== undefined
  transcript.fail({
    expected: 'the id of an open request of its own',
    actual: target === undefined ? `${shortJson(id)}, which is unknown` : `${shortJson(id)}, answered before`,
    statement: 'cancel.own-inflight-only',
    ...where,
  })
  return false
}

/** A server of 2026-07-28 cancels listens alone. */
function judgeListen(transcript: Transcript, seen: SeenMessage, foreign: Requests): boolean {
  const { frame, pointer } = seen
  const id = requestIdOf(seen)
  const target = foreign.get(JSON.stringify(id))
  if (target?.request.message['method'] === 'subscriptions/listen') {
    const { answeredAt = frame.at } = target
    if (frame.at - answeredAt < CROSSING_MS) return false
  }
  transcript.fail({
    expected: 'the id of an open listen',
    actual: shortJson(id),
    statement: id === undefined ? 'cancel.notification-requestid-required' : 'cancel.server-only-listen',
    member: `${pointer}/params/requestId`,
    frame,
  })
  return false
}

/** Whether a value nests more than so many levels. */
function nestsBeyond(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  return levels === 0 || Object.values(value).some((member) => nestsBeyond(member, levels - 1))
}

function requestIdOf({ message }: SeenMessage): unknown {
  return isJsonObject(message['params']) ? message['params']['requestId'] : undefined
}

export const serverTargets = passiveCheck('cancel.server.valid-target', inspect, {
  title: 'Servers cancel open requests of their own',
})

export const clientTargets = passiveCheck('cancel.client.valid-target', inspect, {
  title: 'Clients cancel open requests of their own',
})
