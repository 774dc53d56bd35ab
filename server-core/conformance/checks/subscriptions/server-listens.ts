import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { HttpConnection } from '../../probe/http-connection.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { announcedLists, changeList, noticeOf, type ChangingList } from '../lists/list-changes.ts'
import {
  ACKNOWLEDGED,
  belongs,
  openListen,
  requireListens,
  sendListen,
  tagOf,
  type OpenListen,
} from './listen.ts'

const KINDS = {
  tools: 'toolsListChanged',
  prompts: 'promptsListChanged',
  resources: 'resourcesListChanged',
} as const

/** Listens for everything that the server may tell. */
function everything(probe: ServerProbe): JsonObject {
  const uri = probe.server.resources[0]?.['uri']
  return {
    toolsListChanged: true,
    promptsListChanged: true,
    resourcesListChanged: true,
    ...(uri !== undefined && { resourceSubscriptions: [uri] }),
  }
}

export const listenAck = serverCheck(
  'subscriptions.server.ack',
  async (probe) => {
    const undeclared = Object.entries(KINDS).filter(([kind]) => !probe.declares(`${kind}.listChanged`))
    const unsupported = Object.fromEntries(undeclared.map(([, member]) => [member, true]))
    const listens: readonly { id: unknown; filter: JsonObject }[] = [
      { id: 5, filter: everything(probe) },
      { id: '5', filter: everything(probe) },
      ...(undeclared.length > 0 ? [{ id: 6, filter: unsupported }] : []),
      { id: 'none', filter: {} },
    ]
    for (const { id, filter } of listens) {
      // Each has a connection of its own: 5 and "5" are different ids.
      const connection = await probe.connect({ fresh: true })
      const listen = await sendListen(connection, filter, id)
      const { first } = listen
      if (first === undefined) probe.timedOut = true
      else requireListens(probe, first.message)
      if (first?.message['method'] !== ACKNOWLEDGED) {
        probe.fail({
          expected: `${ACKNOWLEDGED} as the first message`,
          actual: first === undefined ? 'nothing' : shortJson(first.message),
          frame: first?.frame ?? listen.sent.frame,
        })
        continue
      }
      const tag = tagOf(first.message)
      probe.expect(tag === id, {
        expected: `the subscription id ${shortJson(id)}`,
        actual: shortJson(tag),
        member: '/params/_meta',
        statement: 'subscriptions.id-value',
        frame: first.frame,
      })
      judgeAccepted(probe, first, filter)
    }
  },
  { title: 'Listens are acknowledged first, with their id' },
)

function judgeAccepted(probe: ServerProbe, { message, frame }: InMessage, filter: JsonObject): void {
  const { params } = message
  const accepted = isJsonObject(params) ? params['notifications'] : undefined
  if (!isJsonObject(accepted)) {
    probe.fail({
      expected: 'what was accepted',
      actual: shortJson(accepted),
      member: '/params/notifications',
      frame,
    })
    return
  }
  for (const [member, value] of Object.entries(accepted)) {
    const isAsked = value === false || (Array.isArray(value) && value.length === 0) || member in filter
    const kind = Object.entries(KINDS).find(([, each]) => each === member)?.[0]
    const isSupported = kind === undefined || value !== true || probe.declares(`${kind}.listChanged`)
    probe.expect(isAsked && isSupported, {
      expected: `a subset of ${shortJson(filter)} that the server declares`,
      actual: shortJson({ [member]: value }),
      member: `/params/notifications/${member}`,
      statement: 'subscriptions.unsupported-omitted',
      frame,
    })
  }
}

const isNotice = ({ message: { method } }: InMessage) =>
  typeof method === 'string' &&
  (method.endsWith('/list_changed') || method === 'notifications/resources/updated')

export const onlyRequested = serverCheck(
  'subscriptions.server.only-requested',
  async (probe) => {
    probe.fixture('changes-lists')
    const kinds = announcedLists(probe)
    const [wanted] = kinds
    if (wanted === undefined) return
    const connection = await probe.connect()
    const { from } = await openListen(probe, connection, { [KINDS[wanted]]: true })
    for (const kind of kinds) if (kind !== wanted) await changeList(probe, connection, kind)
    await changeList(probe, connection, wanted)
    const notice = await connection.waitForMethod(noticeOf(wanted), { from })
    if (notice === undefined) probe.inconclusive(`${noticeOf(wanted)} did not come`)
    for (const item of connection.received.slice(from)) {
      if (!isNotice(item) || item.message['method'] === noticeOf(wanted)) continue
      probe.fail({
        expected: `${noticeOf(wanted)} alone, as nothing else was asked for`,
        actual: String(item.message['method']),
        member: '/method',
        frame: item.frame,
      })
    }
  },
  { title: 'Only requested notifications are sent' },
)

export const unsolicited = serverCheck(
  'subscriptions.server.unsolicited',
  async (probe) => {
    probe.fixture('changes-lists')
    const connection = await probe.connect()
    for (const kind of announcedLists(probe)) await changeList(probe, connection, kind)
    await connection.barrier()
    await connection.silence()
    for (const item of connection.received.filter(isNotice)) {
      probe.fail({
        expected: 'no notice without a listen',
        actual: String(item.message['method']),
        member: '/method',
        frame: item.frame,
      })
    }
  },
  { title: 'No notifications are sent without a listen' },
)

/** Ends a listen: over HTTP by closing its stream, elsewhere by cancelling it. */
async function endListen(connection: ProbeConnection, listen: OpenListen): Promise<void> {
  if (listen.sent.exchange !== undefined) listen.sent.exchange.close()
  else await connection.notify('notifications/cancelled', { requestId: listen.id })
}

export const concurrentListens = serverCheck(
  'subscriptions.server.concurrent',
  async (probe) => {
    const canChange = probe.findFixture('changes-lists') !== undefined
    const kinds = canChange ? announcedLists(probe) : (['tools', 'prompts', 'resources'] as const)
    const connection = await probe.connect()
    const listens: { readonly kind: ChangingList; readonly listen: OpenListen }[] = []
    for (const kind of kinds) {
      if (listens.length === 0) {
        listens.push({ kind, listen: await openListen(probe, connection, { [KINDS[kind]]: true }) })
        continue
      }
      const listen = await sendListen(connection, { [KINDS[kind]]: true })
      listens.push({ kind, listen })
      probe.expect(listen.first?.message['method'] === ACKNOWLEDGED, {
        severity: 'info',
        expected: 'each of several listens acknowledged',
        actual: shortJson(listen.first?.message),
        frame: listen.first?.frame ?? listen.sent.frame,
      })
    }
    const closed = listens.pop()
    if (closed === undefined || listens.length === 0) return
    await endListen(connection, closed.listen)
    await connection.barrier()
    if (!canChange) return
    for (const { kind, listen } of listens) {
      const { length } = connection.received
      await changeList(probe, connection, kind)
      const told = await connection.waitFor(
        (item) => item.message['method'] === noticeOf(kind) && belongs(connection, item, listen),
        { from: length },
      )
      probe.timedOut ||= told === undefined
      probe.expect(told !== undefined, {
        severity: 'info',
        expected: `${noticeOf(kind)} on its own listen while others are open`,
        actual: 'nothing',
        frame: listen.sent.frame,
      })
    }
  },
  { title: 'Several listens are served side by side' },
)

const REOPENED = 50

export const reopenListens = serverCheck(
  'subscriptions.server.reopen',
  async (probe) => {
    let connection = await probe.connect()
    await openListen(probe, connection, everything(probe))
    for (let count = 1; count <= REOPENED; count += 1) {
      const listen = await sendListen(connection, everything(probe), `reopened ${count}`)
      if (listen.first?.message['method'] !== ACKNOWLEDGED) {
        probe.timedOut ||= listen.first === undefined
        probe.fail({
          severity: 'info',
          expected: `listen ${count} acknowledged after the others were dropped`,
          actual: shortJson(listen.first?.message),
          frame: listen.first?.frame ?? listen.sent.frame,
        })
        return
      }
      await endListen(connection, listen)
      if (connection.transport !== 'websocket') continue
      await connection.close()
      connection = await probe.connect()
    }
  },
  { title: 'Listens can be opened again after they were dropped' },
)

export const listenStream = serverCheck(
  'subscriptions.server.json-only',
  async (probe) => {
    const connection = await probe.connect()
    if (!(connection instanceof HttpConnection)) return
    const listen = await sendListen(connection, everything(probe))
    const { exchange } = listen.sent
    const head = exchange?.response
    const type = head?.headers['content-type'] ?? ''
    const { first } = listen
    if (first !== undefined) requireListens(probe, first.message)
    const isStream = type.startsWith('text/event-stream')
    const isRefused = first !== undefined && 'error' in first.message
    if (isRefused || (head !== undefined && head.status >= 400)) return
    probe.expect(isStream && first !== undefined, {
      expected: 'an event stream, or an error',
      actual: head === undefined ? 'no response' : `${head.status} ${type} with ${shortJson(first?.message)}`,
      member: '',
      frame: first?.frame ?? exchange?.responseFrame ?? listen.sent.frame,
    })
  },
  { title: 'A listen is answered by a stream' },
)
