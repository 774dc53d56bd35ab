import { createServer } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonObject } from '../../protocol/json.ts'
import { RuleError } from '../rule-error.ts'
import { askModel, listModels } from './ask-model.ts'
import type { ModelEndpoint } from './endpoint.ts'
import {
  anthropicAnswer,
  KEY,
  openaiAnswer,
  startModelApi,
  type ApiReply,
  type ModelApi,
} from './model-api.test-support.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUg=='
const WAV = 'UklGRiQAAABXQVZF'

/** One of everything that sampling can carry. */
const CONVERSATION: JsonObject = {
  systemPrompt: 'Be brief.',
  temperature: 0.5,
  stopSequences: ['END'],
  maxTokens: 100,
  metadata: { trace: 'kept here' },
  tools: [
    {
      name: 'weather/now',
      description: 'The weather.',
      inputSchema: { type: 'object', properties: { city: {} } },
    },
    { name: 'weather.now', inputSchema: { type: 'object' } },
  ],
  toolChoice: { mode: 'required' },
  messages: [
    {
      role: 'user',
      content: [
        { type: 'text', text: 'What is on it?' },
        { type: 'image', data: PNG, mimeType: 'image/png' },
      ],
    },
    {
      role: 'assistant',
      content: [
        { type: 'text', text: 'I look.' },
        { type: 'tool_use', id: 'call_1', name: 'weather/now', input: { city: 'Oslo' } },
        { type: 'tool_use', id: 'call_2', name: 'weather.now', input: {} },
      ],
    },
    {
      role: 'user',
      content: [
        { type: 'tool_result', toolUseId: 'call_1', content: [{ type: 'text', text: '7 °C' }] },
        {
          type: 'tool_result',
          toolUseId: 'call_2',
          isError: true,
          content: [
            { type: 'text', text: 'no station' },
            { type: 'image', data: PNG, mimeType: 'image/png' },
          ],
        },
      ],
    },
  ],
}

let api: ModelApi | undefined

afterEach(async () => {
  await api?.close()
  api = undefined
})

async function ask(
  kind: ModelEndpoint['api'],
  reply: ApiReply,
  params: JsonObject = CONVERSATION,
  more: Partial<ModelEndpoint> = {},
  key: string | undefined = KEY,
): ReturnType<typeof askModel> {
  api = await startModelApi(() => reply)
  return askModel({ endpoint: api.endpoint(kind, more), key }, { params, model: 'small-1', maxTokens: 50 })
}

function failure(asking: Promise<unknown>): Promise<RuleError> {
  return asking.then(
    () => expect.fail('an answer came'),
    (error: unknown) => {
      expect(error).toBeInstanceOf(RuleError)
      return error as RuleError
    },
  )
}

describe('an endpoint of the kind of OpenAI', () => {
  it('gets text, images, tools, their uses and results, and everything that is asked for beside', async () => {
    await ask('openai', openaiAnswer({ content: 'Rain.' }))
    const { messages, tools, ...rest } = api?.asked[0]?.body ?? {}
    expect(rest).toEqual({
      model: 'small-1',
      max_tokens: 50,
      temperature: 0.5,
      stop: ['END'],
      tool_choice: 'required',
    })
    expect(tools).toMatchObject([
      { function: { name: 'weather_now', description: 'The weather.' } },
      { function: { name: 'weather_now_2' } },
    ])
    expect(messages).toEqual([
      { role: 'system', content: 'Be brief.' },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is on it?' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
      {
        role: 'assistant',
        content: 'I look.',
        tool_calls: [
          { id: 'call_1', type: 'function', function: { name: 'weather_now', arguments: '{"city":"Oslo"}' } },
          { id: 'call_2', type: 'function', function: { name: 'weather_now_2', arguments: '{}' } },
        ],
      },
      { role: 'tool', tool_call_id: 'call_1', content: '7 °C' },
      {
        role: 'tool',
        tool_call_id: 'call_2',
        content: 'The tool failed: no station\n\n(The rest of the result follows.)',
      },
      {
        role: 'user',
        content: [
          { type: 'text', text: 'From the result of call_2:' },
          { type: 'image_url', image_url: { url: `data:image/png;base64,${PNG}` } },
        ],
      },
    ])
  })

  it('answers with text, and with tools by the names that the server gave them', async () => {
    const calls = [
      { id: 'c9', type: 'function', function: { name: 'weather_now_2', arguments: '{"city":"Rome"}' } },
    ]
    const reply = await ask(
      'openai',
      openaiAnswer({ content: 'Let me see.', tool_calls: calls }, 'tool_calls'),
    )
    expect(reply).toEqual({
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'c9', name: 'weather.now', input: { city: 'Rome' } },
      ],
      model: 'small-1-2026',
      stopReason: 'toolUse',
      tokens: 42,
    })
  })

  it.each([
    ['stop', 'endTurn'],
    ['length', 'maxTokens'],
    ['content_filter', 'content_filter'],
  ])('that stops for %s stops for %s', async (reason, stopReason) => {
    expect(await ask('openai', openaiAnswer({ content: 'Rain.' }, reason))).toMatchObject({ stopReason })
  })

  it('gets sound as wav and mp3, and no other', async () => {
    const heard = (mimeType: string): JsonObject => ({
      messages: [{ role: 'user', content: { type: 'audio', data: WAV, mimeType } }],
    })
    await ask('openai', openaiAnswer({ content: 'A bird.' }), heard('audio/wav'))
    expect(api?.asked[0]?.body['messages']).toEqual([
      { role: 'user', content: [{ type: 'input_audio', input_audio: { data: WAV, format: 'wav' } }] },
    ])
    await api?.close()
    const { code, message, told } = await failure(ask('openai', openaiAnswer({}), heard('audio/ogg')))
    expect(code).toBe('question')
    expect(message).toContain('audio/wav or audio/mpeg, not "audio/ogg"')
    expect(told).toContain('"audio/ogg"')
  })

  it('gets the limit of an answer by the name that its newer models want', async () => {
    await ask('openai', openaiAnswer({ content: 'Rain.' }), CONVERSATION, {
      tokenLimitName: 'max_completion_tokens',
    })
    expect(api?.asked[0]?.body).toMatchObject({ max_completion_tokens: 50 })
    expect(api?.asked[0]?.body['max_tokens']).toBeUndefined()
  })

  it('reports a request for a tool with broken arguments instead of accepting it', async () => {
    const calls = [{ id: 'c9', type: 'function', function: { name: 'weather_now', arguments: '{"city":' } }]
    const { message } = await failure(ask('openai', openaiAnswer({ tool_calls: calls }, 'tool_calls')))
    expect(message).toBe('The model asked for weather/now with arguments that are not JSON.')
  })
})

describe('an endpoint of the kind of Anthropic', () => {
  it('gets text, images, tools, their uses and results, and everything that is asked for beside', async () => {
    await ask('anthropic', anthropicAnswer([{ type: 'text', text: 'Rain.' }]))
    const { messages, tools, ...rest } = api?.asked[0]?.body ?? {}
    expect(rest).toEqual({
      model: 'small-1',
      max_tokens: 50,
      system: 'Be brief.',
      temperature: 0.5,
      stop_sequences: ['END'],
      tool_choice: { type: 'any' },
    })
    expect(tools).toMatchObject([
      { name: 'weather_now', description: 'The weather.', input_schema: { type: 'object' } },
      { name: 'weather_now_2' },
    ])
    const image = { type: 'image', source: { type: 'base64', media_type: 'image/png', data: PNG } }
    expect(messages).toEqual([
      { role: 'user', content: [{ type: 'text', text: 'What is on it?' }, image] },
      {
        role: 'assistant',
        content: [
          { type: 'text', text: 'I look.' },
          { type: 'tool_use', id: 'call_1', name: 'weather_now', input: { city: 'Oslo' } },
          { type: 'tool_use', id: 'call_2', name: 'weather_now_2', input: {} },
        ],
      },
      {
        role: 'user',
        content: [
          { type: 'tool_result', tool_use_id: 'call_1', content: [{ type: 'text', text: '7 °C' }] },
          {
            type: 'tool_result',
            tool_use_id: 'call_2',
            content: [{ type: 'text', text: 'no station' }, image],
            is_error: true,
          },
        ],
      },
    ])
  })

  it('answers with text, and with tools by the names that the server gave them', async () => {
    const content = [
      { type: 'thinking', thinking: 'Hm.', signature: 'x' },
      { type: 'text', text: 'Let me see.' },
      { type: 'tool_use', id: 'toolu_9', name: 'weather_now', input: { city: 'Rome' } },
    ]
    expect(await ask('anthropic', anthropicAnswer(content, 'tool_use'))).toEqual({
      content: [
        { type: 'text', text: 'Let me see.' },
        { type: 'tool_use', id: 'toolu_9', name: 'weather/now', input: { city: 'Rome' } },
      ],
      model: 'small-1-2026',
      stopReason: 'toolUse',
      tokens: 42,
    })
  })

  it.each([
    ['end_turn', 'endTurn'],
    ['max_tokens', 'maxTokens'],
    ['stop_sequence', 'stopSequence'],
    ['refusal', 'refusal'],
  ])('that stops for %s stops for %s', async (reason, stopReason) => {
    expect(await ask('anthropic', anthropicAnswer([{ type: 'text', text: 'x' }], reason))).toMatchObject({
      stopReason,
    })
  })

  it('is found under its address with and without the version', async () => {
    api = await startModelApi(() => anthropicAnswer([]))
    const { url } = api.endpoint('anthropic')
    for (const address of [url, `${url}/`, `${url}/v1`, `${url}/v1/`]) {
      expect(await listModels({ endpoint: api.endpoint('anthropic', { url: address }), key: KEY })).toEqual([
        'small-1',
        'large-1',
      ])
    }
  })

  it('cannot get sound', async () => {
    const params = {
      messages: [{ role: 'user', content: { type: 'audio', data: WAV, mimeType: 'audio/wav' } }],
    }
    expect(await failure(ask('anthropic', anthropicAnswer([]), params))).toMatchObject({ code: 'question' })
  })
})

describe('of an endpoint without an answer, the user sees the reason and the server does not:', () => {
  it.each([
    ['a wrong key', 'wrong', '401 (the key is missing or wrong): Incorrect API key provided.', 401],
    ['no key', undefined, '401 (the key is missing or wrong): Incorrect API key provided.', 401],
  ])('%s', async (_what, key, words, httpStatus) => {
    api = await startModelApi(() => openaiAnswer({}))
    const asking = askModel(
      { endpoint: api.endpoint('openai'), key },
      { params: CONVERSATION, model: 'small-1', maxTokens: 50 },
    )
    const error = await failure(asking)
    expect(error.message).toBe(`Test openai answered with HTTP ${words}`)
    expect(error.httpStatus).toBe(httpStatus)
    expect(error.told).toBe('the model that answers this request on the client failed')
  })

  it.each([
    [
      'its error',
      { status: 429, body: { error: { message: 'Slow down.' } } },
      /HTTP 429 \(too many requests.*\): Slow down\.$/,
    ],
    ['a web page', { status: 502, body: '<h1>Bad gateway</h1>' }, /HTTP 502: <h1>Bad gateway<\/h1>$/],
    ['text in place of JSON', { body: 'ready' }, /something that is not a JSON object: ready$/],
    ['another object', { body: { ok: true } }, /without choices\[0\]\.message/],
  ])('%s', async (_what, reply, words) => {
    expect((await failure(ask('openai', reply))).message).toMatch(words)
  })

  it('silence', async () => {
    expect((await failure(ask('openai', 'silence', CONVERSATION, { timeoutMs: 200 }))).message).toMatch(
      /Test openai could not be asked: .* no whole answer within 200 ms/,
    )
  })

  it('a port where nobody listens', async () => {
    // A port that no other program is given by chance, and that no other protocol has.
    const url = 'http://127.0.0.1:2/v1'
    expect((await failure(ask('openai', 'silence', CONVERSATION, { url }))).message).toMatch(
      /could not be asked: .*ECONNREFUSED/,
    )
  })

  it('a redirect to another place, which gets neither question nor key', async () => {
    const elsewhere = await startModelApi(() => openaiAnswer({ content: 'Got it.' }))
    const redirecting = createServer((_request, response) => {
      response.writeHead(307, { location: `${elsewhere.endpoint('openai').url}/chat/completions` }).end()
    }).listen(0, '127.0.0.1')
    await once(redirecting, 'listening')
    try {
      const { port } = redirecting.address() as AddressInfo
      const { message } = await failure(
        ask('openai', 'silence', CONVERSATION, { url: `http://127.0.0.1:${port}/v1` }),
      )
      expect(message).toContain('HTTP 307')
      expect(elsewhere.asked).toEqual([])
    } finally {
      redirecting.close()
      await elsewhere.close()
    }
  })

  it('the address where clouds keep credentials', async () => {
    const { message } = await failure(
      ask('openai', 'silence', CONVERSATION, { url: 'http://169.254.169.254/v1' }),
    )
    expect(message).toMatch(/could not be asked: .*link-local/)
  })
})

it('a question that was taken back takes its request along', async () => {
  const controller = new AbortController()
  api = await startModelApi(() => {
    controller.abort(new Error('taken back'))
    return 'silence'
  })
  const asking = askModel(
    { endpoint: api.endpoint('openai'), key: KEY },
    { params: CONVERSATION, model: 'small-1', maxTokens: 50 },
    controller.signal,
  )
  await expect(asking).rejects.toThrow('taken back')
})
