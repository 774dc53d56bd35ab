import { isDeepStrictEqual } from 'node:util'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { openListen } from '../subscriptions/listen.ts'
import { LIST_METHODS, sortedKeys, walk } from './list-methods.ts'

/** The lists that the fixture tool can change and that notices are declared for. */
export const CHANGING = ['tools', 'prompts', 'resources'] as const
export type ChangingList = (typeof CHANGING)[number]

/** The notification of a change. */
export function noticeOf(kind: ChangingList): string {
  return `notifications/${kind}/list_changed`
}

/** Changes a list of the server by its fixture tool. */
export async function changeList(
  probe: ServerProbe,
  connection: ProbeConnection,
  kind: ChangingList,
): Promise<void> {
  const { name } = probe.fixture('changes-lists')
  await connection.request('tools/call', { name, arguments: { kind } })
}

/** The lists whose changes the server announces; not applicable if it announces none. */
export function announcedLists(probe: ServerProbe): readonly ChangingList[] {
  const kinds = CHANGING.filter((kind) => probe.declares(`${kind}.listChanged`))
  if (kinds.length === 0) probe.notApplicable('the server declares no listChanged')
  return kinds
}

export const listsChanged = serverCheck(
  'lists.server.changed',
  async (probe) => {
    probe.fixture('changes-lists')
    for (const kind of announcedLists(probe)) {
      const connection = await probe.connect()
      if (probe.isModern) await openListen(probe, connection, { [`${kind}ListChanged`]: true })
      const list = LIST_METHODS.find((each) => each.kind === kind)
      if (list === undefined) continue
      const before = sortedKeys(list, await walk(connection, list))
      const from = connection.received.length
      await changeList(probe, connection, kind)
      const isNotice = (method: unknown) => typeof method === 'string' && method.endsWith('/list_changed')
      const notice = await connection.waitFor(({ message }) => message['method'] === noticeOf(kind), { from })
      const foreign = connection.received.slice(from).find(({ message: { method } }) => isNotice(method))
      const after = sortedKeys(list, await walk(connection, list))
      const isChanged = !isDeepStrictEqual(before, after)
      if (!isChanged && notice === undefined) probe.inconclusive(`the tool did not change the ${kind}`)
      if (notice !== undefined) continue
      probe.timedOut ||= foreign === undefined
      probe.warn({
        expected: `${noticeOf(kind)} after the ${kind} changed`,
        actual: foreign === undefined ? 'no notice' : String(foreign.message['method']),
        statement: `${kind}.list-changed`,
        frame: foreign?.frame ?? [],
      })
    }
  },
  { title: 'Changes of lists are announced' },
)
