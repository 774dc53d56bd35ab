import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

/** The URI of a listed resource; not applicable if there are not so many. */
function uriAt(probe: ServerProbe, index: number): string {
  const uri = probe.server.resources[index]?.['uri']
  return typeof uri === 'string'
    ? uri
    : probe.notApplicable(`the server lists fewer than ${index + 1} resources`)
}

function isEmpty(result: JsonObject): boolean {
  return Object.keys(result).every((name) => name === '_meta')
}

export const subscribe = serverCheck(
  'resources.server.subscribe',
  async (probe) => {
    probe.requireCapability('resources.subscribe')
    const uri = uriAt(probe, 0)
    const connection = await probe.connect()
    const requests = [
      { method: 'resources/subscribe', uri, mayFail: false },
      { method: 'resources/subscribe', uri, mayFail: false },
      { method: 'resources/unsubscribe', uri, mayFail: false },
      { method: 'resources/unsubscribe', uri: 'patchbay://never-subscribed', mayFail: true },
    ]
    for (const { method, uri: subscribed, mayFail } of requests) {
      const outcome = await connection.call(method, { uri: subscribed })
      const isRight =
        (outcome.type === 'result' && isEmpty(outcome.result)) ||
        (mayFail && outcome.type === 'error' && outcome.code !== -32601)
      probe.expect(isRight, {
        expected: `${method} of ${subscribed} answered by {}`,
        actual: describeOutcome(outcome),
        member: outcome.type === 'error' ? '/error' : '/result',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
    }
  },
  { title: 'Subscribing and unsubscribing are answered by {}' },
)

const UPDATED = 'notifications/resources/updated'

export const updated = serverCheck(
  'resources.server.updated',
  async (probe) => {
    probe.requireCapability('resources.subscribe')
    const { name } = probe.fixture('changes-resource')
    const [kept, other, former] = [uriAt(probe, 0), uriAt(probe, 1), uriAt(probe, 2)]
    const connection = await probe.connect()
    await connection.request('resources/subscribe', { uri: kept })
    await connection.request('resources/subscribe', { uri: former })
    await connection.request('resources/unsubscribe', { uri: former })
    const from = connection.received.length
    // The subscribed one comes last, so that the notices of the others would have come before.
    for (const uri of [other, former, kept])
      await connection.request('tools/call', { name, arguments: { uri } })
    const uriOf = ({ params }: JsonObject) =>
      typeof params === 'object' && params !== null && 'uri' in params ? String(params.uri) : ''
    const isFor = (uri: string, message: JsonObject) =>
      message['method'] === UPDATED && (uriOf(message) === uri || uriOf(message).startsWith(`${uri}/`))
    const notice = await connection.waitFor(({ message }) => isFor(kept, message), { from })
    if (notice === undefined)
      probe.fail({ expected: `${UPDATED} of the subscribed ${kept}`, actual: 'no notice' })
    for (const { message, frame } of connection.received.slice(from)) {
      if (message['method'] !== UPDATED || isFor(kept, message)) continue
      const what = isFor(former, message) ? 'no longer subscribed' : 'not subscribed'
      probe.fail({
        expected: `no notice of what is ${what}`,
        actual: shortJson(uriOf(message)),
        member: '/params/uri',
        frame,
      })
    }
  },
  { title: 'Updates are sent for subscribed resources alone' },
)
