/**
 * Asks everything that a server may ask of a client, with everything that it may put into a question: a form with every
 * kind of choice, an address, a sampling with an image and a tool, the roots. One of its tools takes its question back.
 */
import { createInterface } from 'node:readline'

type Message = {
  id?: unknown
  method?: string
  params?: Record<string, unknown>
  result?: unknown
  error?: unknown
}

const form = {
  type: 'object',
  properties: {
    desk: { type: 'string', enum: ['window', 'door'], title: 'Desk' },
    floor: { type: 'string', enum: ['f1', 'f2'], enumNames: ['First floor', 'Second floor'], default: 'f2' },
    colour: {
      type: 'string',
      oneOf: [
        { const: 'r', title: 'Red' },
        { const: 'g', title: 'Green' },
      ],
    },
    days: {
      type: 'array',
      items: { type: 'string', enum: ['Mon', 'Tue', 'Wed'] },
      default: ['Mon'],
    },
    extras: {
      type: 'array',
      items: {
        anyOf: [
          { const: 'lamp', title: 'A lamp' },
          { const: 'plant', title: 'A plant' },
        ],
      },
    },
    people: { type: 'integer', minimum: 1, maximum: 4, default: 1 },
    email: { type: 'string', format: 'email' },
    quiet: { type: 'boolean', default: true },
  },
  required: ['desk', 'people'],
}

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAoAAAAKCAIAAAACUFjqAAAAEklEQVR4nGNgaGjAg0akNEMDAEuLh4HkQqKNAAAAAElFTkSuQmCC'

const sampling = {
  systemPrompt: 'You are a terse assistant.\nAnswer in one line.',
  messages: [
    { role: 'user', content: { type: 'text', text: 'Name three birds seen in this picture.' } },
    { role: 'user', content: { type: 'image', data: PIXEL, mimeType: 'image/png' } },
  ],
  maxTokens: 400,
  temperature: 0.2,
  includeContext: 'thisServer',
  modelPreferences: { hints: [{ name: 'small-model' }], speedPriority: 0.9 },
  tools: [
    {
      name: 'look_up_bird',
      description: 'Looks a bird up.',
      inputSchema: { type: 'object', properties: {} },
    },
  ],
}

const questions: Readonly<Record<string, { method: string; params: object }>> = {
  book_desk: {
    method: 'elicitation/create',
    params: { message: 'Two desks are free on Monday. Which one should I book?', requestedSchema: form },
  },
  sign_in: {
    method: 'elicitation/create',
    params: {
      mode: 'url',
      elicitationId: 'sign-in-1',
      message: 'Sign in so that I can book for you.',
      url: 'https://accounts.example.com/authorize?client=desks&state=4c1a9d0f-27be-4e0a-9f37-7f0b2a1d9e55',
    },
  },
  name_birds: { method: 'sampling/createMessage', params: sampling },
  find_folders: { method: 'roots/list', params: {} },
  change_mind: {
    method: 'elicitation/create',
    params: { message: 'Never mind this one.', requestedSchema: { type: 'object', properties: {} } },
  },
}

const write = (message: object): void =>
  void process.stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)

/** What to do with the answer to each question, by its id. */
const waiting = new Map<unknown, (answer: Message) => void>()
let asked = 0
/** The call whose question is to be taken back, and that question. */
let regretted: { readonly call: unknown; readonly question: string } | undefined

function ask(call: unknown, tool: string): void {
  const question = questions[tool]
  if (question === undefined) {
    write({ id: call, error: { code: -32602, message: `there is no tool ${tool}` } })
    return
  }
  asked += 1
  const id = `question ${asked}`
  waiting.set(id, ({ result, error }) => {
    const text = JSON.stringify(result === undefined ? { error } : { result })
    write({ id: call, result: { content: [{ type: 'text', text }] } })
  })
  if (tool === 'change_mind') regretted = { call, question: id }
  write({ id, ...question })
}

function takeBack(): void {
  if (regretted === undefined) return
  const { call, question } = regretted
  regretted = undefined
  waiting.delete(question)
  write({
    method: 'notifications/cancelled',
    params: { requestId: question, reason: 'it found out by itself' },
  })
  write({ id: call, result: { content: [{ type: 'text', text: 'taken back' }] } })
}

const initialized = {
  protocolVersion: '2025-11-25',
  capabilities: { tools: {} },
  serverInfo: { name: 'asking', version: '1.0.0' },
}
const tools = [...Object.keys(questions), 'take_back'].map((name) => ({
  name,
  inputSchema: { type: 'object', properties: {} },
}))

createInterface({ input: process.stdin }).on('line', (line) => {
  const message = JSON.parse(line) as Message
  const { id, method, params = {} } = message
  if (method === undefined) waiting.get(id)?.(message)
  else if (id === undefined) return
  else if (method === 'initialize') write({ id, result: initialized })
  else if (method === 'tools/list') write({ id, result: { tools } })
  else if (method === 'tools/call' && params['name'] === 'take_back') {
    takeBack()
    write({ id, result: { content: [] } })
  } else if (method === 'tools/call') ask(id, String(params['name']))
  else if (method === 'ping') write({ id, result: {} })
  else write({ id, error: { code: -32601, message: 'Method not found' } })
})
