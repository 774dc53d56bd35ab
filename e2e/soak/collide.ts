import { Agent, request } from 'undici'
import { SseParser } from '../../server-core/transports/http/sse-codec.ts'
import { textOf } from './bad-connection.ts'
import { INITIALIZE, readMessage, type RawConnection, type Message, type Target } from './raw-connection.ts'
import type { Random } from '../random.ts'

/** Calls that one client has under way at once. */
const DEPTH = 5
/** Ids that every client uses, over and over. */
const IDS = 50
/** Longest event that is read, in bytes. */
const EVENT_BYTES = 1_000_000

/** How one client calls a tool and gets to the end of it. */
type Caller = {
  /** Calls, and gives every message that came for it, the answer last. `id` is free when the promise is settled. */
  readonly call: (id: number, tool: string, nonce: string) => Promise<Message[]>
  readonly close: () => Promise<void>
}

export type OpenCaller = (target: Target, client: number) => Promise<Caller>

/**
 * `clients` clients, all with the ids 1 to 50, call `count` times in all: a plain call, one with progress, one that asks
 * them something. Each carries a nonce of its own. Gives what reached a wrong client or call, at most 20 findings.
 */
export async function soakCalls(
  target: Target,
  open: OpenCaller,
  clients: number,
  count: number,
): Promise<string[]> {
  const findings: string[] = []
  let called = 0
  const client = async (number: number) => {
    const caller = await open(target, number)
    const connection = async (first: number) => {
      for (
        let id = first;
        called < count && findings.length < 20;
        id = (id % IDS) + DEPTH > IDS ? first : id + DEPTH
      ) {
        called += 1
        const tool = called % 200 === 0 ? 'ask' : called % 20 === 0 ? 'count' : 'echo'
        const nonce = `${number} ${called}`
        const fault = faultOf(tool, nonce, await caller.call(id, tool, nonce))
        if (fault !== undefined) findings.push(`client ${number}, id ${id}, ${tool} ${nonce}: ${fault}`)
      }
    }
    await Promise.all(Array.from({ length: DEPTH }, (_, index) => connection(index + 1)))
    await caller.close()
  }
  await Promise.all(Array.from({ length: clients }, (_, number) => client(number)))
  return findings
}

function faultOf(tool: string, nonce: string, messages: readonly Message[]): string | undefined {
  const answer = messages.at(-1)
  const expected = tool === 'ask' ? `${nonce} ${JSON.stringify({ back: nonce })}` : nonce
  if (answer === undefined || textOf(answer) !== expected)
    return `expected ${expected}, got ${JSON.stringify(answer)}`
  const progress = messages.filter((message) => message.method === 'notifications/progress')
  const foreign = progress.find((message) => message.params?.['message'] !== nonce)
  if (foreign !== undefined) return `got the progress of another call: ${JSON.stringify(foreign)}`
  const owed = tool === 'count' ? 3 : 0
  return progress.length === owed ? undefined : `expected ${owed} notes of progress, got ${progress.length}`
}

function callOf(id: number, tool: string, nonce: string, more: object = {}): string {
  const params = { name: tool, arguments: { nonce }, ...more }
  return JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params })
}

/** What the client answers to a question: the question itself, so that a foreign one shows. */
function answerTo(question: { readonly params?: Record<string, unknown> }): object {
  return { action: 'accept', content: { back: question.params?.['message'] } }
}

/** Any number of calls on one lane of a session. */
export function callerOn(connection: RawConnection): Caller {
  const open = new Map<number, { readonly messages: Message[]; readonly done: (all: Message[]) => void }>()
  connection.onMessage((message) => {
    if (message.method === 'elicitation/create') {
      connection.send(
        Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: message.id, result: answerTo(message) })),
      )
      return
    }
    const id = Number(message.method === undefined ? message.id : message.params?.['progressToken'])
    const call = open.get(id)
    call?.messages.push(message)
    if (message.method !== undefined) return
    open.delete(id)
    call?.done(call.messages)
  })
  return {
    call: async (id, tool, nonce) => {
      const answered = new Promise<Message[]>((done) => open.set(id, { messages: [], done }))
      connection.send(Buffer.from(callOf(id, tool, nonce, { _meta: { progressToken: id } })))
      return await Promise.race([
        answered,
        connection.closed.then((reason) => Promise.reject(new Error(reason))),
      ])
    },
    close: () => connection.close(),
  }
}

const TYPES = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }

/** A client of Streamable HTTP in a session of 2025-11-25. */
export const openSessionCaller: OpenCaller = async ({ mcpUrl }) => {
  const http = new HttpClient(mcpUrl)
  const opened = await http.post(JSON.stringify(INITIALIZE), {})
  const session = { 'mcp-session-id': String(opened.session), 'mcp-protocol-version': '2025-11-25' }
  await http.post('{"jsonrpc":"2.0","method":"notifications/initialized"}', session)
  return {
    call: async (id, tool, nonce) => {
      const body = callOf(id, tool, nonce, { _meta: { progressToken: id } })
      const { messages } = await http.post(body, session, async (message) => {
        if (message.method !== 'elicitation/create') return
        const answer = { jsonrpc: '2.0', id: message.id, result: answerTo(message) }
        await http.post(JSON.stringify(answer), session)
      })
      return messages.filter(({ method }) => method !== 'elicitation/create')
    },
    close: () => http.close(),
  }
}

/** A client of 2026-07-28, which needs no session: it answers by calling again. */
export const openModernCaller: OpenCaller = ({ mcpUrl }) => {
  const http = new HttpClient(mcpUrl)
  const prefix = 'io.modelcontextprotocol/'
  const call: Caller['call'] = async (id, tool, nonce) => {
    const headers = { 'mcp-protocol-version': '2026-07-28', 'mcp-method': 'tools/call', 'mcp-name': tool }
    const meta = {
      [`${prefix}protocolVersion`]: '2026-07-28',
      [`${prefix}clientCapabilities`]: { elicitation: {} },
      progressToken: id,
    }
    const { messages } = await http.post(callOf(id, tool, nonce, { _meta: meta }), headers)
    const { resultType, inputRequests, requestState } = messages.at(-1)?.result ?? {}
    if (resultType !== 'input_required') return messages
    const questions = Object.entries(
      inputRequests as Record<string, { readonly params?: Record<string, unknown> }>,
    )
    const inputResponses = Object.fromEntries(questions.map(([key, question]) => [key, answerTo(question)]))
    const again = await http.post(
      callOf(id, tool, nonce, { _meta: meta, inputResponses, requestState }),
      headers,
    )
    return [...messages.slice(0, -1), ...again.messages]
  }
  return Promise.resolve({ call, close: () => http.close() })
}

/** The connections of one client. */
class HttpClient {
  readonly #url: string
  readonly #agent = new Agent({ connections: DEPTH + 1, headersTimeout: 60_000, bodyTimeout: 60_000 })

  constructor(url: string) {
    this.#url = url
  }

  /** Posts a body, and gives the messages of the response; each is shown to `seen` as it comes. */
  async post(
    body: string,
    headers: Record<string, string>,
    seen: (message: Message) => Promise<void> = () => Promise.resolve(),
  ): Promise<{ readonly messages: Message[]; readonly session: unknown }> {
    const response = await request(this.#url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: { ...TYPES, ...headers },
      body,
    })
    const session = response.headers['mcp-session-id']
    if (response.headers['content-type'] !== 'text/event-stream') {
      const text = await response.body.text()
      return { messages: text === '' ? [] : [readMessage(text)], session }
    }
    const messages: Message[] = []
    const shown: Promise<void>[] = []
    const parser = new SseParser(EVENT_BYTES, ({ data }) => {
      if (data === undefined || data.length === 0) return
      const message = readMessage(Buffer.from(data))
      messages.push(message)
      shown.push(seen(message))
    })
    for await (const chunk of response.body) parser.push(chunk as Buffer)
    await Promise.all(shown)
    return { messages, session }
  }

  async close(): Promise<void> {
    await this.#agent.destroy()
  }
}

/** Opens a lane for each client and calls on it. */
export function onConnections(
  open: (target: Target, random: Random) => Promise<RawConnection>,
  random: Random,
): OpenCaller {
  return async (target) => callerOn(await open(target, random))
}
