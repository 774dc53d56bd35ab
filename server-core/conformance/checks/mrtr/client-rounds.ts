import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { MetaKey } from '../../../protocol/meta-keys.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { Step } from '../../exam/client-driver.ts'
import type { Turn } from '../../exam/dialogue.ts'
import type { Reply } from '../../exam/reply.ts'
import type { InMessage } from '../../probe/inbox.ts'
import { shortJson } from '../../probe/outcome.ts'
import { askClient, clientDeclares, describeAnswer } from './ask-client.ts'

/** A question that any client with forms can answer. */
const FORM: JsonObject = {
  method: 'elicitation/create',
  params: {
    mode: 'form',
    message: 'Your name?',
    requestedSchema: { type: 'object', properties: { name: { type: 'string' } } },
  },
}

/** Spaces, an accent and signs of base64: what a client must not touch. */
const STATE = '{"a": 1}\u00e9==  '

function answerForms(exam: ClientExam): void {
  exam.set({
    capabilities: ['elicitation'],
    answers: { 'elicitation/create': () => ({ action: 'accept', content: { name: 'exam' } }) },
  })
}

function asking(members: JsonObject): Reply {
  return { result: { resultType: 'input_required', ...members } }
}

const isRetry = ({ params }: Turn) =>
  params['inputResponses'] !== undefined || params['requestState'] !== undefined

const paramsOf = ({ message: { params } }: InMessage): JsonObject => (isJsonObject(params) ? params : {})

/** The parameters that a retry must repeat. */
function lasting(item: InMessage): JsonObject {
  const { _meta: _, inputResponses: __, requestState: ___, ...rest } = paramsOf(item)
  return rest
}

const ASKED: readonly { readonly method: string; readonly step: Step }[] = [
  { method: 'tools/call', step: { type: 'call', tool: 'echo', arguments: { text: 'exam' } } },
  { method: 'prompts/get', step: { type: 'get', prompt: 'greeting' } },
  { method: 'resources/read', step: { type: 'read', uri: 'exam://text' } },
]

export const clientRound = clientCheck(
  'mrtr.client.round',
  async (exam) => {
    answerForms(exam)
    for (const { method } of ASKED) {
      exam.on(method, (turn) =>
        isRetry(turn)
          ? turn.usual()
          : asking({ inputRequests: { one: FORM, two: FORM }, requestState: STATE }),
      )
    }
    await exam.connect()
    for (const { method, step } of ASKED) {
      const outcome = await exam.step(step)
      const [first, again] = exam.messagesOf(method)
      if (first === undefined) return exam.inconclusive(`the client did not send ${method}`)
      if (again === undefined)
        return exam.inconclusive(
          `the client did not answer: ${outcome.type === 'failed' ? outcome.message : 'no second request'}`,
        )
      judgeRetry(exam, first, again)
    }
  },
  { title: 'The client answers questions by a request of its own' },
)

function judgeRetry(exam: ClientExam, first: InMessage, again: InMessage): void {
  const frame = [again.frame, first.frame]
  const { requestState, inputResponses, _meta: meta } = paramsOf(again)
  exam.expect(requestState === STATE, {
    expected: `requestState ${shortJson(STATE)}`,
    actual: shortJson(requestState),
    member: '/params/requestState',
    statement: 'mrtr.state-echo',
    frame,
  })
  exam.expect(!isDeepStrictEqual(again.message['id'], first.message['id']), {
    expected: 'a new id',
    actual: shortJson(again.message['id']),
    member: '/id',
    statement: 'tools.retry-new-id',
    frame,
  })
  exam.expect(isDeepStrictEqual(lasting(again), lasting(first)), {
    expected: `the same parameters: ${shortJson(lasting(first))}`,
    actual: shortJson(lasting(again)),
    member: '/params',
    frame,
  })
  for (const key of ['one', 'two']) {
    const answer = isJsonObject(inputResponses) ? inputResponses[key] : undefined
    const isBare = isJsonObject(answer) && typeof answer['action'] === 'string' && !('result' in answer)
    exam.expect(isBare, {
      expected: `a bare result for the key "${key}"`,
      actual: shortJson(answer),
      member: `/params/inputResponses/${key}`,
      frame,
    })
  }
  const hasEnvelope = isJsonObject(meta) && typeof meta[MetaKey.protocolVersion] === 'string'
  exam.expect(hasEnvelope, {
    expected: 'the envelope in _meta',
    actual: shortJson(meta),
    member: '/params/_meta',
    frame,
  })
}

export const clientNoState = clientCheck(
  'mrtr.client.no-state',
  async (exam) => {
    answerForms(exam)
    const inputRequests = { name: FORM }
    const scripts: readonly (readonly JsonObject[])[] = [
      [{ inputRequests }],
      [{ requestState: 'state alone' }],
      [{ inputRequests, requestState: 'first' }, { inputRequests }],
    ]
    let script: readonly JsonObject[] = []
    let round = 0
    exam.on('tools/call', (turn) => {
      const members = script[round]
      round += 1
      return members === undefined ? turn.usual() : asking(members)
    })
    await exam.connect()
    for (script of scripts) {
      round = 0
      const from = exam.messagesOf('tools/call').length
      const outcome = await exam.step({ type: 'call', tool: 'echo' })
      const sent = exam.messagesOf('tools/call').slice(from)
      if (sent.length === 1 && script[0]?.['inputRequests'] !== undefined)
        exam.inconclusive(outcome.type === 'failed' ? outcome.message : 'the client did not answer')
      for (const [index, item] of sent.entries()) {
        const given = script[index - 1]
        if (given === undefined) continue
        const { requestState, inputResponses } = paramsOf(item)
        exam.expect(
          requestState === given['requestState'] &&
            !('requestState' in paramsOf(item) && requestState === null),
          {
            expected:
              given['requestState'] === undefined ? 'no requestState' : shortJson(given['requestState']),
            actual: shortJson(requestState),
            member: '/params/requestState',
            frame: item.frame,
          },
        )
        const hasQuestions = given['inputRequests'] !== undefined
        exam.expect(hasQuestions || inputResponses === undefined || isDeepStrictEqual(inputResponses, {}), {
          expected: 'no inputResponses, as the result has no inputRequests',
          actual: shortJson(inputResponses),
          member: '/params/inputResponses',
          statement: 'mrtr.client-retry-without-inputs',
          frame: item.frame,
        })
      }
    }
  },
  { title: 'A state that was not given is not sent' },
)

const MOST_ROUNDS = 25

export const clientRepeat = clientCheck(
  'mrtr.client.repeat',
  async (exam) => {
    answerForms(exam)
    let isEndless = false
    let round = 0
    exam.on('tools/call', (turn) => {
      round += 1
      const isAsking = isEndless ? round <= MOST_ROUNDS * 2 : round <= 3
      return isAsking
        ? asking({ inputRequests: { [`question_${round}`]: FORM }, requestState: `round ${round}` })
        : turn.usual()
    })
    await exam.connect()
    const outcome = await exam.step({ type: 'call', tool: 'echo' })
    const calls = exam.messagesOf('tools/call')
    if (calls.length < 2) exam.inconclusive('the client answers no questions')
    exam.expect(outcome.type === 'done', {
      severity: 'info',
      expected: 'three demands in a row served',
      actual: outcome.type === 'failed' ? outcome.message : '',
      frame: calls.at(-1)?.frame,
    })
    isEndless = true
    round = 0
    await exam.step({ type: 'call', tool: 'echo' })
    exam.expect(round <= MOST_ROUNDS, {
      severity: 'info',
      expected: `an end with a report within ${MOST_ROUNDS} rounds`,
      actual: `${round} rounds`,
      frame: exam.messagesOf('tools/call').at(-1)?.frame,
    })
  },
  { title: 'The client answers several rounds, and not for ever' },
)

export const clientIsolation = clientCheck(
  'mrtr.client.isolation',
  async (exam) => {
    answerForms(exam)
    const release = Promise.withResolvers<undefined>()
    const isOf = (text: string, item: InMessage) => {
      const args = paramsOf(item)['arguments']
      return isJsonObject(args) && args['text'] === text
    }
    exam.on('tools/call', async (turn) => {
      const args = turn.params['arguments']
      if (!isJsonObject(args) || args['text'] !== 'asked') return turn.usual()
      if (!isRetry(turn)) return asking({ inputRequests: { name: FORM }, requestState: 'of the one call' })
      await Promise.race([
        release.promise,
        new Promise((resolve) => setTimeout(resolve, exam.waits.answerMs)),
      ])
      return turn.usual()
    })
    await exam.connect()
    const asked = exam.step({ type: 'call', tool: 'echo', arguments: { text: 'asked' } })
    await exam.waitFor((item) => isOf('asked', item) && 'inputResponses' in paramsOf(item))
    await exam.step({ type: 'call', tool: 'echo', arguments: { text: 'other' } })
    release.resolve(undefined)
    await asked
    const calls = exam.messagesOf('tools/call')
    if (!calls.some((item) => 'inputResponses' in paramsOf(item)))
      exam.inconclusive('the client answers no questions')
    const others = calls.filter((item) => isOf('other', item))
    if (others.length === 0) exam.inconclusive('the client makes one call at a time')
    for (const item of others) {
      const { inputResponses, requestState } = paramsOf(item)
      exam.expect(inputResponses === undefined && requestState === undefined, {
        expected: 'answers and state in the call that was asked alone',
        actual: shortJson({ inputResponses, requestState }),
        member: '/params/requestState',
        frame: item.frame,
      })
    }
  },
  { title: 'Answers and state stay with their call' },
)

const USER_MESSAGE = { role: 'user', content: { type: 'text', text: 'Hello' } }

export const clientUndeclared = clientCheck(
  'mrtr.client.undeclared',
  async (exam) => {
    const questions: readonly { path: string; method: string; params: JsonObject }[] = [
      { path: 'elicitation', method: 'elicitation/create', params: FORM['params'] as JsonObject },
      {
        path: 'elicitation.url',
        method: 'elicitation/create',
        params: { mode: 'url', message: 'Please open', url: 'https://example.com/', elicitationId: 'exam' },
      },
      {
        path: 'sampling',
        method: 'sampling/createMessage',
        params: { messages: [USER_MESSAGE], maxTokens: 10 },
      },
      {
        path: 'sampling.tools',
        method: 'sampling/createMessage',
        params: {
          messages: [USER_MESSAGE],
          maxTokens: 10,
          tools: [{ name: 'add', inputSchema: { type: 'object' } }],
        },
      },
    ]
    await exam.connect()
    let asked = 0
    for (const { path, method, params } of questions) {
      if (clientDeclares(exam, path)) continue
      asked += 1
      const answer = await askClient(exam, method, params)
      exam.expect(answer.type === 'error' || answer.type === 'failed', {
        expected: `${path} refused, as it is not declared`,
        actual: describeAnswer(answer),
        statement: path.startsWith('sampling')
          ? 'sampling.tools-undeclared-error'
          : 'elicitation.undeclared-mode-32602',
        frame: answer.frame,
      })
    }
    if (asked === 0) exam.notApplicable('the client declares everything that could be asked')
  },
  { title: 'What the client does not declare is refused' },
)
