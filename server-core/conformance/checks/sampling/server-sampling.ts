import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import { describeOutcome, shortJson } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { callAnswering, sampled, usualAnswer, type Answer, type Question } from '../mrtr/call-answering.ts'

const METHOD = 'sampling/createMessage'
const isSampling = ({ method }: Question) => method === METHOD

/** The capability sampling, with tools where the revision has them. */
function samplingCapability({ cell }: ServerProbe, withTools = false): JsonObject {
  return { sampling: withTools && cell.revision >= '2025-11-25' ? { tools: {} } : {} }
}

export const samplingRequest = serverCheck(
  'sampling.server.request',
  async (probe) => {
    const tool = probe.fixture('sampling')
    const connection = await probe.connect({ capabilities: samplingCapability(probe) })
    const { questions } = await callAnswering(connection, tool)
    const asked = questions.filter(isSampling)
    if (asked.length === 0) probe.inconclusive(`${tool.name} asked no model`)
    for (const { params, member, frame } of asked) {
      const { messages, maxTokens, modelPreferences, includeContext } = params
      const isMessage = (message: unknown) =>
        isJsonObject(message) &&
        (message['role'] === 'user' || message['role'] === 'assistant') &&
        'content' in message
      const hasMessages = Array.isArray(messages) && messages.length > 0 && messages.every(isMessage)
      probe.expect(hasMessages && Number.isInteger(maxTokens), {
        expected: 'messages with role and content, and maxTokens',
        actual: shortJson(params),
        member,
        frame,
      })
      for (const [name, value] of Object.entries(isJsonObject(modelPreferences) ? modelPreferences : {})) {
        if (!name.endsWith('Priority') || (typeof value === 'number' && value >= 0 && value <= 1)) continue
        probe.fail({
          expected: 'a priority from 0 to 1',
          actual: shortJson(value),
          member: `${member}/modelPreferences/${name}`,
          statement: 'schema.sampling.priority-range',
          frame,
        })
      }
      if (includeContext !== undefined && includeContext !== 'none')
        probe.warn({
          expected: 'includeContext "none" or absent, as the client does not declare context',
          actual: shortJson(includeContext),
          member: `${member}/includeContext`,
          statement: contextStatement(probe),
          frame,
        })
    }
  },
  { title: 'Questions to a model are well formed' },
)

function contextStatement({ entry, cell }: ServerProbe): string {
  const wanted = cell.revision >= '2025-11-25' ? 'sampling.context-undeclared' : 'sampling.context-deprecated'
  return entry.statements.includes(wanted) ? wanted : (entry.statements[0] ?? '')
}

const toolUse = (id: string) => ({ type: 'tool_use', id, name: 'add', input: { a: 1, b: 2 } })

/** An answer that uses the first offered tool twice at once. */
function twoUses({ params }: Question): Answer {
  const tools: unknown[] = Array.isArray(params['tools']) ? params['tools'] : []
  const name = isJsonObject(tools[0]) ? tools[0]['name'] : 'add'
  const content = [
    { ...toolUse('probe_one'), name },
    { ...toolUse('probe_two'), name },
  ]
  return { result: { ...sampled(''), content, stopReason: 'toolUse' } }
}

export const samplingTools = serverCheck(
  'sampling.server.tools',
  async (probe) => {
    const tool = probe.fixture('sampling-tools')
    const without = await probe.connect({ capabilities: samplingCapability(probe) })
    for (const { params, member, frame } of (await callAnswering(without, tool)).questions.filter(
      isSampling,
    )) {
      probe.expect(params['tools'] === undefined && params['toolChoice'] === undefined, {
        expected: 'no tools, as sampling.tools is not declared',
        actual: shortJson(params['tools'] ?? params['toolChoice']),
        member: `${member}/tools`,
        frame,
      })
    }
    const connection = await probe.connect({ capabilities: samplingCapability(probe, true) })
    const { questions } = await callAnswering(connection, tool, (question) =>
      isSampling(question) && question.round === 1 ? twoUses(question) : usualAnswer(question),
    )
    const [first, second] = questions.filter(isSampling)
    if (first?.params['tools'] === undefined) probe.inconclusive(`${tool.name} offered no tools`)
    if (second === undefined) return probe.inconclusive(`${tool.name} did not go on after a tool_use`)
    const { messages } = second.params
    const last: unknown = Array.isArray(messages) ? (messages as unknown[]).at(-1) : undefined
    const content = isJsonObject(last) ? last['content'] : undefined
    const blocks: unknown[] = Array.isArray(content) ? content : [content]
    const at = { member: `${second.member}/messages`, frame: second.frame }
    const others = blocks.filter((block) => !isJsonObject(block) || block['type'] !== 'tool_result')
    probe.expect(others.length === 0, {
      expected: 'a message of tool_result blocks alone',
      actual: shortJson(others),
      statement: 'sampling.tool-results-pure',
      ...at,
    })
    const ids = blocks.map((block) => (isJsonObject(block) ? block['toolUseId'] : undefined)).toSorted()
    probe.expect(shortJson(ids) === shortJson(['probe_one', 'probe_two']), {
      expected: 'one tool_result for each of the two tool_use blocks',
      actual: shortJson(ids),
      statement: 'sampling.tool-results-balanced',
      ...at,
    })
  },
  { title: 'Tools of sampling are used as the specification says' },
)

export const samplingTolerant = serverCheck(
  'sampling.server.tolerant',
  async (probe) => {
    const tool = probe.fixture('sampling')
    const connection = await probe.connect({ capabilities: samplingCapability(probe) })
    const { stopReason: _, ...without } = sampled('Paris')
    const answers: readonly { what: string; answer: Answer; statement: string }[] = [
      {
        what: 'stopReason "banana"',
        answer: { result: sampled('Paris', { stopReason: 'banana' }) },
        statement: 'sampling.stop-reason-open',
      },
      { what: 'no stopReason', answer: { result: without }, statement: 'sampling.stop-reason-open' },
      {
        what: 'another model',
        answer: { result: sampled('Paris', { model: 'another-model' }) },
        statement: 'sampling.client-may-modify',
      },
      ...(probe.isModern
        ? []
        : [
            {
              what: 'error -1',
              answer: { error: { code: -1, message: 'User rejected sampling request' } },
              statement: 'sampling.validate',
            },
          ]),
      { what: 'an empty text', answer: { result: sampled('') }, statement: 'sampling.validate' },
    ]
    for (const { what, answer, statement } of answers) {
      const { outcome, questions } = await callAnswering(connection, tool, (question) =>
        isSampling(question) && question.round === 1 ? answer : usualAnswer(question),
      )
      if (questions.length === 0) probe.inconclusive(`${tool.name} asked no model`)
      probe.expect(outcome.type === 'result' || outcome.type === 'error', {
        severity: 'warning',
        expected: `a call that ends when a model answers with ${what}`,
        actual: describeOutcome(outcome),
        statement,
        frame: outcome.frame ?? outcome.sent,
      })
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'The server copes with every answer of a model' },
)

export const samplingUndeclared = serverCheck(
  'sampling.server.undeclared',
  async (probe) => {
    const tool = probe.fixture('sampling')
    const connection = await probe.connect()
    const { outcome, questions } = await callAnswering(connection, tool)
    for (const { member, frame } of questions.filter(isSampling))
      probe.fail({ expected: `no ${METHOD}, as sampling is not declared`, actual: METHOD, member, frame })
    probe.expect(outcome.type === 'result' || outcome.type === 'error', {
      expected: 'an error that says so',
      actual: describeOutcome(outcome),
      frame: outcome.frame ?? outcome.sent,
    })
  },
  { title: 'No model is asked that is not declared' },
)

const MOST_ROUNDS = 50

export const samplingLoop = serverCheck(
  'sampling.server.loop',
  async (probe) => {
    const tool = probe.fixture('sampling-tools')
    const connection = await probe.connect({ capabilities: samplingCapability(probe, true) })
    let asked = 0
    const { questions } = await callAnswering(connection, tool, (question) => {
      if (!isSampling(question)) return usualAnswer(question)
      asked += 1
      if (asked > MOST_ROUNDS) return usualAnswer(question)
      const given = twoUses(question)
      if (!('result' in given)) return given
      const content = [{ ...toolUse(`probe_${asked}`), name: nameOf(question) }]
      return { result: { ...given.result, content } }
    })
    if (asked < 2) probe.inconclusive(`${tool.name} does not go on after a tool_use`)
    probe.expect(asked <= MOST_ROUNDS, {
      severity: 'warning',
      expected: `an end within ${MOST_ROUNDS} rounds of tool use`,
      actual: `${asked} rounds`,
      frame: questions.at(-1)?.frame,
    })
  },
  { title: 'A loop of tool use ends' },
)

function nameOf({ params }: Question): unknown {
  const tools: unknown[] = Array.isArray(params['tools']) ? params['tools'] : []
  return isJsonObject(tools[0]) ? tools[0]['name'] : 'add'
}
