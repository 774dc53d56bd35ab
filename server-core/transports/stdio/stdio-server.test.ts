import { PassThrough, Writable } from 'node:stream'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import type { FaultInjector, FaultConnection } from '../../ports/fault-port.ts'
import { recordingServer, recordingTap } from '../../ports/recording.test-support.ts'
import { stdioServerLink } from './stdio-server.ts'

/** An output that keeps each write. */
function recordingOutput() {
  const writes: string[] = []
  const output = new Writable({
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString())
      done()
    },
  })
  return { output, writes }
}

afterEach(() => {
  vi.useRealTimers()
})

describe('stdioServerLink', () => {
  it('reads one message a line, however the bytes are cut, with BOM, CRLF and U+2028', async () => {
    const input = new PassThrough()
    const server = recordingServer()
    stdioServerLink({ input, output: recordingOutput().output }).start(server.receiver)
    const bytes = Buffer.from('\uFEFF{"a":"é\u2028"}\r\n\n{"b":1}\n{"last":true}')
    for (const byte of bytes) input.write(Buffer.of(byte))
    input.end()
    await server.ended
    expect(server.values).toEqual([{ a: 'é\u2028' }, { b: 1 }, { last: true }])
  })

  it('tells a line that is not JSON and reads on', async () => {
    const input = new PassThrough()
    const server = recordingServer()
    stdioServerLink({ input, output: recordingOutput().output }).start(server.receiver)
    input.write('nonsense\n{"ok":true}\n')
    await server.count(1)
    expect(server.invalid.map((error) => error.code)).toEqual([-32700])
    expect(server.values).toEqual([{ ok: true }])
  })

  it('writes the replies of one turn with one write, each on its line', async () => {
    const { output, writes } = recordingOutput()
    const link = stdioServerLink({ input: new PassThrough(), output })
    link.start(recordingServer().receiver)
    link.send({ jsonrpc: '2.0', id: 1, result: {} })
    await Promise.resolve()
    link.sendEncoded(Buffer.from('{"jsonrpc":"2.0","id":2,"result":{}}'))
    await link.close()
    expect(writes.filter((text) => text !== '')).toEqual([
      '{"jsonrpc":"2.0","id":1,"result":{}}\n{"jsonrpc":"2.0","id":2,"result":{}}\n',
    ])
  })

  it('takes a broken pipe for a closed link', async () => {
    const output = new Writable({
      write(_chunk, _encoding, done) {
        done(Object.assign(new Error('write EPIPE'), { code: 'EPIPE' }))
      },
    })
    const server = recordingServer()
    const link = stdioServerLink({ input: new PassThrough(), output })
    link.start(server.receiver)
    link.send({ jsonrpc: '2.0', id: 1, result: {} })
    await server.closed
    link.send({ jsonrpc: '2.0', id: 2, result: {} })
    await link.close()
  })

  it('closes when a line is longer than allowed, after saying why', async () => {
    const input = new PassThrough()
    const server = recordingServer()
    const limits = { ...DEFAULT_LIMITS, messageBytes: 100 }
    stdioServerLink({ input, output: recordingOutput().output, limits }).start(server.receiver)
    input.write('x'.repeat(101) + 'y')
    await server.closed
    expect(server.invalid[0]?.message).toContain('messageBytes')
  })

  it('closes when the client does not read', async () => {
    const output = new Writable({ highWaterMark: 1, write: () => undefined })
    const server = recordingServer()
    const limits = { ...DEFAULT_LIMITS, outgoingBufferBytes: 1_000 }
    const link = stdioServerLink({ input: new PassThrough(), output, limits })
    link.start(server.receiver)
    // One long message alone is not too many.
    link.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(2_000) } })
    await new Promise((resolve) => setImmediate(resolve))
    expect(output.destroyed).toBe(false)
    link.send({ jsonrpc: '2.0', id: 2, result: {} })
    await server.closed
    expect(output.destroyed).toBe(true)
  })

  it('closes when the client takes nothing for too long, not when it is only slow', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const takes: (() => void)[] = []
    const output = new Writable({
      write(_chunk, _encoding, done) {
        takes.push(done)
      },
    })
    const server = recordingServer()
    const { frames, tap } = recordingTap()
    const limits = { outgoingStallMs: 1_000 }
    const link = stdioServerLink({ input: new PassThrough(), output, limits, tap })
    link.start(server.receiver)
    const nextTurn = () => new Promise((resolve) => setImmediate(resolve))

    link.send({ jsonrpc: '2.0', id: 1, result: { text: 'x'.repeat(7 * 1024 * 1024) } })
    await nextTurn()
    for (let slice = 0; slice < 4; slice += 1) {
      vi.advanceTimersByTime(900)
      expect(takes).toHaveLength(slice + 1)
      takes[slice]?.()
      await nextTurn()
    }
    vi.advanceTimersByTime(5_000)
    expect(output.destroyed).toBe(false)

    link.send({ jsonrpc: '2.0', id: 2, result: {} })
    await nextTurn()
    vi.advanceTimersByTime(999)
    expect(output.destroyed).toBe(false)
    vi.advanceTimersByTime(1)
    await server.closed
    expect(output.destroyed).toBe(true)
    expect(frames.at(-1)).toMatchObject({ event: 'closed', note: expect.stringContaining('outgoingStallMs') })
  })

  it('closes in time though the client does not take the rest', async () => {
    const output = new Writable({ highWaterMark: 1, write: () => undefined })
    const server = recordingServer()
    const link = stdioServerLink({ input: new PassThrough(), output })
    link.start(server.receiver)
    link.send({ jsonrpc: '2.0', id: 1, result: {} })
    await Promise.all([link.close(), server.closed])
    expect(output.destroyed).toBe(true)
  })

  it('refuses a last line that is too long by nothing but its missing end', async () => {
    const input = new PassThrough()
    const server = recordingServer()
    const limits = { ...DEFAULT_LIMITS, messageBytes: 100 }
    stdioServerLink({ input, output: recordingOutput().output, limits }).start(server.receiver)
    input.end('x'.repeat(101))
    await server.closed
    expect(server.invalid[0]?.message).toContain('messageBytes')
  })

  it('shows the tap the bytes without their framing', async () => {
    const { tap, frames } = recordingTap()
    const input = new PassThrough()
    const server = recordingServer()
    const link = stdioServerLink({ input, output: recordingOutput().output, tap })
    link.start(server.receiver)
    input.write('{"in":1}\r\nnoise\n')
    await server.countInvalid(1)
    link.sendEncoded(Buffer.from('{"out":1}'))
    await link.close()
    expect(
      frames.map((frame) => `${frame.direction} ${frame.kind} ${Buffer.from(frame.bytes).toString()}`),
    ).toEqual([
      'received lifecycle ',
      'received message {"in":1}',
      'received invalid noise',
      'sent message {"out":1}',
      'received lifecycle ',
    ])
  })

  it('shows the tap what goes out together in order, each message by itself', async () => {
    const { tap, frames } = recordingTap()
    const { output, writes } = recordingOutput()
    const link = stdioServerLink({ input: new PassThrough(), output, tap })
    link.start(recordingServer().receiver)
    const sent = ['{"a":"plain"}', '{"b":"ü\u2028"}', '{"c":3}']
    for (const text of sent) link.sendEncoded(text)
    link.sendEncoded(Buffer.from('{"d":"é"}'))
    await link.close()
    const messages = [...sent, '{"d":"é"}']
    expect(writes.join('')).toBe(messages.map((text) => `${text}\n`).join(''))
    const shown = frames.flatMap(({ kind, bytes }) =>
      kind === 'message' ? [Buffer.from(bytes).toString()] : [],
    )
    expect(shown).toEqual(messages)
  })

  it('serves and shows nothing more of what came together once it is closed', async () => {
    const input = new PassThrough()
    const output = new Writable({ highWaterMark: 1, write: () => undefined })
    const server = recordingServer()
    const { tap, frames } = recordingTap()
    const link = stdioServerLink({ input, output, tap, limits: { outgoingBufferBytes: 100 } })
    link.start({
      ...server.receiver,
      message: (value) => {
        server.receiver.message(value)
        for (let sent = 0; sent < 100; sent += 1) link.send({ jsonrpc: '2.0', id: sent, result: {} })
      },
    })
    input.write(Array.from({ length: 100 }, (_, n) => `{"n":${n}}\n`).join(''))
    await server.closed
    expect(server.values).toEqual([{ n: 0 }])
    expect(frames.at(-1)).toMatchObject({ kind: 'lifecycle', event: 'closed' })
  })

  it.each([1, 5, 64, 65, 200])(
    'reads all lines in order however they are cut, %i bytes each',
    async (size) => {
      const input = new PassThrough()
      const server = recordingServer()
      const { tap, frames } = recordingTap()
      stdioServerLink({ input, output: recordingOutput().output, tap }).start(server.receiver)
      const texts = Array.from({ length: 100 }, (_, n) => `{"n":${n},"is":"${n % 9 === 0 ? 'ü' : 'plain'}"}`)
      const bytes = Buffer.from(texts.map((text, n) => text + (n % 7 === 0 ? '\r\n\n' : '\n')).join(''))
      for (let start = 0; start < bytes.length; start += size)
        input.write(bytes.subarray(start, start + size))
      await server.count(texts.length)
      expect(server.values).toEqual(texts.map((text) => JSON.parse(text) as unknown))
      const shown = frames.filter(({ kind }) => kind === 'message').map(({ bytes: each }) => each)
      expect(shown.map((each) => Buffer.from(each).toString())).toEqual(texts)
    },
  )

  it('shows to the faults every line behind the one that turned them on', async () => {
    const input = new PassThrough()
    const server = recordingServer()
    const heard: unknown[] = []
    const line: FaultConnection = {
      received: (value) => {
        heard.push(value)
      },
      send: () => undefined,
      end: () => undefined,
    }
    const injector: FaultInjector = {
      line: () => line,
      reply: (_kind, _message, { sink }) => sink,
      refusal: () => undefined,
      losesSession: () => false,
    }
    const faults: { injector: FaultInjector | undefined } = { injector: undefined }
    stdioServerLink({ input, output: recordingOutput().output, faults }).start({
      ...server.receiver,
      message: (value) => {
        server.receiver.message(value)
        faults.injector = injector
      },
    })
    input.write(Array.from({ length: 40 }, (_, n) => `{"n":${n}}\n`).join(''))
    await server.count(40)
    expect(heard).toEqual(server.values.slice(1))
  })
})
