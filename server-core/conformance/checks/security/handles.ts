import type { JsonObject } from '../../../protocol/json.ts'
import { isJsonObject } from '../../../protocol/json.ts'
import { serverCheck, type Check } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { shortJson } from '../../probe/outcome.ts'

const HANDLES = 200

function handleIn({ structuredContent }: JsonObject): string | undefined {
  const handle = isJsonObject(structuredContent) ? structuredContent['handle'] : undefined
  return typeof handle === 'string' ? handle : undefined
}

/** Handles that one could guess from another: its number one more, or one less. */
function neighboursOf(handle: string): readonly string[] {
  const digits = /\d+$/.exec(handle)?.[0]
  if (digits === undefined || digits.length > 15) return []
  const stem = handle.slice(0, -digits.length)
  return [-1, 1].map((step) => `${stem}${String(Number(digits) + step).padStart(digits.length, '0')}`)
}

const handles = serverCheck(
  'security.server.handles',
  async (probe) => {
    const tool = probe.fixture('cross-request-state')
    const create = async (connection: ProbeConnection) => {
      const result = await connection.request('tools/call', { name: tool.name, arguments: tool.arguments })
      return handleIn(result) ?? probe.inconclusive(`no handle in ${shortJson(result)}`)
    }
    /** Whether a handle is served, and the frame that shows it. */
    const use = async (connection: ProbeConnection, handle: string) => {
      const outcome = await connection.call('tools/call', { name: tool.name, arguments: { handle } })
      const isServed = outcome.type === 'result' && outcome.result['isError'] !== true
      return { isServed, frame: outcome.frame ?? outcome.sent }
    }
    const first = await probe.connect()
    for (let count = 0; count < HANDLES; count += 1) await create(first)
    const second = await probe.connect()
    const own = await create(second)
    for (const guess of neighboursOf(own)) {
      const { isServed, frame } = await use(second, guess)
      probe.expect(!isServed, {
        expected: 'handles that cannot be guessed',
        actual: `${shortJson(guess)}, guessed from ${shortJson(own)}`,
        statement: 'security.handle-random',
        frame,
      })
    }
    if (probe.cell.transport !== 'http' || probe.target.protected?.secondToken === undefined) return
    const { secondToken } = probe.target.protected
    const alice = await create(await probe.connectProtected())
    const bob = await probe.connectProtected({ token: secondToken })
    const { isServed, frame } = await use(bob, alice)
    probe.expect(!isServed, {
      expected: 'the handle of another principal refused',
      actual: 'its state served',
      statement: 'security.handle-user-bound',
      frame,
    })
  },
  { title: 'Handles are random and belong to their user' },
)

/** Checks that need somebody whom a connection does not show, with the reason why they examine nothing. */
const PROXY = 'no proxy with a static client at an upstream authorization server is under test'
const proxies = [
  ['security.proxy.consent', 'A proxy asks for consent for each client'],
  ['security.proxy.redirect', 'A proxy compares redirects exactly'],
  ['security.proxy.state', 'A proxy keeps its state apart'],
] as const

/** The checks of handles and proxies. */
export const HANDLE_CHECKS: readonly Check[] = [
  handles,
  ...proxies.map(([id, title]) =>
    serverCheck(id, (probe) => Promise.resolve(probe.notApplicable(PROXY)), { title }),
  ),
]
