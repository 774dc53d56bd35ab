import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { serverCheck } from '../../check.ts'
import type { FixtureKind, FixtureTool } from '../../probe/fixture-tools.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import { declaredLists, readPage } from '../lists/list-methods.ts'
import { sendListen } from '../subscriptions/listen.ts'
import { allCapabilities, callAnswering, isAsking, questionsIn, type Question } from './call-answering.ts'
import { doubledKeys } from './doubled-keys.ts'

export const askingMethods = serverCheck(
  'mrtr.server.methods',
  async (probe) => {
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    const outcomes = new Map<string, Outcome>([['server/discover', await connection.call('server/discover')]])
    const hasLists = ['tools', 'prompts', 'resources'].some((each) => probe.declares(each))
    for (const list of hasLists ? declaredLists(probe) : [])
      outcomes.set(list.method, await readPage(connection, list))
    const prompt = probe.server.prompts[0]?.['name']
    if (prompt !== undefined && probe.declares('completions')) {
      const params = { ref: { type: 'ref/prompt', name: prompt }, argument: { name: 'x', value: '' } }
      outcomes.set('completion/complete', await connection.call('completion/complete', params))
    }
    for (const [method, outcome] of outcomes) {
      probe.expect(!isAsking(outcome), {
        expected: `${method} answered without input_required`,
        actual: describeOutcome(outcome),
        member: '/result/resultType',
        frame: outcome.frame ?? outcome.sent,
      })
    }
    const { first } = await sendListen(connection, {})
    const result = first?.message['result']
    if (isJsonObject(result) && result['resultType'] === 'input_required')
      probe.fail({
        expected: 'subscriptions/listen answered without input_required',
        actual: shortJson(result),
        member: '/result/resultType',
        frame: first?.frame,
      })
  },
  { title: 'Only calls, prompts and reads ask for input' },
)

const KINDS = ['elicitation/create', 'sampling/createMessage', 'roots/list']

export const askingShape = serverCheck(
  'mrtr.server.shape',
  async (probe) => {
    const tool = probe.fixture('input-required')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    if (!probe.isModern) {
      const { questions } = await callAnswering(connection, tool)
      if (questions.length === 0) probe.inconclusive(`${tool.name} asked nothing`)
      for (const question of questions) judgeForm(probe, question)
      return
    }
    const outcome = await connection.call('tools/call', { name: tool.name, arguments: tool.arguments })
    if (!isAsking(outcome)) return probe.inconclusive(`${tool.name}: ${describeOutcome(outcome)}`)
    const { result, frame } = outcome
    const { inputRequests, requestState } = result
    const hasRequests = isJsonObject(inputRequests) && Object.keys(inputRequests).length > 0
    probe.expect(hasRequests || typeof requestState === 'string', {
      expected: 'inputRequests, requestState, or both',
      actual: shortJson(result),
      member: '/result',
      statement: 'mrtr.at-least-one',
      frame,
    })
    for (const key of doubledKeys(frame.bytes, 'inputRequests'))
      probe.fail({
        expected: 'each key once',
        actual: `${shortJson(key)} twice`,
        member: `/result/inputRequests/${key}`,
        statement: 'mrtr.keys-unique',
        frame,
      })
    for (const question of questionsIn(outcome)) {
      const { raw, method, member } = question
      const isSound =
        KINDS.includes(method) && isJsonObject(raw['params'] ?? {}) && !('id' in raw) && !('jsonrpc' in raw)
      probe.expect(isSound, {
        expected: `{ method, params } of ${KINDS.join(', ')}`,
        actual: shortJson(raw),
        member: member.replace(/\/params$/, ''),
        frame,
      })
      judgeForm(probe, question)
    }
  },
  { title: 'Questions are well formed' },
)

/** A question to the user has a message, and a schema or a URL. */
function judgeForm(probe: ServerProbe, { method, params, member, frame }: Question): void {
  if (method !== 'elicitation/create') return
  const { message, mode, url, requestedSchema } = params
  const isComplete =
    typeof message === 'string' && (mode === 'url' ? typeof url === 'string' : isJsonObject(requestedSchema))
  probe.expect(isComplete, {
    expected: 'a message, and a requestedSchema or a URL',
    actual: shortJson(params),
    member,
    statement: 'elicitation.params-required',
    frame,
  })
}

/** What a question needs the client to declare. */
export function isDeclared(
  { method, params }: Question,
  capabilities: JsonObject,
  revision: string,
): boolean {
  const { elicitation, sampling, roots } = capabilities
  switch (method) {
    case 'elicitation/create': {
      if (!isJsonObject(elicitation)) return false
      if (params['mode'] === 'url') return elicitation['url'] !== undefined
      return revision < '2025-11-25' || elicitation['form'] !== undefined || elicitation['url'] === undefined
    }
    case 'sampling/createMessage': {
      if (!isJsonObject(sampling)) return false
      const wantsTools = params['tools'] !== undefined || params['toolChoice'] !== undefined
      return !wantsTools || sampling['tools'] !== undefined
    }
    case 'roots/list':
      return roots !== undefined
    default:
      return true
  }
}

const ASKING: readonly FixtureKind[] = [
  'input-required',
  'elicitation',
  'url-elicitation',
  'sampling',
  'sampling-tools',
  'roots',
]

export const askingCapabilities = serverCheck(
  'mrtr.server.capabilities',
  async (probe) => {
    const tools = new Map<string, FixtureTool>()
    for (const kind of ASKING) {
      const tool = probe.findFixture(kind)
      if (tool !== undefined) tools.set(tool.name, tool)
    }
    if (tools.size === 0) probe.notApplicable('no tool that asks the client may be called')
    const declarations: readonly JsonObject[] = [
      {},
      { elicitation: { form: {} } },
      { elicitation: {} },
      { elicitation: { url: {} } },
      { sampling: {} },
      { sampling: { tools: {} } },
      { roots: {} },
    ]
    for (const capabilities of declarations) {
      const connection = await probe.connect({ capabilities })
      for (const tool of tools.values()) {
        const { outcome, questions } = await callAnswering(connection, tool)
        for (const question of questions) {
          if (isDeclared(question, capabilities, probe.cell.revision)) continue
          probe.fail({
            expected: `nothing but what ${shortJson(capabilities)} declares`,
            actual: `${question.method} ${shortJson(question.params)}`,
            member: question.member,
            frame: question.frame,
          })
        }
        if (questions.length === 0) judgeRefusal(probe, outcome)
      }
    }
  },
  { title: 'Tools ask for nothing that the client does not declare' },
)

/** In 2026-07-28 a call that cannot go on is refused with -32021, with what it needs. */
function judgeRefusal(probe: ServerProbe, outcome: Outcome): void {
  if (outcome.type === 'result') return
  const frame = outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent]
  if (outcome.type !== 'error') {
    probe.fail({ expected: 'a result or an error', actual: describeOutcome(outcome), frame })
    return
  }
  if (!probe.isModern) return
  const needed = isJsonObject(outcome.data) ? outcome.data['requiredCapabilities'] : undefined
  probe.expect(outcome.code === -32021 && isJsonObject(needed), {
    expected: 'error -32021 with the object requiredCapabilities',
    actual: `${describeOutcome(outcome)} with ${shortJson(outcome.data)}`,
    member: outcome.code === -32021 ? '/error/data/requiredCapabilities' : '/error/code',
    statement: 'meta.capability.missing-32021',
    frame,
  })
  if (outcome.http === undefined) return
  probe.expect(outcome.http.status === 400, {
    expected: 'HTTP 400',
    actual: `HTTP ${outcome.http.status}`,
    statement: 'meta.capability.missing-http400',
    frame,
  })
}
