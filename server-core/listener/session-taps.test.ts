import { expect, it } from 'vitest'
import type { Frame, Tap } from '../ports/tap.ts'
import { Registry } from '../registry/registry.ts'
import { createServer } from '../server/server.ts'
import { startHttpListener } from './http-listener.ts'

/** The methods that a tap saw requests of. */
function methodsOf(frames: readonly Frame[]): string[] {
  return frames.flatMap((frame) => {
    if (frame.kind !== 'message' || frame.direction !== 'received') return []
    const { method } = JSON.parse(Buffer.from(frame.bytes).toString()) as { method?: string }
    return method === undefined ? [] : [method]
  })
}

it('shows each session of Streamable HTTP to a tap of its own', async () => {
  const shared: Frame[] = []
  const sessions: Frame[][] = []
  const tap: Tap = {
    record: (frame) => void shared.push(frame),
    session: () => {
      const frames: Frame[] = []
      sessions.push(frames)
      return { record: (frame) => void frames.push(frame) }
    },
  }
  const server = createServer({ registry: new Registry(), info: { name: 'taps', version: '1' } })
  const listener = await startHttpListener({ server, tap, port: 0 })
  const post = async (message: object, session?: string): Promise<Response> =>
    fetch(listener.urls.mcp ?? '', {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        ...(session !== undefined && { 'mcp-session-id': session }),
      },
      body: JSON.stringify({ jsonrpc: '2.0', ...message }),
    })
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'c', version: '1' } }
  const open = async (): Promise<string> => {
    const response = await post({ id: 0, method: 'initialize', params })
    await response.text()
    return response.headers.get('mcp-session-id') ?? ''
  }
  try {
    const [first, second] = [await open(), await open()]
    await (await post({ id: 1, method: 'tools/list' }, first)).text()
    await (await post({ id: 1, method: 'ping' }, second)).text()
    await (await post({ id: 2, method: 'ping' }, 'unknown')).text()
    expect(methodsOf(shared)).toEqual(['initialize', 'initialize', 'ping'])
    expect(sessions.map(methodsOf)).toEqual([['tools/list'], ['ping']])
    // The answer is seen where its request was.
    expect(sessions[0]?.some((frame) => frame.kind === 'message' && frame.direction === 'sent')).toBe(true)
  } finally {
    await listener.close()
  }
})
