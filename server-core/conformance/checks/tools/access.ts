import { isJsonObject } from '../../../protocol/json.ts'
import { clientCheck, serverCheck } from '../../check.ts'
import type { HttpConnection } from '../../probe/http-connection.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'

/** Connections of two principals to the server that wants a token; not applicable without two tokens. */
export async function twoPrincipals(
  probe: ServerProbe,
  capabilities = {},
): Promise<readonly [HttpConnection, HttpConnection]> {
  const known = probe.target.protected
  if (known?.secondToken === undefined || probe.cell.transport !== 'http')
    return probe.notApplicable('no tokens of two principals are known')
  const { secondToken } = known
  const first = await probe.connectProtected({ capabilities })
  return [first, await probe.connectProtected({ capabilities, token: secondToken })]
}

const MAX_PAGES = 20

/** What one principal sees of a list, by name or URI. */
async function listed(
  connection: HttpConnection,
  method: string,
  member: string,
  key: string,
): Promise<readonly string[]> {
  const found: string[] = []
  let cursor: unknown
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const outcome = await connection.call(method, cursor === undefined ? {} : { cursor })
    if (outcome.type !== 'result') break
    const items = outcome.result[member]
    for (const item of Array.isArray(items) ? (items as unknown[]) : [])
      if (isJsonObject(item)) found.push(String(item[key]))
    cursor = outcome.result['nextCursor']
    if (typeof cursor !== 'string') break
  }
  return found
}

const USES = [
  { list: 'tools/list', member: 'tools', key: 'name', method: 'tools/call', argument: 'name' },
  { list: 'resources/list', member: 'resources', key: 'uri', method: 'resources/read', argument: 'uri' },
  { list: 'prompts/list', member: 'prompts', key: 'name', method: 'prompts/get', argument: 'name' },
] as const

export const access = serverCheck(
  'tools.server.access',
  async (probe) => {
    const pair = await twoPrincipals(probe)
    let differences = 0
    for (const { list, member, key, method, argument } of USES) {
      const [ofFirst, ofSecond] = await Promise.all(
        pair.map((connection) => listed(connection, list, member, key)),
      )
      for (const [lesser, own = [], all = []] of [
        [pair[1], ofSecond, ofFirst],
        [pair[0], ofFirst, ofSecond],
      ] as const) {
        const hidden = all.find((name) => !own.includes(name))
        if (hidden === undefined) continue
        differences += 1
        const outcome = await lesser.call(method, { [argument]: hidden })
        const isRefused = outcome.type !== 'result' || outcome.result['isError'] === true
        probe.expect(isRefused, {
          expected: `${method} of ${shortJson(hidden)} refused, which only another principal may use`,
          actual: describeOutcome(outcome),
          statement: method === 'resources/read' ? 'resources.access-control' : 'tools.access-controls',
          frame: outcome.frame ?? outcome.sent,
        })
      }
    }
    if (differences === 0) probe.notApplicable('both principals see the same')
  },
  { title: 'What is hidden from a principal cannot be used' },
)

export const collision = clientCheck(
  'tools.client.collision',
  (exam) => Promise.resolve(exam.notApplicable('the client is connected to one server')),
  { title: 'Tools of the same name are told apart' },
)

export const byAuthorization = clientCheck(
  'lists.client.by-authorization',
  (exam) => Promise.resolve(exam.notApplicable('the client has one principal')),
  { title: 'Lists of two principals are kept apart' },
)
