import { isDeepStrictEqual } from 'node:util'
import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'

/** Statuses by which a request is refused before anybody read it, so that it may be sent again. */
const isRefusal = (status: number) =>
  [401, 403, 404].includes(status) || status >= 500 || (status >= 300 && status < 400)

export const uniqueInSession = passiveCheck(
  'base.wire.id-unique-session',
  (transcript) => {
    const refused = refusedExchanges(transcript)
    for (const messages of transcript.connections().values()) {
      const used = new Map<string, SeenMessage>()
      for (const seen of messages) {
        if (seen.message['method'] === 'initialize' && seen.kind === 'request') used.clear()
        if (seen.from !== transcript.side || seen.kind !== 'request') continue
        transcript.see()
        const key = JSON.stringify(seen.message['id'])
        const before = used.get(key)
        used.set(key, seen)
        if (before === undefined || wasRepeated(before, seen, refused)) continue
        transcript.fail({
          expected: 'an id that the session has not seen',
          actual: `${shortJson(seen.message['id'])} a second time`,
          member: `${seen.pointer}/id`,
          frame: [seen.frame, before.frame],
        })
      }
    }
  },
  { title: 'No request id occurs twice in a session' },
)

export const uniqueInFlight = passiveCheck(
  'base.wire.id-unique-inflight',
  (transcript) => {
    for (const messages of transcript.connections().values()) {
      const open = new Map<string, SeenMessage>()
      for (const seen of messages) {
        const key = JSON.stringify(seen.message['id'])
        if (seen.kind === 'response' && seen.from !== transcript.side) open.delete(key)
        if (seen.kind === 'notification' && seen.message['method'] === 'notifications/cancelled') {
          open.delete(JSON.stringify(cancelledId(seen)))
        }
        if (seen.from !== transcript.side || seen.kind !== 'request') continue
        // A single open request proves nothing.
        if (open.size > 0) transcript.see()
        const before = open.get(key)
        if (before === undefined) {
          open.set(key, seen)
          continue
        }
        if (isClosedExchange(transcript, before, seen)) continue
        transcript.fail({
          expected: 'an id that no open request has',
          actual: `${shortJson(seen.message['id'])} for two open requests`,
          member: `${seen.pointer}/id`,
          frame: [seen.frame, before.frame],
        })
      }
    }
  },
  { title: 'Open requests differ in their ids' },
)

/** The exchanges of each connection that were refused by their status. */
function refusedExchanges({ frames }: Transcript): ReadonlySet<string> {
  const refused = new Set<string>()
  for (const { http, connection } of frames) {
    if (http?.status !== undefined && isRefusal(http.status))
      refused.add(`${connection.number} ${http.exchange}`)
  }
  return refused
}

function wasRepeated(before: SeenMessage, seen: SeenMessage, refused: ReadonlySet<string>): boolean {
  const { http, connection } = before.frame
  return (
    http !== undefined &&
    refused.has(`${connection.number} ${http.exchange}`) &&
    isDeepStrictEqual(before.message, seen.message)
  )
}

/** Whether the HTTP exchange of a request had ended before another request came, answered or not. */
function isClosedExchange({ frames }: Transcript, before: SeenMessage, seen: SeenMessage): boolean {
  const { http, connection } = before.frame
  if (http === undefined) return false
  return frames.some(
    (frame) =>
      frame.index < seen.frame.index &&
      frame.connection.number === connection.number &&
      frame.http?.exchange === http.exchange &&
      frame.http.status !== undefined &&
      frame.from !== before.from,
  )
}

function cancelledId({ message }: SeenMessage): unknown {
  const { params } = message
  return typeof params === 'object' && params !== null && 'requestId' in params ? params.requestId : undefined
}
