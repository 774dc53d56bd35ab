import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { COMPILED } from '../../compiled.test-support.ts'
import { freePort } from '../../free-port.test-support.ts'
import type { ClientTransport } from '../../ports/contract.ts'
import { httpTransport } from '../../transports/http/http-client.ts'
import { stdioTransport } from '../../transports/stdio/stdio-client.ts'
import { connect } from '../connect.ts'

const BIN = join(
  dirname(createRequire(import.meta.url).resolve('@modelcontextprotocol/server-everything/package.json')),
  'dist/index.js',
)

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const overStdio = (): Promise<() => ClientTransport> =>
  Promise.resolve(() => stdioTransport({ command: process.execPath, args: [BIN, 'stdio'], env: COMPILED }))

const overHttp = async (): Promise<() => ClientTransport> => {
  const port = await freePort()
  const child = spawn(process.execPath, [BIN, 'streamableHttp'], {
    env: { ...process.env, PORT: String(port) },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  cleanups.push(async () => {
    child.kill('SIGKILL')
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
  })
  let printed = ''
  await new Promise<void>((resolve, reject) => {
    child.stderr.on('data', (chunk: Buffer) => {
      printed += chunk.toString()
      if (printed.includes(`listening on port ${port}`)) resolve()
    })
    child.once('exit', () => reject(new Error(`server-everything ended: ${printed}`)))
  })
  return () => httpTransport({ url: `http://127.0.0.1:${port}/mcp` })
}

describe.each([
  ['stdio', overStdio],
  ['Streamable HTTP', overHttp],
])('server-everything over %s', (_name, start) => {
  const connected = async (onNotification?: (message: { readonly method: string }) => void) => {
    const connection = await connect({
      open: await start(),
      identity: { name: 'patchbay', version: '0' },
      ...(onNotification && { onNotification }),
    })
    cleanups.push(() => connection.close())
    return connection
  }

  it('lists everything, adds, shows an image, reads a resource, gives a prompt, completes an argument', async () => {
    const connection = await connected()
    expect(connection.revision).toBe('2025-11-25')
    const tools = await connection.listTools()
    expect(tools.items.map((tool) => tool['name'])).toEqual(
      expect.arrayContaining(['echo', 'get-sum', 'get-tiny-image']),
    )
    expect((await connection.listResources()).items.length).toBeGreaterThan(5)
    expect((await connection.listResourceTemplates()).items).toHaveLength(2)
    expect((await connection.listPrompts()).items).toHaveLength(4)
    const sum = await connection.request('tools/call', { name: 'get-sum', arguments: { a: 40, b: 2 } })
    expect(sum.result).toEqual({ content: [{ type: 'text', text: 'The sum of 40 and 2 is 42.' }] })
    const image = await connection.request('tools/call', { name: 'get-tiny-image', arguments: {} })
    expect(image.result['content']).toContainEqual({
      type: 'image',
      mimeType: 'image/png',
      data: expect.stringMatching(/^iVBORw0KGgo/) as string,
    })
    const read = await connection.request('resources/read', { uri: 'demo://resource/dynamic/text/1' })
    expect(read.result['contents']).toMatchObject([
      { uri: 'demo://resource/dynamic/text/1', mimeType: 'text/plain' },
    ])
    const prompt = await connection.request('prompts/get', {
      name: 'args-prompt',
      arguments: { city: 'Oslo' },
    })
    expect(JSON.stringify(prompt.result['messages'])).toContain('Oslo')
    const completion = await connection.request('completion/complete', {
      ref: { type: 'ref/prompt', name: 'completable-prompt' },
      argument: { name: 'department', value: 'E' },
    })
    expect(completion.result).toMatchObject({ completion: { values: ['Engineering'] } })
  })

  it('tells progress and notifies of it', async () => {
    const methods: string[] = []
    const connection = await connected(({ method }) => methods.push(method))
    const progress: number[] = []
    const call = { name: 'trigger-long-running-operation', arguments: { duration: 0.2, steps: 4 } }
    await connection.request('tools/call', call, { onProgress: (each) => progress.push(each.progress) })
    expect(progress).toEqual([1, 2, 3, 4])
    expect(methods.filter((method) => method === 'notifications/progress')).toHaveLength(4)
  })

  it('reports that a resource was updated', async () => {
    const connection = await connected()
    const updated = new Promise((resolve) => connection.onResourceUpdated(resolve))
    await connection.subscribe('demo://resource/dynamic/text/1')
    await connection.request('tools/call', { name: 'toggle-subscriber-updates', arguments: {} })
    expect(await updated).toBe('demo://resource/dynamic/text/1')
  })
})
