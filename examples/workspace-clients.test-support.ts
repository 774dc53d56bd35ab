import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import * as v2 from '@modelcontextprotocol/client'
import * as v2stdio from '@modelcontextprotocol/client/stdio'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { ElicitRequestSchema } from '@modelcontextprotocol/sdk/types.js'
import { afterAll, beforeAll, onTestFinished } from 'vitest'
import { buildCli, patchbay, ServeProcess } from '../server-core/cli/cli-process.test-support.ts'

type Environment = Readonly<Record<string, string>>

/** What both official SDKs have, as far as the examples need it. */
export type Peer = {
  listTools(): Promise<{ tools: { name: string; inputSchema: object }[] }>
  listResources(): Promise<{ resources: { uri: string; name: string }[] }>
  callTool(params: { name: string; arguments?: Record<string, unknown> }): Promise<CallResult>
  readResource(params: { uri: string }): Promise<{ contents: { text?: string }[] }>
  getPrompt(params: {
    name: string
    arguments: Record<string, string>
  }): Promise<{ messages: { content: { text?: string } }[] }>
  complete(params: {
    ref: { type: 'ref/resource'; uri: string } | { type: 'ref/prompt'; name: string }
    argument: { name: string; value: string }
  }): Promise<{ completion: { values: string[] } }>
  getServerVersion(): { name: string } | undefined
  close(): Promise<void>
}

export type CallResult = {
  readonly content: readonly { readonly type: string; readonly text?: string }[]
  readonly structuredContent?: unknown
  readonly isError?: boolean
}

/** What a user says to a form; the form comes with its message. */
export type Answer = (form: { readonly message: string; readonly requestedSchema?: unknown }) => {
  readonly action: 'accept' | 'decline'
  readonly content?: Record<string, string | number | boolean>
}

/** Where a client finds a server: its address, or the folder for which it starts one. */
export type Place = { readonly url: URL; readonly headers?: Environment } | Served
export type Served = { readonly folder: string; readonly env?: Environment }

export type Sdk = 'SDK v1, 2025-11-25' | 'SDK v2, 2025-11-25' | 'SDK v2, 2026-07-28'
export const SDKS: readonly Sdk[] = ['SDK v1, 2025-11-25', 'SDK v2, 2025-11-25', 'SDK v2, 2026-07-28']

/** For tests that start servers: a machine that is busy with other things takes its time. */
export const SLOW = { timeout: 60_000 }

/** Connects an official client. Without `answer` it can ask nobody, and says so. */
export async function connectSdk(sdk: Sdk, place: Place, answer?: Answer): Promise<Peer> {
  // Sessions that have no id are told apart by who the client says it is.
  const info = { name: `${sdk}, ${'url' in place ? 'HTTP' : 'stdio'}`, version: '1' }
  const capabilities = answer === undefined ? {} : { elicitation: {} }
  if (sdk === 'SDK v1, 2025-11-25') {
    const client = new V1Client(info, { capabilities })
    if (answer !== undefined) client.setRequestHandler(ElicitRequestSchema, ({ params }) => answer(params))
    await client.connect(
      'url' in place ? new V1Http(place.url, { requestInit: requestInit(place) }) : new V1Stdio(stdio(place)),
    )
    return client as unknown as Peer
  }
  const mode = sdk === 'SDK v2, 2025-11-25' ? ('legacy' as const) : { pin: '2026-07-28' }
  const client = new v2.Client(info, { capabilities, versionNegotiation: { mode } })
  if (answer !== undefined) client.setRequestHandler('elicitation/create', ({ params }) => answer(params))
  await client.connect(
    'url' in place
      ? new v2.StreamableHTTPClientTransport(place.url, { requestInit: requestInit(place) })
      : new v2stdio.StdioClientTransport(stdio(place)),
  )
  return client as unknown as Peer
}

/**
 * `patchbay serve FOLDER --trust --http` for the length of a test file, started as a user would, with the command line as
 * its sources are now. `prepare` gets a new folder, which is there as long, and says what is served.
 */
export function serveWorkspace(prepare: (temporary: string) => Served | Promise<Served>): ServedWorkspace {
  const workspace = new ServedWorkspace()
  let temporary: string | undefined
  beforeAll(async () => {
    await buildCli()
    temporary = await mkdtemp(path.join(tmpdir(), 'patchbay-example-'))
    await workspace.start(await prepare(temporary))
  }, 2 * SLOW.timeout)
  afterAll(async () => {
    await workspace.end()
    if (temporary !== undefined) await rm(temporary, { recursive: true, force: true })
  })
  return workspace
}

/** A workspace that is served, once the tests run. */
class ServedWorkspace {
  #process: ServeProcess | undefined
  #url = new URL('http://localhost')

  /** Where clients reach it. */
  get url(): URL {
    return this.#url
  }

  async start({ folder, env = {} }: Served): Promise<void> {
    this.#process = new ServeProcess([folder, '--trust', '--http'], { cwd: folder, env })
    const [url = ''] = await this.#process.addresses()
    this.#url = new URL(url)
  }

  /** Ends it as a user would; returns its exit code. */
  async end(): Promise<number | null | undefined> {
    return this.#process?.end()
  }

  /** Waits until it has told this on stderr. */
  async tells(words: string | RegExp): Promise<void> {
    await this.#process?.tells(words)
  }
}

/** Like `connectSdk`, for the length of one test. */
export async function connect(sdk: Sdk, place: Place, answer?: Answer): Promise<Peer> {
  const peer = await connectSdk(sdk, place, answer)
  onTestFinished(() => peer.close())
  return peer
}

/** Calls a tool that must not fail; returns its structured content, or its texts if it has none. */
export async function call(peer: Peer, name: string, args: Record<string, unknown> = {}): Promise<unknown> {
  const { content, structuredContent, isError } = await peer.callTool({ name, arguments: args })
  const texts = content.flatMap(({ text = [] }) => text).join('\n')
  if (isError === true) throw new Error(`${name} failed: ${texts}`)
  return structuredContent ?? texts
}

/** Calls a tool that must fail; returns the JSON of its first text. */
export async function faultOf(
  peer: Peer,
  name: string,
  args: Record<string, unknown> = {},
): Promise<unknown> {
  const { content, isError } = await peer.callTool({ name, arguments: args })
  if (isError !== true) throw new Error(`${name} did not fail`)
  return JSON.parse(content[0]?.text ?? '')
}

/** Reads a resource of one text. */
export async function textOf(peer: Peer, uri: string): Promise<string> {
  return (await peer.readResource({ uri })).contents[0]?.text ?? ''
}

function stdio({ folder, env = {} }: Served) {
  const args = [patchbay, 'serve', folder, '--trust', '--stdio']
  return { command: process.execPath, args, env: { ...env }, stderr: 'ignore' as const }
}

function requestInit({ headers = {} }: { readonly headers?: Environment }) {
  return { headers: { ...headers } }
}
