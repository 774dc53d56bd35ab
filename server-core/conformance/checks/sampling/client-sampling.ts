import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { Refusal } from '../../exam/client-driver.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'
import { askClient, callOnce, clientDeclares, declaredBy, describeAnswer } from '../mrtr/ask-client.ts'

const METHOD = 'sampling/createMessage'
const HELLO = { role: 'user', content: { type: 'text', text: 'Hello' } }
const TOOLS = [{ name: 'add', description: 'Adds.', inputSchema: { type: 'object' } }]

const plain = (members: JsonObject = {}): JsonObject => ({ messages: [HELLO], maxTokens: 100, ...members })

const knowsTools = (exam: ClientExam) => exam.cell.revision >= '2025-11-25'

/** Ends the check unless the client declares what is needed. */
async function requireDeclared(exam: ClientExam, path: string): Promise<void> {
  if (Object.keys(declaredBy(exam)).length === 0) await callOnce(exam)
  if (!clientDeclares(exam, path)) exam.notApplicable(`the client does not declare ${path}`)
}

export const samplingCapability = clientCheck(
  'sampling.client.capability',
  async (exam) => {
    exam.set({ capabilities: ['sampling'] })
    const questions = [
      { path: 'sampling', params: plain() },
      ...(knowsTools(exam) ? [{ path: 'sampling.tools', params: plain({ tools: TOOLS }) }] : []),
    ]
    for (const { path, params } of questions) {
      const answer = await askClient(exam, METHOD, params)
      const isDeclared = clientDeclares(exam, path)
      const isRight = isDeclared
        ? answer.type !== 'silence'
        : answer.type === 'error' || answer.type === 'failed'
      exam.expect(isRight, {
        expected: isDeclared ? `${METHOD} answered or refused` : `an error, as ${path} is not declared`,
        actual: describeAnswer(answer),
        member: '/result',
        statement: path === 'sampling' ? 'sampling.capability' : 'sampling.tools-undeclared-error',
        frame: answer.frame,
      })
    }
  },
  { title: 'Sampling is answered as far as it is declared' },
)

export const samplingErrors = clientCheck(
  'sampling.client.errors',
  async (exam) => {
    exam.set({
      capabilities: ['sampling'],
      answers: {
        [METHOD]: () => {
          throw new Refusal(-1, 'User rejected sampling request')
        },
      },
    })
    const answer = await askClient(exam, METHOD, plain())
    await requireDeclared(exam, 'sampling')
    const isEmpty = answer.type === 'result' && !/\w/.test(textOf(answer.result))
    if (answer.type === 'result' && !isEmpty) exam.inconclusive('the driver does not refuse')
    exam.expect(answer.type === 'error' && answer.code === -1, {
      severity: 'warning',
      expected: 'error -1, as the user refused',
      actual: describeAnswer(answer),
      member: '/error/code',
      statement: answer.type === 'error' ? 'sampling.user-reject-code' : 'sampling.errors',
      frame: answer.frame,
    })
  },
  { title: 'A refusal is error -1' },
)

function textOf({ content }: JsonObject): string {
  const blocks: unknown[] = Array.isArray(content) ? content : [content]
  return blocks.map((block) => (isJsonObject(block) ? String(block['text'] ?? block['type']) : '')).join(' ')
}

export const samplingMessages = clientCheck(
  'sampling.client.messages',
  async (exam) => {
    exam.set({ capabilities: ['sampling', ...(knowsTools(exam) ? (['sampling.tools'] as const) : [])] })
    await callOnce(exam)
    await requireDeclared(exam, knowsTools(exam) ? 'sampling.tools' : 'sampling')
    const use = { role: 'assistant', content: [{ type: 'tool_use', id: 'one', name: 'add', input: {} }] }
    const result = { type: 'tool_result', toolUseId: 'one', content: [{ type: 'text', text: '3' }] }
    const wrong: readonly { what: string; messages: readonly JsonObject[]; statement: string }[] = [
      ...(knowsTools(exam)
        ? [
            {
              what: 'a tool_use without its result',
              messages: [HELLO, use, HELLO],
              statement: 'sampling.tool-result-missing-32602',
            },
            {
              what: 'a tool_result mixed with text',
              messages: [HELLO, use, { role: 'user', content: [result, { type: 'text', text: 'and' }] }],
              statement: 'sampling.tool-result-mixed-32602',
            },
          ]
        : []),
      {
        what: 'an unknown role',
        messages: [{ ...HELLO, role: 'system' }],
        statement: 'sampling.validate',
      },
      {
        what: 'an image without data',
        messages: [{ role: 'user', content: { type: 'image', mimeType: 'image/png' } }],
        statement: 'sampling.validate',
      },
    ]
    for (const { what, messages, statement } of wrong) {
      const tools = knowsTools(exam) ? { tools: TOOLS } : {}
      const answer = await askClient(exam, METHOD, plain({ messages, ...tools }))
      const isRefused = answer.type === 'failed' || (answer.type === 'error' && answer.code === -32602)
      exam.expect(isRefused, {
        severity: 'warning',
        expected: `error -32602 for ${what}`,
        actual: describeAnswer(answer),
        member: answer.type === 'error' ? '/error/code' : '/result',
        statement,
        frame: answer.frame,
      })
    }
  },
  { title: 'Messages that do not fit together are refused' },
)

/** What a scripted model says: it obeys the limits that it is given. */
function scriptedModel(params: JsonObject): JsonObject {
  const mode = isJsonObject(params['toolChoice']) ? params['toolChoice']['mode'] : undefined
  const common = { role: 'assistant', model: 'scripted' }
  if (params['maxTokens'] === 1)
    return { ...common, content: { type: 'text', text: 'Once' }, stopReason: 'maxTokens' }
  if (mode === 'required') {
    const content = { type: 'tool_use', id: 'one', name: 'add', input: {} }
    return { ...common, content, stopReason: 'toolUse' }
  }
  return { ...common, content: { type: 'text', text: 'Hello' }, stopReason: 'endTurn' }
}

export const samplingLimits = clientCheck(
  'sampling.client.limits',
  async (exam) => {
    exam.set({ capabilities: ['sampling', 'sampling.tools'], answers: { [METHOD]: scriptedModel } })
    await callOnce(exam)
    await requireDeclared(exam, 'sampling.tools')
    const short = await askClient(exam, METHOD, plain({ maxTokens: 1 }))
    if (short.type === 'result') {
      const isShort = short.result['stopReason'] === 'maxTokens' || textOf(short.result).length <= 20
      exam.expect(isShort, {
        severity: exam.isModern ? 'error' : 'warning',
        expected: 'stopReason maxTokens, or a short text, for maxTokens 1',
        actual: describeAnswer(short),
        member: '/result/content',
        frame: short.frame,
      })
    }
    for (const mode of ['required', 'none']) {
      const answer = await askClient(exam, METHOD, plain({ tools: TOOLS, toolChoice: { mode } }))
      if (answer.type !== 'result') continue
      const { content, stopReason } = answer.result
      const blocks: unknown[] = Array.isArray(content) ? content : [content]
      const hasUse = blocks.some((block) => isJsonObject(block) && block['type'] === 'tool_use')
      exam.expect(mode === 'required' ? hasUse || stopReason === 'maxTokens' : !hasUse, {
        expected: mode === 'required' ? 'a tool_use, as one is required' : 'no tool_use, as none is wanted',
        actual: describeAnswer(answer),
        member: '/result/content',
        statement: mode === 'required' ? 'sampling.choice-required' : 'sampling.choice-none',
        frame: answer.frame,
      })
    }
  },
  { title: 'Limits and the choice of tools are respected' },
)

export const samplingMeta = clientCheck(
  'sampling.client.meta',
  async (exam) => {
    let seen: unknown
    const answers = {
      [METHOD]: (params: JsonObject) => {
        seen = params['messages']
        return scriptedModel(params)
      },
    }
    exam.set({ capabilities: ['sampling', 'sampling.tools'], answers })
    await callOnce(exam)
    await requireDeclared(exam, 'sampling.tools')
    const meta = { 'com.example/kept': { deep: [1, 2] } }
    const messages = [
      HELLO,
      { role: 'assistant', content: [{ type: 'tool_use', id: 'one', name: 'add', input: {}, _meta: meta }] },
      { role: 'user', content: [{ type: 'tool_result', toolUseId: 'one', content: [], _meta: meta }] },
    ]
    const answer = await askClient(exam, METHOD, plain({ messages, tools: TOOLS }))
    if (seen === undefined) exam.inconclusive(`what the model saw is not visible: ${describeAnswer(answer)}`)
    exam.expect(isDeepStrictEqual(seen, messages), {
      severity: 'warning',
      expected: '_meta of tool_use and tool_result kept in the history',
      actual: shortJson(seen),
      member: '/params/messages/1/content/0/_meta',
      frame: answer.frame,
    })
  },
  { title: 'The _meta of tool blocks is kept' },
)

export const samplingAnswer = clientCheck(
  'sampling.client.answer',
  async (exam) => {
    exam.set({ capabilities: ['sampling'], answers: { [METHOD]: scriptedModel } })
    const answer = await askClient(exam, METHOD, plain())
    await requireDeclared(exam, 'sampling')
    if (answer.type !== 'result') return exam.inconclusive(describeAnswer(answer))
    const { role, content, model } = answer.result
    const report = (expected: string, actual: unknown, member: string) => {
      exam.fail({ expected, actual: shortJson(actual), member: `/result/${member}`, frame: answer.frame })
    }
    if (role !== 'assistant') report('the role assistant', role, 'role')
    if (typeof model !== 'string' || model === '') report('the name of a model', model, 'model')
    const isContent = isJsonObject(content) || (knowsTools(exam) && Array.isArray(content))
    if (!isContent) report('one content block', content, 'content')
  },
  { title: 'Answers of a model have role, content and model' },
)

const FLOOD = 500

export const samplingFlood = clientCheck(
  'sampling.client.flood',
  async (exam) => {
    exam.set({ capabilities: ['sampling'], answers: { [METHOD]: scriptedModel } })
    const params = plain()
    exam.on('tools/call', async (turn) => {
      if (!exam.isModern) {
        await Promise.all(Array.from({ length: FLOOD }, () => turn.ask(METHOD, params)))
        return turn.usual()
      }
      if (turn.params['inputResponses'] !== undefined) return turn.usual()
      const keys = Array.from({ length: FLOOD }, (_, index) => `question_${index}`)
      const inputRequests = Object.fromEntries(keys.map((key) => [key, { method: METHOD, params }]))
      return { result: { resultType: 'input_required', inputRequests, requestState: 'flood' } }
    })
    await callOnce(exam)
    await requireDeclared(exam, 'sampling')
    exam.on('tools/call', (turn) => turn.usual())
    const after = await exam.step({ type: 'list', list: 'prompts' })
    exam.expect(after.type === 'done', {
      severity: 'warning',
      expected: `the client goes on after ${FLOOD} questions`,
      actual: after.type === 'failed' ? after.message : '',
      frame: exam.received.at(-1)?.frame,
    })
  },
  { title: 'The client survives a flood of questions', slow: true },
)
