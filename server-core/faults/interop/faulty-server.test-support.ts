import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import * as v2 from '@modelcontextprotocol/client'
import { Client as V1Client } from '@modelcontextprotocol/sdk/client/index.js'
import * as v1Sse from '@modelcontextprotocol/sdk/client/sse.js'
import { StdioClientTransport as V1Stdio } from '@modelcontextprotocol/sdk/client/stdio.js'
import { StreamableHTTPClientTransport as V1Http } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { WebSocketClientTransport as V1WebSocket } from '@modelcontextprotocol/sdk/client/websocket.js'
import type { Transport } from '@modelcontextprotocol/sdk/shared/transport.js'
import { connect } from '../../client/connect.ts'
import { COMPILED } from '../../compiled.test-support.ts'
import { createServer } from '../../server/server.ts'
import { startHttpListener } from '../../listener/http-listener.ts'
import { memoryPair } from '../../transports/memory/memory-link.ts'
import { transportsFor, type Open } from '../../transports/opener.ts'
import { NO_TAP, type Tap } from '../../ports/tap.ts'
import { FaultControl } from '../fault-control.ts'
import { faultSettingsSchema, type FaultSettings } from '../fault-settings.ts'
import { leftOpen } from '../../left-open.test-support.ts'
import { faultyRegistry } from './faulty-registry.test-support.ts'

/** Milliseconds in which an answer comes, if it comes at all. */
const PATIENT_MS = 20_000

// It is marked as deprecated, as the transport is.
const { SSEClientTransport: V1Sse } = v1Sse as unknown as {
  readonly SSEClientTransport: new (url: URL) => Transport
}

const STDIO = {
  command: process.execPath,
  args: [fileURLToPath(new URL('faulty-server-process.test-support.ts', import.meta.url))],
  env: COMPILED,
}

/** The ways to the server, in the order of the columns of the table in docs/faults.md. */
export const WAYS = ['stdio', 'http 2025-11-25', 'http 2026-07-28', 'sse', 'websocket', 'memory'] as const
export type Way = (typeof WAYS)[number]

/** What both official clients and ours have in common here. */
export type Caller = {
  /** The text of a call's result. Rejects with what the client says of a call that failed. */
  call(name: string, args?: Record<string, unknown>, timeoutMs?: number): Promise<string>
  close(): Promise<unknown>
}

/** A server with faults that can be set, and ways to connect to it. */
export type Faulty = {
  readonly control: FaultControl
  readonly urls: { readonly mcp: string; readonly sse: string; readonly ws: string }
  own(way: Way): Promise<Caller & { readonly progress: number[] }>
  official(way: Way): Promise<Caller>
}

/** What a client sees of a fault, as the table in docs/faults.md says it. */
export function cellOf(fault: string, way: Way): string {
  const page = readFileSync(new URL('../../../docs/faults.md', import.meta.url), 'utf8')
  const line = page.split('\n').find((each) => each.startsWith(`| \`${fault}\``))
  const cell = line?.split('|').map((each) => each.trim())[WAYS.indexOf(way) + 2]
  if (cell === undefined) throw new Error(`docs/faults.md has no row for ${fault}`)
  return cell
}

export async function faultyServer(tap: Tap = NO_TAP): Promise<Faulty> {
  const control = new FaultControl()
  const server = createServer({ registry: faultyRegistry(control), info: { name: 'faulty', version: '1' } })
  const routes = { mcp: true, sse: true, ws: true }
  const listener = await startHttpListener({ server, port: 0, routes, faults: control, tap })
  leftOpen.push(async () => {
    await listener.close()
    await server.close()
  })
  const { mcp = '', sse = '', ws = '' } = listener.urls
  const urls = { mcp, sse, ws }
  const openOf = (way: Way): Open => {
    switch (way) {
      case 'stdio':
        return transportsFor({ transport: 'stdio', ...STDIO }).open
      case 'sse':
        return transportsFor({ transport: 'sse', url: sse }).open
      case 'websocket':
        return transportsFor({ transport: 'websocket', url: ws }).open
      case 'memory':
        return () => {
          const pair = memoryPair({ faults: control })
          server.attach(pair.server)
          return pair.client
        }
      default:
        return transportsFor({ transport: 'http', url: mcp }).open
    }
  }
  return {
    control,
    urls,
    own: async (way) => {
      const connection = await connect({
        open: openOf(way),
        identity: { name: 'own', version: '1' },
        protocol: way === 'http 2026-07-28' ? '2026-07-28' : '2025-11-25',
      })
      leftOpen.push(() => connection.close())
      const progress: number[] = []
      return {
        progress,
        call: async (name, args = {}, timeoutMs = PATIENT_MS) => {
          const { result } = await connection.request(
            'tools/call',
            { name, arguments: args },
            { onProgress: (told) => progress.push(told.progress), timeoutMs },
          )
          return textOf(result)
        },
        close: () => connection.close(),
      }
    },
    official: async (way) => {
      const client =
        way === 'http 2026-07-28' ? await secondClient(urls) : await firstClient(transportOf(way, urls))
      leftOpen.push(() => client.close())
      return {
        call: async (name, args = {}, timeoutMs = PATIENT_MS) =>
          textOf(await client.call({ name, arguments: args }, timeoutMs)),
        close: () => client.close(),
      }
    },
  }
}

/** Settings of rules whose ids do not matter. */
export function settingsOf(...rules: readonly object[]): FaultSettings {
  return faultSettingsSchema.parse({ rules: rules.map((rule, at) => ({ id: `rule ${at + 1}`, ...rule })) })
}

type Called = { readonly name: string; readonly arguments: Record<string, unknown> }
type OfficialClient = {
  call(called: Called, timeoutMs: number): Promise<unknown>
  close(): Promise<void>
}

async function firstClient(transport: Transport): Promise<OfficialClient> {
  const client = new V1Client({ name: 'official', version: '1' })
  await client.connect(transport)
  return {
    call: (called, timeout) => client.callTool(called, undefined, { timeout }),
    close: () => client.close(),
  }
}

async function secondClient({ mcp }: Faulty['urls']): Promise<OfficialClient> {
  const client = new v2.Client(
    { name: 'official', version: '2' },
    { versionNegotiation: { mode: { pin: '2026-07-28' } } },
  )
  await client.connect(new v2.StreamableHTTPClientTransport(new URL(mcp)))
  return {
    call: (called, timeout) => client.callTool(called, { timeout }),
    close: () => client.close(),
  }
}

function transportOf(way: Way, { mcp, sse, ws }: Faulty['urls']): Transport {
  switch (way) {
    case 'stdio':
      return new V1Stdio({ ...STDIO, stderr: 'ignore' })
    case 'sse':
      return new V1Sse(new URL(sse))
    case 'websocket':
      return new V1WebSocket(new URL(ws))
    default:
      return new V1Http(new URL(mcp))
  }
}

function textOf(result: unknown): string {
  const { content } = result as { content: readonly { text?: string }[] }
  return content.map(({ text = '' }) => text).join('')
}
