import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { allCapabilities, isAsking, usualAnswers } from './call-answering.ts'
import { beginAsking, isCarriedOut } from './server-rounds.ts'

/** The other letter of the alphabets of base64 and hexadecimal. */
function flipped(state: string, place: number): string {
  const at = Math.min(state.length - 1, Math.max(0, Math.floor(place)))
  return state.slice(0, at) + (state[at] === 'A' ? 'B' : 'A') + state.slice(at + 1)
}

type Variant = { readonly what: string; readonly state: string; readonly severity: 'critical' | 'warning' }

/** Fixtures of the official suite and of this one, whose state steers the result. */
const KNOWN_FIXTURES = /^test_input_required_result_/

export const tamperedState = serverCheck(
  'mrtr.server.tamper',
  async (probe) => {
    const tool = probe.fixture('state')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    const asked = await beginAsking(probe, connection, tool)
    const state = asked.result['requestState']
    if (typeof state !== 'string') return probe.notApplicable(`${tool.name} gives no state`)
    const other = probe.findFixture('input-required')
    const foreign =
      other === undefined || other.name === tool.name
        ? undefined
        : await connection.call('tools/call', { name: other.name, arguments: other.arguments })
    const foreignState = foreign?.type === 'result' ? foreign.result['requestState'] : undefined
    const steers = KNOWN_FIXTURES.test(tool.name) ? 'critical' : 'warning'
    const { length } = state
    const variants: readonly Variant[] = [
      ...[0, 0.1, 0.25, 0.5, 0.75, 0.9].map((part): Variant => ({
        what: `a letter changed at ${Math.round(part * 100)} %`,
        state: flipped(state, part * (length - 3)),
        severity: steers,
      })),
      {
        what: 'its last third cut off',
        state: state.slice(0, Math.ceil((length * 2) / 3)),
        severity: steers,
      },
      { what: 'letters added', state: `${state}AAAA`, severity: 'warning' },
      { what: 'all letters taken away', state: '', severity: steers },
      ...(typeof foreignState === 'string'
        ? [{ what: 'the state of another tool', state: foreignState, severity: 'warning' as const }]
        : []),
    ]
    for (const variant of variants) {
      if (variant.state === state) continue
      const fresh = await beginAsking(probe, connection, tool)
      const outcome = await connection.call('tools/call', {
        name: tool.name,
        arguments: tool.arguments,
        inputResponses: usualAnswers(fresh),
        requestState: variant.state,
      })
      judge(probe, outcome, `a state with ${variant.what}`, variant.severity, 'mrtr.state-integrity')
    }
  },
  { title: 'A state that was changed is refused' },
)

function judge(
  probe: ServerProbe,
  outcome: Outcome,
  what: string,
  severity: 'critical' | 'warning',
  statement: string,
): void {
  if (outcome.type === 'error' || isAsking(outcome) || !isCarriedOut(outcome)) {
    if (outcome.type !== 'silence' && outcome.type !== 'closed') return
  }
  probe.fail({
    severity,
    statement,
    expected: `${what} refused`,
    actual: describeOutcome(outcome),
    member: '/params/requestState',
    frame: outcome.frame === undefined ? outcome.sent : [outcome.sent, outcome.frame],
  })
}

export const replayedState = serverCheck(
  'mrtr.server.replay',
  async (probe) => {
    const tool = probe.fixture('state')
    const capabilities = allCapabilities(probe.cell.revision)
    const connection = await probe.connect({ capabilities })
    const use = async (on: ProbeConnection, change: JsonObject) => {
      const asked = await beginAsking(probe, connection, tool)
      const { requestState } = asked.result
      if (typeof requestState !== 'string') return probe.notApplicable(`${tool.name} gives no state`)
      const inputResponses = usualAnswers(asked)
      const call = { name: tool.name, arguments: tool.arguments, ...change }
      return on.call('tools/call', { ...call, inputResponses, requestState })
    }
    const otherArguments = { ...tool.arguments, patchbay_other: true }
    const changed = await use(connection, { arguments: otherArguments })
    judge(
      probe,
      changed,
      `the state of other arguments (${shortJson(otherArguments)})`,
      'warning',
      'mrtr.state-request-bound',
    )
    const other = probe.findFixture('input-required')
    if (other !== undefined && other.name !== tool.name) {
      const foreign = await use(connection, { name: other.name, arguments: other.arguments })
      judge(probe, foreign, 'the state of another tool', 'warning', 'mrtr.state-request-bound')
    }
    const { secondToken } = probe.support
    if (secondToken === undefined || probe.cell.transport !== 'http') return
    const second = await probe.connect({ capabilities, headers: { authorization: `Bearer ${secondToken}` } })
    judge(probe, await use(second, {}), 'the state of another principal', 'critical', 'mrtr.state-principal')
  },
  { title: 'A state is bound to its request and its principal' },
)
