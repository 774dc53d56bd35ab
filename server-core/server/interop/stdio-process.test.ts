import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { envelope } from '../raw-client.test-support.ts'

function start() {
  const fixture = fileURLToPath(new URL('stdio-server-process.test-support.ts', import.meta.url))
  return spawn(process.execPath, [fixture], { stdio: ['pipe', 'pipe', 'pipe'] })
}

const call = (id: number, name: string) =>
  `${JSON.stringify({ jsonrpc: '2.0', id, method: 'tools/call', params: { name, _meta: envelope() } })}\n`

describe('a server process on stdio', () => {
  it('answers what is in flight when its input ends, then ends itself; only messages are on stdout', async () => {
    const child = start()
    child.stdin.end(`${call(1, 'work')}no json\n${call(2, 'many')}${call(3, 'release')}`)
    const [out, err, [code]] = await Promise.all([
      text(child.stdout),
      text(child.stderr),
      once(child, 'exit'),
    ])
    const messages = out
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { id?: number; error?: object })
    expect(messages.map(({ id }) => id).sort()).toEqual([1, 2, 3, undefined])
    expect(messages.find(({ error }) => error !== undefined)).toMatchObject({ error: { code: -32700 } })
    expect(err).toContain('a stray line')
    expect(code).toBe(0)
  })

  it('reads CRLF, a byte order mark, empty lines and a last line without an end', async () => {
    const child = start()
    child.stdin.end(`\uFEFF${call(1, 'many').trimEnd()}\r\n\r\n\n${call(2, 'many').trimEnd()}`)
    const out = await text(child.stdout)
    const ids = out
      .trimEnd()
      .split('\n')
      .map((line) => (JSON.parse(line) as { id: number }).id)
    expect(ids).toEqual([1, 2])
  })

  it('says why it ends when a line has no end', async () => {
    const child = start()
    const out = text(child.stdout)
    child.stdin.on('error', () => undefined)
    child.stdin.write(call(1, 'many'))
    const filler = Buffer.alloc(1024 * 1024, 'x')
    const feed = () => {
      while (child.stdin.writable && child.stdin.write(filler));
    }
    child.stdin.on('drain', feed)
    feed()
    const [code] = await once(child, 'exit')
    expect(code).toBe(0)
    expect(await out).toMatch(/"id":1.*\n.*messageBytes/s)
  })

  it('ends without a crash when its reader has ended', async () => {
    const child = start()
    child.stdout.destroy()
    const errors = text(child.stderr)
    child.stdin.on('error', () => undefined)
    child.stdin.write(call(1, 'many'))
    const [code] = await once(child, 'exit')
    expect([code, await errors]).toEqual([0, expect.not.stringContaining('EPIPE')])
  })
})
