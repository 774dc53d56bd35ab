import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { z } from 'zod'
import type { ModelEndpoint } from './endpoint.ts'

/** What a request for an answer may hold, as the documentation of each API has it; everything else is refused. */
const openaiPart = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1) }),
  z.strictObject({
    type: z.literal('image_url'),
    image_url: z.strictObject({ url: z.string().regex(/^data:image\/[\w.+-]+;base64,[A-Za-z\d+/]+=*$/) }),
  }),
  z.strictObject({
    type: z.literal('input_audio'),
    input_audio: z.strictObject({ data: z.base64().min(1), format: z.enum(['wav', 'mp3']) }),
  }),
])
const functionName = z.string().regex(/^[\w-]{1,64}$/)
const openaiMessage = z.discriminatedUnion('role', [
  z.strictObject({ role: z.literal('system'), content: z.string() }),
  z.strictObject({ role: z.literal('user'), content: z.array(openaiPart).min(1) }),
  z.strictObject({
    role: z.literal('assistant'),
    content: z.string().nullable(),
    tool_calls: z
      .array(
        z.strictObject({
          id: z.string().min(1),
          type: z.literal('function'),
          function: z.strictObject({ name: functionName, arguments: z.string() }),
        }),
      )
      .min(1)
      .optional(),
  }),
  z.strictObject({ role: z.literal('tool'), tool_call_id: z.string(), content: z.string() }),
])
const openaiBody = z
  .strictObject({
    model: z.string().min(1),
    messages: z.array(openaiMessage).min(1),
    max_tokens: z.int().min(1).optional(),
    max_completion_tokens: z.int().min(1).optional(),
    temperature: z.number().min(0).max(2).optional(),
    stop: z.array(z.string()).min(1).max(4).optional(),
    tools: z
      .array(
        z.strictObject({
          type: z.literal('function'),
          function: z.strictObject({
            name: functionName,
            description: z.string().optional(),
            parameters: z.looseObject({ type: z.literal('object') }),
          }),
        }),
      )
      .min(1)
      .optional(),
    tool_choice: z.enum(['auto', 'required', 'none']).optional(),
  })
  .refine(answersEveryCall, 'each tool call must be answered by a message of the role tool right after it')

const anthropicText = z.strictObject({ type: z.literal('text'), text: z.string().min(1) })
const anthropicImage = z.strictObject({
  type: z.literal('image'),
  source: z.strictObject({
    type: z.literal('base64'),
    media_type: z.enum(['image/jpeg', 'image/png', 'image/gif', 'image/webp']),
    data: z.base64().min(1),
  }),
})
const anthropicBody = z.strictObject({
  model: z.string().min(1),
  max_tokens: z.int().min(1),
  system: z.string().optional(),
  messages: z
    .array(
      z.strictObject({
        role: z.enum(['user', 'assistant']),
        content: z
          .array(
            z.discriminatedUnion('type', [
              anthropicText,
              anthropicImage,
              z.strictObject({
                type: z.literal('tool_use'),
                id: z.string().regex(/^[\w-]+$/),
                name: z.string().regex(/^[\w-]{1,128}$/),
                input: z.record(z.string(), z.unknown()),
              }),
              z.strictObject({
                type: z.literal('tool_result'),
                tool_use_id: z.string().regex(/^[\w-]+$/),
                content: z.array(z.union([anthropicText, anthropicImage])),
                is_error: z.boolean().optional(),
              }),
            ]),
          )
          .min(1),
      }),
    )
    .min(1),
  temperature: z.number().min(0).max(1).optional(),
  stop_sequences: z.array(z.string()).min(1).optional(),
  tools: z
    .array(
      z.strictObject({
        name: z.string().regex(/^[\w-]{1,128}$/),
        description: z.string().optional(),
        input_schema: z.looseObject({ type: z.literal('object') }),
      }),
    )
    .min(1)
    .optional(),
  tool_choice: z.strictObject({ type: z.enum(['auto', 'any', 'none']) }).optional(),
})

export type ApiReply = { readonly status?: number; readonly body: unknown } | 'silence'
export type ApiRequest = { readonly path: string; readonly body: Record<string, unknown> }

export type ModelApi = {
  /** Every question that was well-formed, in the order of coming. */
  readonly asked: ApiRequest[]
  endpoint(api: ModelEndpoint['api'], more?: Partial<ModelEndpoint>): ModelEndpoint
  close(): Promise<void>
}

export const KEY = 'sk-test-4711'

/**
 * A server on loopback that speaks the wire of both model APIs as strictly as theirs do: without the key, with a wrong
 * path or with a body that their documentation does not allow it answers with their errors.
 */
export async function startModelApi(reply: (request: ApiRequest) => ApiReply): Promise<ModelApi> {
  const asked: ApiRequest[] = []
  const server = createServer((request, response) => {
    void answer(request, response, asked, reply)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const origin = `http://127.0.0.1:${port}`
  return {
    asked,
    endpoint: (api, more = {}) => ({
      id: `test-${api}`,
      name: `Test ${api}`,
      api,
      url: api === 'openai' ? `${origin}/v1` : origin,
      models: [{ name: 'small-1' }],
      ...more,
    }),
    close: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

/** An answer of OpenAI's kind. */
export function openaiAnswer(message: object, finish = 'stop'): ApiReply {
  return {
    body: {
      id: 'chatcmpl-1',
      object: 'chat.completion',
      created: 1_780_000_000,
      model: 'small-1-2026',
      choices: [
        { index: 0, message: { role: 'assistant', content: null, ...message }, finish_reason: finish },
      ],
      usage: { prompt_tokens: 30, completion_tokens: 12, total_tokens: 42 },
    },
  }
}

/** An answer of Anthropic's kind. */
export function anthropicAnswer(content: readonly object[], stop = 'end_turn'): ApiReply {
  return {
    body: {
      id: 'msg_1',
      type: 'message',
      role: 'assistant',
      model: 'small-1-2026',
      content,
      stop_reason: stop,
      stop_sequence: null,
      usage: { input_tokens: 30, output_tokens: 12, cache_read_input_tokens: 0 },
    },
  }
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  asked: ApiRequest[],
  reply: (request: ApiRequest) => ApiReply,
): Promise<void> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(chunk as Buffer)
  const send = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' })
    response.end(typeof body === 'string' ? body : JSON.stringify(body))
  }
  const { method = '', url: path = '', headers } = request
  const isOpenai = headers['anthropic-version'] === undefined
  const key = isOpenai ? headers.authorization : headers['x-api-key']
  if (key !== (isOpenai ? `Bearer ${KEY}` : KEY)) {
    send(401, { error: { type: 'authentication_error', message: 'Incorrect API key provided.' } })
    return
  }
  if (method === 'GET' && path === '/v1/models') {
    send(200, { object: 'list', data: [{ id: 'small-1' }, { id: 'large-1' }] })
    return
  }
  if (method !== 'POST' || path !== (isOpenai ? '/v1/chat/completions' : '/v1/messages')) {
    send(404, { error: { type: 'not_found_error', message: `There is no ${method} ${path}.` } })
    return
  }
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString('utf8'))
  const parsed = (isOpenai ? openaiBody : anthropicBody).safeParse(body)
  if (!parsed.success) {
    send(400, { error: { type: 'invalid_request_error', message: z.prettifyError(parsed.error) } })
    return
  }
  const question = { path, body: body as Record<string, unknown> }
  asked.push(question)
  const given = reply(question)
  if (given !== 'silence') send(given.status ?? 200, given.body)
}

function answersEveryCall({
  messages,
}: {
  readonly messages: readonly z.infer<typeof openaiMessage>[]
}): boolean {
  let open = new Set<string>()
  for (const message of messages) {
    if (message.role === 'tool') {
      if (!open.delete(message.tool_call_id)) return false
    } else {
      if (open.size > 0) return false
      const calls = message.role === 'assistant' ? (message.tool_calls ?? []) : []
      open = new Set(calls.map(({ id }) => id))
    }
  }
  return open.size === 0
}
