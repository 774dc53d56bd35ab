import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { askClient, callOnce, clientDeclares, declaredBy, describeAnswer } from '../mrtr/ask-client.ts'

const METHOD = 'elicitation/create'
const NAME_FORM = { type: 'object', properties: { name: { type: 'string' } } }

/** Modes have names from 2025-11-25 on. */
const knowsModes = (exam: ClientExam) => exam.cell.revision >= '2025-11-25'

function formRequest(exam: ClientExam, requestedSchema: JsonObject = NAME_FORM): JsonObject {
  return { ...(knowsModes(exam) && { mode: 'form' }), message: 'Please fill in', requestedSchema }
}

export const urlRequest = (url: string): JsonObject => ({
  mode: 'url',
  message: 'Please open',
  url,
  elicitationId: 'exam-elicitation',
})

/** What the user does with each form. */
function answerWith(exam: ClientExam, answer: () => JsonObject, withUrl = false): void {
  exam.set({
    capabilities: withUrl ? ['elicitation', 'elicitation.url'] : ['elicitation'],
    answers: { [METHOD]: answer },
  })
}

/** Whether the client declares forms: `{}` stands for them. */
function declaresForms(exam: ClientExam): boolean {
  const { elicitation } = declaredBy(exam)
  if (!isJsonObject(elicitation)) return false
  return elicitation['form'] !== undefined || elicitation['url'] === undefined
}

async function requireForms(exam: ClientExam): Promise<void> {
  if (exam.received.length === 0) await callOnce(exam)
  if (!declaresForms(exam)) exam.notApplicable('the client declares no forms')
}

export const elicitationCapability = clientCheck(
  'elicitation.client.capability',
  async (exam) => {
    answerWith(exam, () => ({ action: 'decline' }))
    const questions = [
      { mode: 'form', params: formRequest(exam) },
      ...(knowsModes(exam) ? [{ mode: 'url', params: urlRequest('https://example.com/') }] : []),
    ]
    for (const { mode, params } of questions) {
      const answer = await askClient(exam, METHOD, params)
      const isAny = clientDeclares(exam, 'elicitation')
      const isDeclared = mode === 'form' ? declaresForms(exam) : clientDeclares(exam, 'elicitation.url')
      const codes = isAny ? [-32602] : [-32601, -32602]
      const isRefused =
        answer.type === 'failed' || (answer.type === 'error' && codes.some((code) => code === answer.code))
      exam.expect(isDeclared ? answer.type === 'result' : isRefused, {
        expected: isDeclared
          ? `the mode ${mode} answered`
          : `the undeclared mode ${mode} refused with ${codes.join(' or ')}`,
        actual: describeAnswer(answer),
        member: answer.type === 'error' ? '/error/code' : '/result',
        frame: answer.frame,
      })
    }
    const { elicitation } = declaredBy(exam)
    const names = isJsonObject(elicitation) ? Object.keys(elicitation) : []
    if (knowsModes(exam) && names.length > 0 && !names.includes('form') && !names.includes('url'))
      exam.fail({
        expected: 'form, url, or neither and nothing else',
        actual: shortJson(elicitation),
        statement: 'elicitation.one-mode',
        frame: exam.received[0]?.frame,
      })
  },
  { title: 'Elicitation is answered in the declared modes' },
)

export const modeAbsent = clientCheck(
  'elicitation.client.mode-absent',
  async (exam) => {
    answerWith(exam, () => ({ action: 'accept', content: { name: 'exam' } }))
    const { mode: _, ...params } = formRequest(exam)
    const answer = await askClient(exam, METHOD, params)
    await requireForms(exam)
    exam.expect(answer.type === 'result', {
      expected: 'a question without a mode answered as a form',
      actual: describeAnswer(answer),
      member: '/error/code',
      frame: answer.frame,
    })
  },
  { title: 'A question without a mode is a form' },
)

const DEFAULTS: Readonly<Record<string, JsonObject>> = {
  text: { type: 'string', default: 'given' },
  empty: { type: 'string', default: '' },
  number: { type: 'number', default: 1.5 },
  zero: { type: 'integer', default: 0 },
  yes: { type: 'boolean', default: true },
  no: { type: 'boolean', default: false },
  choice: { type: 'string', enum: ['a', 'b'], default: 'b' },
  choices: { type: 'array', items: { type: 'string', enum: ['a', 'b'] }, default: ['a'] },
}

export const formDefaults = clientCheck(
  'elicitation.client.defaults',
  async (exam) => {
    answerWith(exam, () => ({ action: 'accept', content: {} }))
    const answer = await askClient(exam, METHOD, formRequest(exam, { type: 'object', properties: DEFAULTS }))
    await requireForms(exam)
    if (answer.type !== 'result' || answer.result['action'] !== 'accept')
      return exam.inconclusive(`the form was not accepted: ${describeAnswer(answer)}`)
    const { content } = answer.result
    for (const [name, field] of Object.entries(DEFAULTS)) {
      const value = isJsonObject(content) ? content[name] : undefined
      exam.expect(isDeepStrictEqual(value, field['default']), {
        severity: 'warning',
        expected: `the default ${shortJson(field['default'])} of "${name}"`,
        actual: shortJson(value),
        member: `/result/content/${name}`,
        frame: answer.frame,
      })
    }
  },
  { title: 'Defaults of a form are filled in' },
)

const titled = [
  { const: 'a', title: 'A' },
  { const: 'b', title: 'B' },
]

/** Every kind of field, with a value that fits and one that does not. */
function fields(
  withLists: boolean,
): Readonly<Record<string, { schema: JsonObject; right: unknown; wrong: unknown }>> {
  return {
    short: { schema: { type: 'string', minLength: 1, maxLength: 3 }, right: 'abc', wrong: 'abcd' },
    mail: { schema: { type: 'string', format: 'email' }, right: 'a@example.com', wrong: 'nobody' },
    address: { schema: { type: 'string', format: 'uri' }, right: 'https://example.com/', wrong: 'not a URI' },
    day: { schema: { type: 'string', format: 'date' }, right: '2026-07-28', wrong: '28 July' },
    amount: { schema: { type: 'number', minimum: 0, maximum: 9 }, right: 9, wrong: 10 },
    count: { schema: { type: 'integer' }, right: 3, wrong: 3.5 },
    sure: { schema: { type: 'boolean' }, right: false, wrong: 'no' },
    plain: { schema: { type: 'string', enum: ['a', 'b'] }, right: 'a', wrong: 'c' },
    named: { schema: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] }, right: 'b', wrong: 'B' },
    ...(withLists && {
      titled: { schema: { type: 'string', oneOf: titled }, right: 'a', wrong: 'A' },
      several: {
        schema: { type: 'array', maxItems: 2, items: { type: 'string', enum: ['a', 'b', 'c'] } },
        right: ['a', 'b'],
        wrong: ['a', 'd'],
      },
      titledSeveral: { schema: { type: 'array', items: { anyOf: titled } }, right: ['b'], wrong: ['B'] },
    }),
  }
}

export const formValidation = clientCheck(
  'elicitation.client.validates',
  async (exam) => {
    let content: JsonObject = {}
    answerWith(exam, () => ({ action: 'accept', content }))
    const all = Object.entries(fields(knowsModes(exam)))
    const properties = Object.fromEntries(all.map(([name, { schema }]) => [name, schema]))
    const right = Object.fromEntries(all.map(([name, field]) => [name, field.right]))
    const schema = { type: 'object', properties, required: ['short'] }
    content = right
    const whole = await askClient(exam, METHOD, formRequest(exam, schema))
    await requireForms(exam)
    if (whole.type === 'result' && whole.result['action'] !== 'accept')
      exam.inconclusive('the driver cannot fill in values')
    exam.expect(whole.type === 'result' && isDeepStrictEqual(whole.result['content'], right), {
      expected: `values that fit sent as they are: ${shortJson(right)}`,
      actual: describeAnswer(whole),
      member: '/result/content',
      statement: 'elicitation.enum-forms',
      frame: whole.frame,
    })
    const { short: _, ...missing } = right
    const wrong = [
      ...all.map(([name, field]) => ({
        what: `a wrong "${name}"`,
        content: { ...right, [name]: field.wrong },
      })),
      { what: 'a required value missing', content: missing },
    ]
    for (const each of wrong) {
      content = each.content
      const answer = await askClient(exam, METHOD, formRequest(exam, schema))
      const isSent =
        answer.type === 'result' &&
        answer.result['action'] === 'accept' &&
        isDeepStrictEqual(answer.result['content'], content)
      exam.expect(!isSent, {
        severity: 'warning',
        expected: `${each.what} not sent`,
        actual: describeAnswer(answer),
        member: '/result/content',
        frame: answer.frame,
      })
    }
  },
  { title: 'Forms are checked before they are sent' },
)

export const formActions = clientCheck(
  'elicitation.client.actions',
  async (exam) => {
    if (!(await exam.isDriven())) exam.notApplicable('what its user does cannot be set')
    let done: JsonObject = {}
    answerWith(exam, () => done, knowsModes(exam))
    const actions: readonly { action: string; params: JsonObject; given: JsonObject; hasContent: boolean }[] =
      [
        {
          action: 'accept',
          params: formRequest(exam),
          given: { action: 'accept', content: { name: 'exam' } },
          hasContent: true,
        },
        { action: 'decline', params: formRequest(exam), given: { action: 'decline' }, hasContent: false },
        { action: 'cancel', params: formRequest(exam), given: { action: 'cancel' }, hasContent: false },
        ...(knowsModes(exam)
          ? [
              {
                action: 'accept',
                params: urlRequest('https://example.com/'),
                given: { action: 'accept' },
                hasContent: false,
              },
            ]
          : []),
      ]
    for (const { action, params, given, hasContent } of actions) {
      done = given
      const answer = await askClient(exam, METHOD, params)
      await requireForms(exam)
      const isUrl = params['mode'] === 'url'
      if (isUrl && !clientDeclares(exam, 'elicitation.url')) continue
      if (answer.type !== 'result') return exam.inconclusive(describeAnswer(answer))
      const { action: said, content } = answer.result
      exam.expect(said === action, {
        expected: `the action "${action}", as the user did`,
        actual: shortJson(said),
        member: '/result/action',
        frame: answer.frame,
      })
      exam.expect(hasContent || content === undefined, {
        expected: 'no content, as no form was accepted',
        actual: shortJson(content),
        member: '/result/content',
        frame: answer.frame,
      })
    }
  },
  { title: 'The client says what the user did' },
)
