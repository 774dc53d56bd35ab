import type { JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { ProbeConnection } from '../../probe/connection.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { isToolError } from '../tools/calls.ts'
import {
  allCapabilities,
  callAnswering,
  isAsking,
  questionsIn,
  retry,
  sampled,
  usualAnswer,
  usualAnswers,
  type Answer,
} from './call-answering.ts'

/** Begins a call that asks; inconclusive if it does not. */
export async function beginAsking(
  probe: ServerProbe,
  connection: ProbeConnection,
  { name, arguments: args }: FixtureTool,
): Promise<Extract<Outcome, { type: 'result' }>> {
  const asked = await connection.call('tools/call', { name, arguments: args })
  return isAsking(asked) ? asked : probe.inconclusive(`${name} did not ask: ${describeOutcome(asked)}`)
}

/** Whether a call was carried out: it ended without an error and asks nothing more. */
export function isCarriedOut(outcome: Outcome): boolean {
  return outcome.type === 'result' && !isAsking(outcome) && !isToolError(outcome)
}

/** Whether a call came to any end that a server may give it. */
export function isAnswered(outcome: Outcome): boolean {
  return outcome.type === 'result' || outcome.type === 'error'
}

/** What is wrong with the answers, and how they are made of right ones. */
type Variant = {
  readonly what: string
  readonly responses: (right: JsonObject) => unknown
  readonly judge: 'carried out' | 'asks again' | 'not carried out' | 'ends'
  readonly statement: string
}

const all = (right: JsonObject, answer: JsonObject) =>
  Object.fromEntries(Object.keys(right).map((key) => [key, answer]))

const VARIANTS: readonly Variant[] = [
  {
    what: 'right answers',
    responses: (right) => right,
    judge: 'carried out',
    statement: 'mrtr.no-assumption',
  },
  { what: 'a missing answer', responses: () => ({}), judge: 'asks again', statement: 'mrtr.missing-reask' },
  {
    what: 'an answer that nobody asked for',
    responses: (right) => ({ ...right, patchbay_extra: { action: 'accept', content: {} } }),
    judge: 'carried out',
    statement: 'mrtr.ignore-extra',
  },
  {
    what: 'answers of another kind',
    responses: (right) => all(right, sampled('Paris')),
    judge: 'not carried out',
    statement: 'mrtr.validate-responses',
  },
  {
    what: 'content that breaks the schema',
    responses: (right) => all(right, { action: 'accept', content: wrongContent(right) }),
    judge: 'not carried out',
    statement: 'elicitation.server-validates',
  },
  {
    what: 'declined forms',
    responses: (right) => all(right, { action: 'decline' }),
    judge: 'ends',
    statement: 'elicitation.action-values',
  },
  {
    what: 'cancelled forms',
    responses: (right) => all(right, { action: 'cancel' }),
    judge: 'ends',
    statement: 'elicitation.action-values',
  },
  {
    what: 'inputResponses null',
    responses: () => null,
    judge: 'not carried out',
    statement: 'mrtr.validate-responses',
  },
]

/** Every field of the right content, with a value that fits no form. */
function wrongContent(right: JsonObject): JsonObject {
  const contents = Object.values(right).map((answer) => (answer as { content?: unknown }).content)
  const names = contents.flatMap((content) =>
    typeof content === 'object' && content !== null ? Object.keys(content) : [],
  )
  return Object.fromEntries(names.map((name) => [name, { nested: [name] }]))
}

export const answeredRounds = serverCheck(
  'mrtr.server.round',
  async (probe) => {
    const tool = probe.fixture('input-required')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    if (!probe.isModern) {
      await legacyRounds(probe, connection, tool)
      return
    }
    for (const variant of VARIANTS) {
      const asked = await beginAsking(probe, connection, tool)
      if (questionsIn(asked).length === 0) probe.inconclusive(`${tool.name} asks nothing by name`)
      const responses = variant.responses(usualAnswers(asked))
      const outcome = await retry(
        connection,
        { name: tool.name, arguments: tool.arguments },
        asked,
        responses,
      )
      judge(probe, variant, outcome)
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'Answers are checked, and missing ones asked for again' },
)

function judge(probe: ServerProbe, { what, judge: expected, statement }: Variant, outcome: Outcome): void {
  const isRight = {
    'carried out': isCarriedOut(outcome),
    'asks again': isAsking(outcome),
    'not carried out': !isCarriedOut(outcome) && isAnswered(outcome),
    ends: isAnswered(outcome),
  }[expected]
  const isWarning = isAnswered(outcome) && (expected === 'not carried out' || expected === 'asks again')
  probe.expect(isRight, {
    expected: `a call with ${what}: ${expected}`,
    actual: describeOutcome(outcome),
    member: outcome.type === 'error' ? '/error' : '/result',
    statement,
    frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
    ...(isWarning && { severity: 'warning' }),
  })
}

/** Before 2026-07-28 only the answers to one form are varied; a form that is shown again is cancelled. */
async function legacyRounds(
  probe: ServerProbe,
  connection: ProbeConnection,
  tool: FixtureTool,
): Promise<void> {
  const legacy = VARIANTS.filter(({ what }) => !/missing|nobody|null/.test(what))
  for (const variant of legacy) {
    let asked = 0
    const { outcome, questions } = await callAnswering(connection, tool, (question): Answer => {
      const usual = usualAnswer(question)
      asked++
      if (asked > 1) return { result: { action: 'cancel' } }
      if (!('result' in usual)) return usual
      const varied = variant.responses({ only: usual.result }) as JsonObject
      return { result: varied['only'] as JsonObject }
    })
    if (questions.length === 0)
      probe.inconclusive(`${tool.name} asked nothing: ${shortJson(describeOutcome(outcome))}`)
    if (asked > 1 && variant.judge !== 'carried out' && isAnswered(outcome)) continue
    judge(probe, variant, outcome)
    if (connection.closedReason !== undefined) return
  }
}

const ABANDONED = 500

export const abandonedRounds = serverCheck(
  'mrtr.server.abandoned',
  async (probe) => {
    const tool = probe.fixture('input-required')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    if (questionsIn(await beginAsking(probe, connection, tool)).length === 0)
      probe.inconclusive(`${tool.name} asks nothing by name`)
    const total = probe.support.floodCalls ?? ABANDONED
    for (let sent = 0; sent < total; sent += 20) {
      const outcomes = await Promise.all(
        Array.from({ length: 20 }, () =>
          connection.call('tools/call', { name: tool.name, arguments: tool.arguments }),
        ),
      )
      if (outcomes.some(({ type }) => type === 'silence' || type === 'closed')) break
    }
    const asked = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    const outcome = isAsking(asked)
      ? await retry(connection, { name: tool.name, arguments: tool.arguments }, asked, usualAnswers(asked))
      : asked
    probe.expect(isCarriedOut(outcome), {
      expected: `a call served after ${total} that were never answered`,
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'Calls that are never answered hold nothing up' },
)

export const otherProcess = serverCheck(
  'mrtr.server.other-process',
  async (probe) => {
    const tool = probe.fixture('state')
    const capabilities = allCapabilities(probe.cell.revision)
    const [first, second] = [await probe.connect({ capabilities }), await probe.connect({ capabilities })]
    const asked = await beginAsking(probe, first, tool)
    if (asked.result['requestState'] === undefined) probe.notApplicable(`${tool.name} gives no state`)
    const call = { name: tool.name, arguments: tool.arguments }
    const outcome = await retry(second, call, asked, usualAnswers(asked))
    probe.expect(isAnswered(outcome), {
      expected: 'the call carried out on another connection, or a clear error',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'A call goes on over another connection' },
)
