import { isDeepStrictEqual } from 'node:util'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { declaredLists, keysInOrder, sortedKeys, walk, type ListMethod } from './list-methods.ts'

export const listsAnswered = serverCheck(
  'lists.server.answered',
  async (probe) => {
    const connection = await probe.connect()
    for (const { method, member, capability } of declaredLists(probe, { templates: false })) {
      const outcome = await connection.call(method)
      const isList = outcome.type === 'result' && Array.isArray(outcome.result[member])
      probe.expect(isList, {
        expected: `${method} answered by an array, which may be empty`,
        actual: describeOutcome(outcome),
        member: `/result/${member}`,
        statement: `${capability}.list-answered`,
        frame: outcome.frame ?? outcome.sent,
      })
    }
  },
  { title: 'Declared lists are answered, empty ones too' },
)

export const connectionIndependent = serverCheck(
  'lists.server.connection-independent',
  async (probe) => {
    const [a, b] = [await probe.connect({ fresh: true }), await probe.connect({ fresh: true })]
    const lists = declaredLists(probe, { templates: false })
    for (const list of lists) await compare(probe, list, a, b)
    await useOften(probe, a)
    for (const list of lists) await compare(probe, list, a, b)
  },
  { title: 'Lists do not depend on the connection' },
)

/** Reads a list on A, B, A and B; what A shows in both readings and B in neither is a difference of the connections. */
async function compare(
  probe: ServerProbe,
  list: ListMethod,
  a: ProbeConnection,
  b: ProbeConnection,
): Promise<void> {
  const walks = [await walk(a, list), await walk(b, list), await walk(a, list), await walk(b, list)]
  if (walks.some(({ isWhole }) => !isWhole)) return
  const [firstA, firstB, secondA, secondB] = walks.map((each) => sortedKeys(list, each))
  if (!isDeepStrictEqual(firstA, secondA) || !isDeepStrictEqual(firstB, secondB)) return
  const [ofA = [], ofB = []] = [firstA, firstB]
  const only = [...ofA.filter((key) => !ofB.includes(key)), ...ofB.filter((key) => !ofA.includes(key))]
  probe.expect(only.length === 0, {
    expected: `${list.method} the same on every connection`,
    actual: `${shortJson(only)} on one of two connections`,
    member: `/result/${list.member}`,
    statement: `${list.capability}.list-connection-independent`,
    frame: walks.flatMap(({ pages }) => pages.map(({ outcome }) => outcome.frame ?? outcome.sent)),
  })
}

/** Ten calls and reads, as far as they are permitted. */
async function useOften(probe: ServerProbe, connection: ProbeConnection): Promise<void> {
  const tool = probe.findFixture('simple')
  const [resource] = probe.server.resources
  for (let count = 0; count < 5; count += 1) {
    if (tool !== undefined)
      await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    if (resource !== undefined) await connection.call('resources/read', { uri: resource['uri'] })
  }
}

export const listOrder = serverCheck(
  'lists.server.order',
  async (probe) => {
    probe.requireCapability('tools')
    const [list] = declaredLists(probe)
    if (list === undefined) return
    const connections = [await probe.connect({ fresh: true }), await probe.connect({ fresh: true })]
    let first: readonly string[] | undefined
    for (let reading = 0; reading < 5; reading += 1) {
      const connection = connections[reading % 2]
      if (connection === undefined) continue
      const read = await walk(connection, list)
      if (!read.isWhole) probe.inconclusive('tools/list could not be read to its end')
      const keys = keysInOrder(list, read)
      const before = (first ??= keys)
      // What was added or removed meanwhile says nothing about the order of the others.
      const common = keys.filter((key) => before.includes(key))
      const commonBefore = before.filter((key) => keys.includes(key))
      if (isDeepStrictEqual(common, commonBefore)) continue
      probe.warn({
        expected: `the same order each time: ${shortJson(commonBefore)}`,
        actual: shortJson(common),
        member: '/result/tools',
        frame: read.pages.map(({ outcome }) => outcome.frame ?? outcome.sent),
      })
      return
    }
  },
  { title: 'Tools are listed in the same order each time' },
)
