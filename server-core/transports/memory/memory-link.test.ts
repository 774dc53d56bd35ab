import { describe, expect, it } from 'vitest'
import { memoryPair } from './memory-link.ts'
import { recordingClient, recordingServer, recordingTap } from '../../ports/recording.test-support.ts'

describe('memoryPair', () => {
  it('carries messages both ways in order, as copies', async () => {
    const { client, server } = memoryPair()
    const atClient = recordingClient()
    const atServer = recordingServer()
    server.start(atServer.receiver)
    await client.start(atClient.receiver)
    const params = { text: 'a' }
    await client.send({ jsonrpc: '2.0', id: 1, method: 'one', params })
    await client.send({ jsonrpc: '2.0', method: 'two' })
    server.send({ jsonrpc: '2.0', id: 1, result: {} })
    server.sendEncoded(Buffer.from('{"jsonrpc":"2.0","method":"three"}'))
    await client.close()
    await atServer.closed
    await atClient.closed
    expect(atServer.values).toEqual([
      { jsonrpc: '2.0', id: 1, method: 'one', params },
      { jsonrpc: '2.0', method: 'two' },
    ])
    expect((atServer.values[0] as { params: unknown }).params).not.toBe(params)
    expect(atClient.values).toEqual([
      { jsonrpc: '2.0', id: 1, result: {} },
      { jsonrpc: '2.0', method: 'three' },
    ])
  })

  it('keeps what the client sent before the server listened', async () => {
    const { client, server } = memoryPair()
    const atClient = recordingClient()
    await client.start(atClient.receiver)
    await client.send({ jsonrpc: '2.0', method: 'early' })
    const atServer = recordingServer()
    server.start(atServer.receiver)
    await atServer.count(1)
    expect(atServer.values).toEqual([{ jsonrpc: '2.0', method: 'early' }])
  })

  it('tells both ends once that it closed, and refuses what is sent afterwards', async () => {
    const { client, server } = memoryPair()
    const atClient = recordingClient()
    const atServer = recordingServer()
    server.start(atServer.receiver)
    await client.start(atClient.receiver)
    await server.close()
    await client.close()
    expect((await atClient.closed).code).toBe('closed')
    await expect(client.send({ jsonrpc: '2.0', method: 'late' })).rejects.toMatchObject({ code: 'closed' })
  })

  it('shows both ends the same bytes', async () => {
    const clientTap = recordingTap()
    const serverTap = recordingTap()
    const { client, server } = memoryPair({ tap: clientTap.tap, serverTap: serverTap.tap })
    const atServer = recordingServer()
    server.start(atServer.receiver)
    await client.start(recordingClient().receiver)
    await client.send({ jsonrpc: '2.0', method: 'seen' })
    await atServer.count(1)
    const bytesOf = (frames: readonly { kind: string; bytes: Uint8Array }[]) =>
      frames.filter((frame) => frame.kind === 'message').map((frame) => Buffer.from(frame.bytes).toString())
    expect(bytesOf(clientTap.frames)).toEqual(['{"jsonrpc":"2.0","method":"seen"}'])
    expect(bytesOf(serverTap.frames)).toEqual(bytesOf(clientTap.frames))
  })
})
