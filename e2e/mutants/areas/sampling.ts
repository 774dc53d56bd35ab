import { isJsonObject, type JsonObject } from '../../../server-core/protocol/json.ts'
import type { Registry } from '../../../server-core/registry/registry.ts'
import type { AreaProof } from '../area-proof.ts'
import { changeAnswerTo, changeDeclared, changeQuestion, declaredIn, isRetry } from './asked-questions.ts'
import { changeAnswer, changeSent, paramsOf } from './changes-message.ts'

const METHOD = 'sampling/createMessage'
const blocksOf = (content: unknown): readonly unknown[] =>
  Array.isArray(content) ? (content as unknown[]) : [content]
const isUse = (block: unknown) => isJsonObject(block) && block['type'] === 'tool_use'

/** Changes the messages of a question. */
const changeMessages = (change: (messages: readonly unknown[]) => readonly unknown[]) =>
  changeQuestion(METHOD, (params) =>
    Array.isArray(params['messages']) ? { ...params, messages: change(params['messages']) } : params,
  )

const changeBlocks = (message: unknown, change: (block: JsonObject) => JsonObject): unknown =>
  isJsonObject(message) && Array.isArray(message['content'])
    ? {
        ...message,
        content: (message['content'] as unknown[]).map((block) =>
          isJsonObject(block) ? change(block) : block,
        ),
      }
    : message

/** The mutants of the area `sampling`. */
export const SAMPLING_PROOF: AreaProof = {
  fixtures: addToolSampling,
  mutants: [
    {
      id: 'm.sampling.client.capability',
      side: 'client',
      fault: {
        connect: (options) => {
          const { sampling, ...others } = options.responders ?? {}
          return {
            ...options,
            responders: { ...others, ...(sampling && { sampling: { ...sampling, tools: true } }) },
          }
        },
        outgoing: changeDeclared((declared) => {
          const { sampling } = declared
          if (!isJsonObject(sampling)) return declared
          const { tools: _, ...rest } = sampling
          return { ...declared, sampling: rest }
        }),
      },
    },
    {
      id: 'm.sampling.client.errors',
      side: 'client',
      fault: {
        outgoing: (message) =>
          isJsonObject(message['error']) && message['error']['code'] === -1
            ? { ...message, error: { ...message['error'], code: -32603 } }
            : message,
      },
    },
    {
      id: 'm.sampling.client.messages',
      side: 'client',
      revisions: ['2025-11-25', '2026-07-28'],
      fault: {
        // The client sees the messages without their tool blocks, so it misses nothing.
        incoming: changeMessages((messages) =>
          messages.filter((message) => !isJsonObject(message) || !blocksOf(message['content']).some(isUse)),
        ),
      },
      alsoBreaks: { 'sampling.client.meta': 'the history lost its tool_use' },
    },
    {
      id: 'm.sampling.client.limits',
      side: 'client',
      fault: {
        outgoing: changeAnswerTo(METHOD, (answer) =>
          blocksOf(answer['content']).some(isUse)
            ? { ...answer, content: { type: 'text', text: 'No tool' }, stopReason: 'endTurn' }
            : answer,
        ),
      },
    },
    {
      id: 'm.sampling.client.meta',
      side: 'client',
      fault: {
        incoming: changeMessages((messages) =>
          messages.map((message) =>
            changeBlocks(message, (block) => {
              const { _meta: _, ...rest } = block
              return rest
            }),
          ),
        ),
      },
    },
    {
      id: 'm.sampling.client.answer',
      side: 'client',
      revisions: ['2024-11-05', '2025-03-26', '2025-06-18'],
      fault: { outgoing: changeAnswerTo(METHOD, (answer) => ({ ...answer, content: [answer['content']] })) },
    },
    {
      id: 'm.sampling.client.flood',
      side: 'client',
      fault: {
        outgoing: (message, { connection, answers }) => {
          const { inputResponses } = paramsOf(message)
          const rounds = isJsonObject(inputResponses) ? Object.keys(inputResponses).length : 0
          const count =
            Number(connection.get('models') ?? 0) + rounds + (answers?.['method'] === METHOD ? 1 : 0)
          connection.set('models', count)
          return count > 100 ? undefined : message
        },
      },
    },
    {
      id: 'm.sampling.server.request',
      side: 'server',
      fault: { outgoing: changeQuestion(METHOD, (params) => ({ ...params, includeContext: 'allServers' })) },
    },
    {
      id: 'm.sampling.server.tools',
      side: 'server',
      fault: {
        outgoing: changeMessages((messages) =>
          messages.map((message) =>
            isJsonObject(message) && Array.isArray(message['content']) && message['role'] === 'user'
              ? { ...message, content: (message['content'] as unknown[]).slice(0, 1) }
              : message,
          ),
        ),
      },
    },
    {
      id: 'm.sampling.server.tolerant',
      side: 'server',
      fault: {
        incoming: changeAnswerTo(METHOD, (answer) =>
          answer['stopReason'] === 'banana' ? undefined : answer,
        ),
      },
    },
    {
      id: 'm.sampling.server.undeclared',
      side: 'server',
      fault: {
        outgoing: changeAnswer('tools/call', (message, { answers, params }) => {
          const isRefused = isJsonObject(message['error']) && message['error']['code'] === -32021
          if (!isRefused || 'sampling' in declaredIn(answers) || !String(params['name']).includes('sampling'))
            return message
          const hello = { role: 'user', content: { type: 'text', text: 'Hello' } }
          const asked = { method: METHOD, params: { messages: [hello], maxTokens: 10 } }
          const result = { resultType: 'input_required', inputRequests: { model: asked } }
          return { jsonrpc: '2.0', id: message['id'], result }
        }),
      },
      alsoBreaks: { 'mrtr.server.capabilities': 'sampling is asked for that is not declared' },
    },
    {
      id: 'm.sampling.server.loop',
      side: 'server',
      fault: {
        incoming: changeSent('tools/call', (message, { connection, reply }) => {
          const params = paramsOf(message)
          const last = connection.get('last')
          const answers = isJsonObject(params['inputResponses'])
            ? Object.values(params['inputResponses'])
            : []
          const uses = answers.some(
            (answer) => isJsonObject(answer) && blocksOf(answer['content']).some(isUse),
          )
          if (params['name'] !== 'test_sampling_tools' || !isRetry(message) || !uses || last === undefined)
            return message
          reply({ jsonrpc: '2.0', id: message['id'], result: last })
          return undefined
        }),
        outgoing: (message, { connection, answers }) => {
          const { result } = message
          if (
            paramsOf(answers)['name'] === 'test_sampling_tools' &&
            isJsonObject(result) &&
            'inputRequests' in result
          )
            connection.set('last', result)
          return message
        },
      },
      alsoBreaks: { 'sampling.server.tools': 'the tool use is never answered' },
    },
  ],
}

const ADD = {
  name: 'add',
  description: 'Adds two numbers.',
  inputSchema: { type: 'object', properties: { a: { type: 'number' }, b: { type: 'number' } } },
}
/** How often the model may use tools. */
const MOST_USES = 5

/** A tool that lets the model of the client use a tool. */
function addToolSampling(registry: Registry): void {
  registry.addTool({
    name: 'test_sampling_tools',
    description: 'Asks the model, which may use a tool.',
    run: async (_args, ctx) => {
      const { sampling } = ctx.clientCapabilities
      const mayUse = isJsonObject(sampling) && sampling['tools'] !== undefined
      const offered = mayUse ? { tools: [ADD] } : {}
      const messages: { role: 'user' | 'assistant'; content: JsonObject | readonly JsonObject[] }[] = [
        { role: 'user', content: { type: 'text', text: 'What is 1 + 2?' } },
      ]
      for (let use = 0; use <= MOST_USES; use += 1) {
        const { content, text } = await ctx.sample(messages, {
          maxTokens: 100,
          key: `round_${use}`,
          ...offered,
        })
        const uses = blocksOf(content).filter(isJsonObject).filter(isUse)
        if (uses.length === 0) return text
        const results = uses.map(({ id }) => ({
          type: 'tool_result',
          toolUseId: id,
          content: [{ type: 'text', text: '3' }],
        }))
        messages.push({ role: 'assistant', content: uses }, { role: 'user', content: results })
      }
      return 'The model used the tool too often.'
    },
  })
}
