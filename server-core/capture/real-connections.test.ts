import { createRequire } from 'node:module'
import { afterEach, describe, expect, it } from 'vitest'
import type { JsonRpcMessage } from '../protocol/messages.ts'
import type { ClientTransport } from '../ports/contract.ts'
import { memoryPair } from '../transports/memory/memory-link.ts'
import { recordingClient, recordingServer } from '../ports/recording.test-support.ts'
import { stdioTransport } from '../transports/stdio/stdio-client.ts'
import { SOURCE } from './sample-frames.test-support.ts'
import { TrafficLog } from './traffic-log.ts'

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)

const open: ClientTransport[] = []
afterEach(async () => {
  await Promise.all(open.splice(0).map((transport) => transport.close()))
})

const initialize: JsonRpcMessage = {
  jsonrpc: '2.0',
  id: 0,
  method: 'initialize',
  params: {
    protocolVersion: '2025-11-25',
    capabilities: { elicitation: { form: {} } },
    clientInfo: { name: 'patchbay', version: '0.1.0' },
  },
}

describe('a server of another maker over stdio', () => {
  it('is seen whole: handshake, progress, a question inside a call, stderr and the end', async () => {
    const log = new TrafficLog()
    const transport = stdioTransport({
      command: process.execPath,
      args: [EVERYTHING, 'stdio'],
      env: {},
      tap: log.tap({ serverId: 's', serverName: 'everything', side: 'client' }),
    })
    open.push(transport)
    const client = recordingClient()
    const answered = Promise.withResolvers<undefined>()
    await transport.start({
      ...client.receiver,
      message: ({ value, bytes }) => {
        client.receiver.message({ value, bytes })
        const message = value as { id?: unknown; method?: string }
        if (message.method === 'elicitation/create') {
          const id = message.id as number
          void transport.send({ jsonrpc: '2.0', id, result: { action: 'decline' } })
        } else if (message.id === 'ask') answered.resolve(undefined)
      },
    })
    await transport.send(initialize)
    await client.count(1)
    await transport.send({ jsonrpc: '2.0', method: 'notifications/initialized' })
    await transport.send({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'trigger-long-running-operation',
        arguments: { duration: 0.2, steps: 4 },
        _meta: { progressToken: 1 },
      },
    })
    await expect
      .poll(() => log.rows().find((row) => row.label === 'trigger-long-running-operation')?.outcome)
      .toBe('ok')
    await transport.send({
      jsonrpc: '2.0',
      id: 'ask',
      method: 'tools/call',
      params: { name: 'trigger-elicitation-request', arguments: {} },
    })
    await answered.promise
    await transport.close()

    const rows = log.rows()
    const row = (method: string, label?: string) =>
      rows.find((each) => each.method === method && (label === undefined || each.label.includes(label)))
    const long = row('tools/call', 'long')
    const ask = row('tools/call', 'elicitation')
    expect(rows[0]).toMatchObject({ kind: 'lifecycle', method: 'opened' })
    expect(row('initialize')).toMatchObject({ outcome: 'ok', label: 'patchbay 0.1.0 2025-11-25' })
    expect(row('notifications/progress')).toMatchObject({ parentId: long?.id, count: 4 })
    expect(long?.progress).toEqual({ value: 4, total: 4 })
    expect(row('elicitation/create')).toMatchObject({
      parentId: ask?.id,
      direction: 'received',
      outcome: 'ok',
    })
    expect(row('elicitation/create')?.label).toMatch(/decline$/)
    expect(ask?.waits).toHaveLength(1)
    expect(row('stderr')).toBeDefined()
    expect(rows.at(-1)).toMatchObject({ kind: 'lifecycle', method: 'closed' })
    expect(rows.some((each) => each.outcome === 'open')).toBe(false)
    expect(log.frames(row('initialize')?.frames ?? []).frames[0]?.text).toBe(JSON.stringify(initialize))
  })
})

describe('both ends of a pair in memory', () => {
  it('are the same exchanges in the same directions', async () => {
    const client = new TrafficLog()
    const served = new TrafficLog()
    const pair = memoryPair({ tap: client.tap(SOURCE), serverTap: served.tap({ ...SOURCE, side: 'server' }) })
    open.push(pair.client)
    const asking = recordingClient()
    const answering = recordingServer()
    pair.server.start(answering.receiver)
    await pair.client.start(asking.receiver)
    await pair.client.send({ jsonrpc: '2.0', id: 1, method: 'tools/list' })
    await answering.count(1)
    pair.server.send({
      jsonrpc: '2.0',
      method: 'notifications/message',
      params: { level: 'info', data: 'looking' },
    })
    pair.server.send({ jsonrpc: '2.0', id: 1, result: { tools: [] } })
    await asking.count(2)
    const facts = (log: TrafficLog) =>
      log
        .rows()
        .flatMap(({ kind, method, direction, label, outcome, parentId }) =>
          kind === 'lifecycle'
            ? []
            : [{ kind, method, direction, label, outcome, nested: parentId !== undefined }],
        )
    expect(facts(client)).toEqual([
      { kind: 'request', method: 'tools/list', direction: 'sent', label: '', outcome: 'ok', nested: false },
      {
        kind: 'notification',
        method: 'notifications/message',
        direction: 'received',
        label: 'info: looking',
        outcome: 'none',
        nested: true,
      },
    ])
    expect(facts(served)).toEqual(facts(client))
  })
})
