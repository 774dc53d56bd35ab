import { PassThrough } from 'node:stream'
import { expect, it } from 'vitest'
import { isJsonObject } from '../../protocol/json.ts'
import { FrameLog } from '../frames/frame-log.ts'
import { createConnection } from './open-connection.ts'
import type { ProcessHandle } from './process-handle.ts'

/** Refuses invalid requests at once, and answers a ping only when the next message comes. */
function lateServer(): ProcessHandle {
  const [stdin, stdout] = [new PassThrough(), new PassThrough()]
  const write = (message: object) => stdout.write(`${JSON.stringify({ jsonrpc: '2.0', ...message })}\n`)
  let late: unknown
  stdin.on('data', (bytes: Buffer) => {
    for (const line of bytes.toString().trim().split('\n')) {
      const message: unknown = JSON.parse(line)
      const id = isJsonObject(message) ? message['id'] : undefined
      if (late !== undefined) write({ id: late, result: {} })
      late = id
      if (id === undefined) write({ id: null, error: { code: -32_600, message: 'Invalid Request' } })
    }
  })
  const exited = Promise.withResolvers<{ code: number; signal: null }>()
  const end = () => {
    stdout.end()
    exited.resolve({ code: 0, signal: null })
  }
  stdin.on('end', end)
  return {
    pid: undefined,
    stdin,
    stdout,
    stderr: new PassThrough(),
    exited: exited.promise,
    kill: end,
    descendants: () => Promise.resolve(0),
    dispose: () => {
      end()
      return Promise.resolve()
    },
  }
}

it('takes the late answer of an earlier barrier for no answer of the next message', async () => {
  const waits = { answerMs: 5_000, silenceMs: 100 }
  const connection = createConnection(
    { stdio: () => Promise.resolve(lateServer()) },
    'stdio',
    '2025-11-25',
    { handshake: 'none' },
    {
      log: new FrameLog(),
      waits: () => waits,
      guard: () => undefined,
      onTimeout: () => undefined,
      inputSchema: () => undefined,
    },
  )
  await connection.open()
  for (const invalid of ['3', '{}']) {
    const outcome = await connection.exchange(invalid, { match: 'any', barrier: true })
    expect(outcome).toMatchObject({ type: 'error', code: -32_600 })
  }
  await connection.close()
})
