import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { Client, StreamableHTTPClientTransport, type ClientCapabilities } from '@modelcontextprotocol/client'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** The two protocols that every server speaks: with a handshake, and without. */
export const ERAS = ['2025-11-25', '2026-07-28'] as const
export type EraName = (typeof ERAS)[number]

/** The file of an example. */
export function exampleFile(name: string): string {
  return path.join(import.meta.dirname, `${name}.ts`)
}

/** A running example that listens. */
export class ExampleProcess {
  readonly #child: ChildProcess
  readonly #exited: Promise<unknown>
  #stderr = ''

  /** Runs `docs/examples/NAME.ts --port 0`. */
  constructor(name: string, env: Readonly<Record<string, string>> = {}) {
    this.#child = spawn(process.execPath, [exampleFile(name), '--port', '0'], {
      env: { ...process.env, ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    this.#child.stderr?.on('data', (bytes: Buffer) => (this.#stderr += bytes.toString()))
    this.#exited = once(this.#child, 'close')
  }

  get stderr(): string {
    return this.#stderr
  }

  /** Waits until its stderr has this. */
  async tells(words: string): Promise<void> {
    const { stderr } = this.#child
    while (stderr !== null && !this.#stderr.includes(words)) await once(stderr, 'data')
  }

  /** Where it listens: Streamable HTTP, HTTP+SSE, WebSocket. Throws what it said if it ends before. */
  async urls(): Promise<readonly URL[]> {
    const { stderr } = this.#child
    if (stderr === null) throw new Error('it has no stderr')
    for (;;) {
      const urls = Array.from(
        this.#stderr.matchAll(/^listening at (\S+)\n/gm),
        ([, url = '']) => new URL(url),
      )
      if (urls.length === 3) return urls
      const what = await Promise.race([once(stderr, 'data'), this.#exited.then(() => 'ended')])
      if (what === 'ended') throw new Error(`the example ended: ${this.#stderr}`)
    }
  }

  /** Ends it by a signal; resolves when it has ended. */
  async end(): Promise<void> {
    this.#child.kill('SIGTERM')
    await this.#exited
  }
}

export type Connecting = {
  readonly capabilities?: ClientCapabilities
  readonly headers?: Readonly<Record<string, string>>
  /** Called before it connects: for the handlers of questions and notifications. */
  readonly prepare?: (client: Client) => void
}

/** Connects the official client, which insists on that revision. */
export async function connectClient(url: URL, era: EraName, options: Connecting = {}): Promise<Client> {
  const { capabilities = {}, headers, prepare } = options
  const mode = era === '2026-07-28' ? { pin: era } : ('legacy' as const)
  const client = new Client({ name: 'reader', version: '1' }, { capabilities, versionNegotiation: { mode } })
  prepare?.(client)
  const requestInit = headers === undefined ? {} : { requestInit: { headers: { ...headers } } }
  await client.connect(new StreamableHTTPClientTransport(url, requestInit))
  return client
}

/** Sends one request of 2026-07-28 as it is, for what the official client has no calls for; returns its result. */
export async function postModern(
  url: URL,
  method: string,
  params: JsonObject,
  extension: string,
): Promise<JsonObject> {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientInfo': { name: 'reader', version: '1' },
    'io.modelcontextprotocol/clientCapabilities': { extensions: { [extension]: {} } },
  }
  const named = params['name'] ?? params['taskId']
  const answer = await fetch(url, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2026-07-28',
      'mcp-method': method,
      ...(typeof named === 'string' && { 'mcp-name': named }),
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method, params: { ...params, _meta } }),
  })
  const message: unknown = await answer.json()
  if (isJsonObject(message) && isJsonObject(message['result'])) return message['result']
  throw new Error(`${method} was answered with ${JSON.stringify(message)}`)
}
