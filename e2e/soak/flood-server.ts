/** A server over stdio whose tool `flood` sends as many log notifications as it is asked for, as fast as they are read. */
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'

/** Notifications in one write. */
const AT_ONCE = 100

async function send(messages: readonly JsonObject[]): Promise<void> {
  const lines = messages.map((message) => `${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`).join('')
  if (!process.stdout.write(lines)) await once(process.stdout, 'drain')
}

async function flood(count: number): Promise<JsonObject> {
  for (let sent = 0; sent < count; sent += AT_ONCE) {
    const some = Array.from({ length: Math.min(AT_ONCE, count - sent) }, (_, index) => ({
      method: 'notifications/message',
      params: { level: 'info', data: `line ${sent + index} of the flood` },
    }))
    await send(some)
  }
  return { content: [] }
}

async function answer(method: string, params: unknown): Promise<JsonObject | undefined> {
  if (method === 'initialize') {
    return {
      protocolVersion: '2025-11-25',
      capabilities: { tools: {}, logging: {} },
      serverInfo: { name: 'flood', version: '1' },
    }
  }
  if (method === 'tools/list') return { tools: [{ name: 'flood', inputSchema: { type: 'object' } }] }
  if (method !== 'tools/call') return undefined
  const given = isJsonObject(params) && isJsonObject(params['arguments']) ? params['arguments']['count'] : 0
  return flood(Number(given))
}

for await (const line of createInterface(process.stdin)) {
  const message: unknown = JSON.parse(line)
  if (!isJsonObject(message) || message['id'] === undefined) continue
  const { id, method, params } = message
  const result = await answer(String(method), params)
  await send([
    result === undefined ? { id, error: { code: -32601, message: 'no such method' } } : { id, result },
  ])
}
