import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { passiveCheck, serverCheck } from '../../check.ts'
import type { FixtureTool } from '../../probe/fixture-tools.ts'
import { describeOutcome, shortJson, type Outcome } from '../../probe/outcome.ts'
import type { ServerProbe } from '../../probe/server-probe.ts'
import {
  acceptedForm,
  allCapabilities,
  callAnswering,
  isAsking,
  usualAnswer,
  type Question,
} from '../mrtr/call-answering.ts'
import { isDeclared } from '../mrtr/server-asks.ts'
import { isCarriedOut } from '../mrtr/server-rounds.ts'

const METHOD = 'elicitation/create'
const isForm = ({ method, params }: Question) => method === METHOD && params['mode'] !== 'url'

export const elicitationGate = serverCheck(
  'elicitation.server.capability-gate',
  async (probe) => {
    const tools = [probe.findFixture('elicitation'), probe.findFixture('url-elicitation')].filter(
      (tool): tool is FixtureTool => tool !== undefined,
    )
    if (tools.length === 0) probe.notApplicable('no tool that asks the user may be called')
    const declarations: readonly JsonObject[] = [
      {},
      { elicitation: {} },
      ...(probe.cell.revision >= '2025-11-25'
        ? [{ elicitation: { form: {} } }, { elicitation: { url: {} } }]
        : []),
    ]
    for (const capabilities of declarations) {
      const connection = await probe.connect({ capabilities })
      for (const tool of tools) {
        const { outcome, questions } = await callAnswering(connection, tool)
        for (const question of questions) {
          if (question.method !== METHOD || isDeclared(question, capabilities, probe.cell.revision)) continue
          probe.fail({
            expected: `no question that ${shortJson(capabilities)} does not declare`,
            actual: shortJson(question.params),
            member: question.member,
            statement:
              capabilities['elicitation'] === undefined
                ? 'elicitation.no-undeclared'
                : 'elicitation.mode-declared-only',
            frame: question.frame,
          })
        }
        probe.expect(outcome.type === 'result' || outcome.type === 'error', {
          expected: `${tool.name} ends when the client declares ${shortJson(capabilities)}`,
          actual: describeOutcome(outcome),
          frame: outcome.frame ?? outcome.sent,
        })
      }
    }
  },
  { title: 'The user is asked in declared modes alone' },
)

const PRIMITIVES = new Set(['string', 'number', 'integer', 'boolean'])

export const elicitationSchema = serverCheck(
  'elicitation.server.schema',
  async (probe) => {
    const tool = probe.fixture('elicitation')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    const { questions } = await callAnswering(connection, tool)
    const forms = questions.filter(isForm)
    if (forms.length === 0) probe.inconclusive(`${tool.name} showed no form`)
    for (const form of forms) judgeForm(probe, form)
  },
  { title: 'Forms are flat objects of simple fields' },
)

function judgeForm(probe: ServerProbe, { params, member, frame }: Question): void {
  const { message, requestedSchema } = params
  const report = (statement: string, expected: string, actual: unknown, at: string) => {
    probe.fail({ statement, expected, actual: shortJson(actual), member: `${member}${at}`, frame })
  }
  if (typeof message !== 'string') report('elicitation.params-required', 'a message', message, '/message')
  const properties = isJsonObject(requestedSchema) ? requestedSchema['properties'] : undefined
  if (!isJsonObject(requestedSchema) || requestedSchema['type'] !== 'object' || !isJsonObject(properties)) {
    report('elicitation.schema-flat', 'an object schema with properties', requestedSchema, '/requestedSchema')
    return
  }
  const texts: unknown[] = [message]
  for (const [name, field] of Object.entries(properties)) {
    const at = `/requestedSchema/properties/${name}`
    if (!isFlat(field, probe.cell.revision))
      report('elicitation.schema-flat', 'a text, number, boolean or choice', field, at)
    if (!isJsonObject(field)) continue
    texts.push(field['title'], field['description'])
    if ('default' in field && !fitsType(field, field['default']))
      report(
        'elicitation.defaults-server',
        `a default of the type ${shortJson(field['type'])}`,
        field['default'],
        `${at}/default`,
      )
  }
  const withUrl = texts.find((text) => typeof text === 'string' && /https?:\/\//.test(text))
  if (withUrl !== undefined)
    probe.warn({
      expected: 'texts without URLs',
      actual: shortJson(withUrl),
      member,
      statement: 'elicitation.form-no-urls',
      frame,
    })
}

function isFlat(field: unknown, revision: string): boolean {
  if (!isJsonObject(field)) return false
  const { type, items } = field
  if (typeof type === 'string' && PRIMITIVES.has(type)) return true
  if (type !== 'array' || revision < '2025-11-25' || !isJsonObject(items)) return false
  return Array.isArray(items['enum']) || Array.isArray(items['anyOf'])
}

function fitsType({ type }: JsonObject, value: unknown): boolean {
  if (type === 'integer') return Number.isInteger(value)
  return type === 'array' ? Array.isArray(value) : typeof value === type
}

export const elicitationValidates = serverCheck(
  'elicitation.server.validates',
  async (probe) => {
    const tool = probe.fixture('elicitation')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    const variants: readonly { what: string; spoil: (content: JsonObject) => JsonObject | undefined }[] = [
      { what: 'wrong types', spoil: (content) => mapped(content, () => ({ nested: [1] })) },
      { what: 'null values', spoil: (content) => mapped(content, () => null) },
      { what: 'missing values', spoil: () => ({}) },
    ]
    for (const { what, spoil } of variants) {
      let spoiledForms = 0
      let laterForms = 0
      const { outcome } = await callAnswering(connection, tool, (question) => {
        if (!isForm(question)) return usualAnswer(question)
        if (spoiledForms > 0) {
          laterForms++
          return { result: { action: 'cancel' } }
        }
        const right = acceptedForm(question.params)
        const { content } = right
        const spoiled = isJsonObject(content) ? spoil(content) : undefined
        if (spoiled === undefined || !isRequiring(question)) return { result: right }
        spoiledForms++
        return { result: { ...right, content: spoiled } }
      })
      if (spoiledForms === 0) probe.inconclusive(`${tool.name} shows no form with required fields`)
      if (laterForms > 0 || (isAnswered(outcome) && !isCarriedOut(outcome))) continue
      probe.warn({
        expected: `${what} refused, or asked for again`,
        actual: describeOutcome(outcome),
        member: '/result',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'Accepted forms are checked' },
)

const isAnswered = ({ type }: Outcome) => type === 'result' || type === 'error'

function mapped(content: JsonObject, change: () => unknown): JsonObject {
  return Object.fromEntries(Object.keys(content).map((name) => [name, change()]))
}

function isRequiring({ params: { requestedSchema } }: Question): boolean {
  const required = isJsonObject(requestedSchema) ? requestedSchema['required'] : undefined
  return Array.isArray(required) && required.length > 0
}

export const elicitationDecline = serverCheck(
  'elicitation.server.decline',
  async (probe) => {
    const tool = probe.fixture('elicitation')
    const connection = await probe.connect({ capabilities: allCapabilities(probe.cell.revision) })
    const accepted = await callAnswering(connection, tool)
    if (!accepted.questions.some(({ method }) => method === METHOD) || accepted.outcome.type !== 'result')
      return probe.inconclusive(`${tool.name} asked nothing: ${describeOutcome(accepted.outcome)}`)
    const effect = accepted.outcome.result['content']
    const answers = [
      { what: 'decline', answer: { result: { action: 'decline' } } },
      { what: 'cancel', answer: { result: { action: 'cancel' } } },
      ...(probe.isModern
        ? []
        : [{ what: 'error -32603', answer: { error: { code: -32603, message: 'Failed' } } }]),
    ]
    for (const { what, answer } of answers) {
      const { outcome } = await callAnswering(connection, tool, (question) =>
        question.method === METHOD ? answer : usualAnswer(question),
      )
      const isDone =
        isCarriedOut(outcome) &&
        outcome.type === 'result' &&
        isDeepStrictEqual(outcome.result['content'], effect)
      const isEnded = isAnswered(outcome) || isAsking(outcome)
      probe.expect(isEnded && !isDone, {
        expected: `an end without the effect after ${what}`,
        actual: describeOutcome(outcome),
        member: '/result',
        statement: what.startsWith('error') ? 'elicitation.server-errors' : 'mrtr.no-assumption',
        frame: outcome.frame === undefined ? outcome.sent : [outcome.frame, outcome.sent],
      })
      if (connection.closedReason !== undefined) return
    }
  },
  { title: 'What the user declines is not done' },
)

const SECRET =
  /(?:^|[^a-z])(?:pass(?:word|phrase|wd)|secret|api[ _-]?key|(?:access|auth)[ _-]?token|token|card[ _-]?number|cvc|cvv|pin)(?:[^a-z]|$)/i

export const elicitationSecrets = passiveCheck(
  'elicitation.server.secrets',
  (transcript) => {
    for (const { message, frame } of transcript.examined(({ message: each }) => formsIn(each).length > 0)) {
      for (const { params, member } of formsIn(message)) {
        const schema = isJsonObject(params['requestedSchema']) ? params['requestedSchema'] : {}
        const properties = isJsonObject(schema['properties']) ? schema['properties'] : {}
        const texts = Object.entries(properties).flatMap(([name, field]) => [
          name,
          isJsonObject(field) ? field['title'] : undefined,
        ])
        const secret = [...texts, params['message']].find(
          (text) => typeof text === 'string' && SECRET.test(text),
        )
        if (secret === undefined) continue
        transcript.warn({
          expected: 'no secrets asked for in a form',
          actual: shortJson(secret),
          member,
          frame,
        })
      }
    }
  },
  { title: 'Forms do not ask for secrets' },
)

/** The forms that a message asks for. */
function formsIn(message: JsonObject): readonly { params: JsonObject; member: string }[] {
  const { method, params, result } = message
  if (method === METHOD && isJsonObject(params) && params['mode'] !== 'url')
    return [{ params, member: '/params' }]
  const asked = isJsonObject(result) ? result['inputRequests'] : undefined
  return Object.entries(isJsonObject(asked) ? asked : {}).flatMap(([key, entry]) => {
    const form = isJsonObject(entry) && entry['method'] === METHOD ? entry['params'] : undefined
    return isJsonObject(form) && form['mode'] !== 'url'
      ? [{ params: form, member: `/result/inputRequests/${key}/params` }]
      : []
  })
}
