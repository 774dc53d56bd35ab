import { fileURLToPath } from 'node:url'
import { afterEach, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import { stdioTransport } from '../../transports/stdio/stdio-client.ts'
import { connect, type ConnectOptions } from '../connect.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const connected = async (options: Partial<ConnectOptions> = {}) => {
  const server = fileURLToPath(new URL('./sdk-v1-stdio.test-support.ts', import.meta.url))
  const connection = await connect({
    open: () => stdioTransport({ command: process.execPath, args: [server], env: COMPILED }),
    identity: { name: 'patchbay', version: '0' },
    probeTimeoutMs: 30_000,
    ...options,
  })
  cleanups.push(() => connection.close())
  return connection
}

describe('an official SDK v1 server over stdio', () => {
  it('is found by its error answer, in the same process', async () => {
    const connection = await connected()
    expect(connection.revision).toBe('2025-11-25')
    expect(connection.steps).toMatchObject([
      {
        step: 'server/discover (2026-07-28)',
        outcome: 'error Method not found (-32601); trying the handshake',
      },
      { step: 'initialize (2025-11-25)', outcome: 'answered; the session speaks 2025-11-25' },
    ])
    expect(
      (await connection.request('tools/call', { name: 'add', arguments: { a: 40, b: 2 } })).result,
    ).toEqual({
      content: [{ type: 'text', text: '42' }],
    })
  })

  it('asks in the middle of a call and gets its answers', async () => {
    const connection = await connected({
      responders: {
        elicitation: { form: () => Promise.resolve({ action: 'accept', content: { name: 'Ada' } }) },
        roots: () => Promise.resolve({ roots: [{ uri: 'file:///work' }] }),
      },
    })
    const greeting = await connection.request('tools/call', { name: 'greet', arguments: { salute: 'Hello' } })
    expect(greeting.result['content']).toEqual([{ type: 'text', text: 'Hello, Ada!' }])
    const roots = await connection.request('tools/call', { name: 'roots' })
    expect(roots.result['content']).toEqual([{ type: 'text', text: 'file:///work' }])
  })

  it('learns of a cancelled request, and reports that its list changed', async () => {
    const connection = await connected()
    const changed = new Promise((resolve) => connection.onListChanged(resolve))
    await connection.request('tools/call', { name: 'change' })
    expect(await changed).toBe('tools')
    const controller = new AbortController()
    const call = connection.request('tools/call', { name: 'wait' }, { signal: controller.signal })
    await connection.request('ping')
    controller.abort()
    await expect(call).rejects.toMatchObject({ code: 'cancelled' })
    await expect.poll(() => connection.evidence().stderr).toBe('cancelled\n')
  })
})
