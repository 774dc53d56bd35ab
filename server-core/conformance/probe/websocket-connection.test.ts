import { once } from 'node:events'
import { expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { FrameLog } from '../frames/frame-log.ts'
import { createConnection } from './open-connection.ts'

it('keeps a text message that is not UTF-8 as a frame, and the connection open', async () => {
  const server = new WebSocketServer({ port: 0, host: '127.0.0.1' })
  await once(server, 'listening')
  const bytes = Buffer.from('{"jsonrpc":"2.0","method":"\xe9"}', 'latin1')
  server.on('connection', (socket) => {
    socket.send(bytes, { binary: false })
    socket.send('{"jsonrpc":"2.0","method":"notifications/later"}')
  })
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const log = new FrameLog()
  const connection = createConnection(
    { websocket: `ws://127.0.0.1:${port}` },
    'websocket',
    '2025-11-25',
    { handshake: 'none' },
    {
      log,
      waits: () => ({ answerMs: 5_000, silenceMs: 100 }),
      guard: () => undefined,
      onTimeout: () => undefined,
      inputSchema: () => undefined,
    },
  )
  try {
    await connection.open()
    const later = await connection.waitForMethod('notifications/later')
    expect(later).toBeDefined()
    expect(connection.closedReason).toBeUndefined()
    const received = log.frames.filter(({ from }) => from === 'server')
    expect(received.map((frame) => Buffer.from(frame.bytes).equals(bytes))).toContain(true)
  } finally {
    await connection.close()
    server.close()
  }
})
