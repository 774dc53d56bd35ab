import { connect } from 'node:net'
import { Agent, request } from 'undici'
import { textOf } from './bad-connection.ts'
import { badInput } from './bad-input.ts'
import { badExchange } from './bad-exchange.ts'
import { INITIALIZE, readMessage, type Target } from './raw-connection.ts'
import { owedFor, type Owed } from './oracle.ts'
import type { Random } from '../random.ts'

/** Requests under way at once. */
const CONNECTIONS = 16
/** Bad requests between two signs of life. */
const BURST = 100
/** Milliseconds after which a server that does not answer is stuck. */
const STUCK_MS = 30_000

type Era = 'legacy' | 'modern'

/** Headers that belong to what is sent, right or wrong. */
type Headers = Record<string, string>

/**
 * Posts `count` bad bodies to the Streamable HTTP endpoint, half of them in a session of 2025-11-25 and half in the
 * shape of 2026-07-28, and one broken HTTP request for every twenty. Gives what went wrong, at most 20 findings.
 */
export async function soakHttp(target: Target, random: Random, count: number): Promise<string[]> {
  const agent = new Agent({ connections: CONNECTIONS, headersTimeout: STUCK_MS, bodyTimeout: STUCK_MS })
  try {
    const soak = new HttpSoak(target.mcpUrl, agent, random, await openSession(target.mcpUrl, agent))
    return await soak.run(count)
  } finally {
    await agent.destroy()
  }
}

async function openSession(url: string, dispatcher: Agent): Promise<string> {
  const opened = await request(url, {
    dispatcher,
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(INITIALIZE),
  })
  await opened.body.dump()
  const session = opened.headers['mcp-session-id']
  if (typeof session !== 'string') throw new Error(`expected a session, got status ${opened.statusCode}`)
  return session
}

class HttpSoak {
  readonly #url: string
  readonly #agent: Agent
  readonly #random: Random
  readonly #session: string
  readonly #findings: string[] = []
  #sent = 0

  constructor(url: string, agent: Agent, random: Random, session: string) {
    this.#url = url
    this.#agent = agent
    this.#random = random
    this.#session = session
  }

  async run(count: number): Promise<string[]> {
    await Promise.all(Array.from({ length: CONNECTIONS }, () => this.#lane(count)))
    return this.#findings.slice(0, 20)
  }

  async #lane(count: number): Promise<void> {
    while (this.#sent < count && this.#findings.length < 20) {
      const number = (this.#sent += 1)
      try {
        if (number % 20 === 0) await this.#broken(number)
        else await this.#bad(number)
        if (number % BURST === 0) await this.#probe(`probe ${number}`)
      } catch (error) {
        this.#findings.push(`input ${number}: ${error instanceof Error ? error.message : String(error)}`)
      }
    }
  }

  async #bad(number: number): Promise<void> {
    const random = this.#random
    const era: Era = number % 2 === 0 ? 'legacy' : 'modern'
    const { kind, bytes } = badInput(random, number)
    const body = era === 'modern' && random.probability(0.7) ? enveloped(bytes, random) : bytes
    const { status, text } = await this.#post(body, this.#headers(era, random))
    const fault = faultOf(owedFor(body), era, status, text)
    if (fault === undefined) return
    this.#findings.push(`${fault}; ${era}, ${kind}: ${body.toString('latin1').slice(0, 300)}`)
  }

  async #probe(nonce: string): Promise<void> {
    const body = JSON.stringify(call(nonce, nonce))
    const { status, text } = await this.#post(Buffer.from(body), this.#sessionHeaders())
    const answer = textOf(readMessage(text))
    if (status !== 200 || answer !== nonce) this.#findings.push(`wrong answer ${status}: ${text}`)
  }

  /** A request that is not HTTP, or lies about itself, on a connection of its own, which must come to an end. */
  async #broken(number: number): Promise<void> {
    const { kind, bytes } = badExchange(this.#random, number)
    const { hostname, port } = new URL(this.#url)
    const socket = connect(Number(port), hostname)
    // A reset is one of the ways in which a server may end it.
    socket.on('error', () => undefined)
    const chunks: Buffer[] = []
    socket.on('data', (chunk: Buffer) => chunks.push(chunk))
    socket.setTimeout(STUCK_MS, () => {
      this.#findings.push(`stuck on ${kind}`)
      socket.destroy()
    })
    socket.end(bytes)
    // Not `once`, which would take the reset for a failure of its own.
    await new Promise((resolve) => socket.once('close', resolve))
    const answer = Buffer.concat(chunks).toString('latin1')
    if (answer !== '' && !/^HTTP\/1\.1 [2-5]\d\d /.test(answer)) {
      this.#findings.push(`no HTTP answer to ${kind}: ${answer.slice(0, 100)}`)
    }
  }

  async #post(body: Buffer, headers: Headers): Promise<{ readonly status: number; readonly text: string }> {
    const response = await request(this.#url, {
      dispatcher: this.#agent,
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...headers,
      },
      body,
    })
    return { status: response.statusCode, text: await response.body.text() }
  }

  #headers(era: Era, random: Random): Headers {
    if (era === 'legacy') return this.#sessionHeaders()
    const headers: Headers = {}
    if (random.probability(0.9))
      headers['mcp-protocol-version'] = random.pick(['2026-07-28', '2026-07-28', '2030-01-01', 'x'])
    if (random.probability(0.9))
      headers['mcp-method'] = random.pick(['tools/call', 'tools/call', 'ping', '=?base64?!?='])
    if (random.probability(0.9))
      headers['mcp-name'] = random.pick(['echo', 'echo', '=?base64?ZWNobw==?=', '=?base64?/?='])
    if (random.probability(0.2)) headers['mcp-session-id'] = random.pick([this.#session, 'none', ''])
    return headers
  }

  #sessionHeaders(): Headers {
    return { 'mcp-session-id': this.#session, 'mcp-protocol-version': '2025-11-25' }
  }
}

/** Adds the `_meta` of 2026-07-28 to a valid message, sometimes with a fault. */
function enveloped(bytes: Buffer, random: Random): Buffer {
  const prefix = 'io.modelcontextprotocol/'
  const version = random.pick([
    '"2026-07-28"',
    '"2026-07-28"',
    '"2026-07-28"',
    '"2025-11-25"',
    '1',
    'null',
    '{}',
  ])
  const capabilities = random.pick(['{}', '{}', '{}', '[]', 'null', '1', '{"extensions":1}'])
  const meta = `"_meta":{"${prefix}protocolVersion":${version},"${prefix}clientCapabilities":${capabilities}}`
  const text = bytes.toString('latin1').replace('"params":{}', `"params":{${meta}}`)
  return Buffer.from(text.replace('"params":{"name"', `"params":{${meta},"name"`), 'latin1')
}

function faultOf(owed: Owed, era: Era, status: number, text: string): string | undefined {
  const got = `got ${status} ${text.slice(0, 200)}`
  if (status === 202) return owed.type === 'nothing' && text === '' ? undefined : `expected an answer, ${got}`
  if (status !== 200 && (status < 400 || status > 499)) return `expected another status, ${got}`
  const { id, result, error } = readMessage(text)
  const known = id === undefined || id === null ? undefined : id
  if (result !== undefined && (status !== 200 || owed.type !== 'answer')) return `expected an error, ${got}`
  if (result === undefined && error === undefined) return `expected a result or an error, ${got}`
  switch (owed.type) {
    case 'nothing':
      // Only a session takes what belongs to no request.
      return era === 'modern' && (status === 400 || status === 404) ? undefined : `expected 202, ${got}`
    case 'error':
      return known === undefined || known === owed.id ? undefined : `expected another id, ${got}`
    case 'answer':
      return Object.is(known, owed.id) || known === owed.id ? undefined : `expected its own id, ${got}`
  }
}

function call(id: string, nonce: string): object {
  return { jsonrpc: '2.0', id, method: 'tools/call', params: { name: 'echo', arguments: { nonce } } }
}
