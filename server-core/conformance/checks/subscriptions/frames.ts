import { passiveCheck } from '../../check.ts'
import type { SeenMessage, Transcript } from '../../passive/transcript.ts'
import { shortJson } from '../../probe/outcome.ts'
import { ACKNOWLEDGED, tagOf } from './listen.ts'

const NOTICES = new Set([
  ACKNOWLEDGED,
  'notifications/tools/list_changed',
  'notifications/prompts/list_changed',
  'notifications/resources/list_changed',
  'notifications/resources/updated',
])

/** The exchange that carried a message, as a key; undefined where there is none. */
function exchangeOf({ frame }: SeenMessage): string | undefined {
  const exchange = frame.http?.exchange
  return exchange === undefined ? undefined : `${frame.connection.number} ${exchange}`
}

export const listenTags = passiveCheck(
  'subscriptions.server.tags',
  (transcript) => {
    const isDelivered = ({ message, answers }: SeenMessage) =>
      NOTICES.has(String(message['method'])) ||
      (answers?.message['method'] === 'subscriptions/listen' && 'result' in message)
    for (const seen of transcript.examined(isDelivered)) {
      const { message, frame, answers } = seen
      const tag = tagOf(message)
      const isRight = answers === undefined ? tag !== undefined : tag === answers.message['id']
      if (isRight) continue
      transcript.fail({
        expected:
          answers === undefined
            ? 'a subscription id'
            : `the subscription id ${shortJson(answers.message['id'])}`,
        actual: shortJson(tag),
        member: answers === undefined ? '/params/_meta' : '/result/_meta',
        frame,
      })
    }
  },
  { title: 'Everything on a listen has its subscription id' },
)

const SCOPED: Readonly<Record<string, string>> = {
  'notifications/message': 'logging.own-stream-only',
  'notifications/progress': 'progress.request-scoped-modern',
}

export const scopedNotices = passiveCheck(
  'subscriptions.server.scoped-notices',
  (transcript) => {
    const listens = listenExchanges(transcript)
    const isOnListen = (seen: SeenMessage) =>
      tagOf(seen.message) !== undefined || listens.has(exchangeOf(seen) ?? 'none')
    for (const { message, frame } of transcript.examined(isOnListen)) {
      const statement = SCOPED[String(message['method'])]
      if (statement === undefined) continue
      transcript.fail({
        expected: 'no log messages and no progress on a listen',
        actual: String(message['method']),
        member: '/method',
        statement,
        frame,
      })
    }
  },
  { title: 'Listens carry no log messages and no progress' },
)

/** The HTTP exchanges that carry listens. */
function listenExchanges(transcript: Transcript): ReadonlySet<string> {
  return new Set(
    transcript.messages.flatMap((seen) => {
      const key = seen.message['method'] === 'subscriptions/listen' ? exchangeOf(seen) : undefined
      return key === undefined ? [] : [key]
    }),
  )
}
