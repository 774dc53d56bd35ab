import { chmod, mkdtemp, writeFile } from 'node:fs/promises'
import { createServer, type RequestListener } from 'node:http'
import { createServer as createTlsServer } from 'node:https'
import { createServer as createTcpServer, type AddressInfo, type Server } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { TEST_CERTIFICATE, TEST_KEY } from '../../transports/http/certificate.test-support.ts'
import type { Failure, ServerState } from '../contract/servers.ts'
import { startTestHost, watchUntil, type TestHost } from '../host.test-support.ts'

let test: TestHost
let folder: string
const servers: Server[] = []
beforeAll(async () => {
  test = await startTestHost()
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-failures-'))
})
afterAll(async () => {
  for (const server of servers) server.close()
  await test.close()
})

async function failureOfCommand(command: string, args: string[] = [], cwd?: string): Promise<Failure> {
  const place = cwd === undefined ? {} : { cwd }
  return failed(
    await test.addApproved({
      name: 'broken',
      target: { transport: 'stdio', command, args, env: [], ...place },
    }),
  )
}

async function failureOfUrl(url: string): Promise<Failure> {
  return failed(await test.addApproved({ name: 'broken', target: { transport: 'http', url, headers: [] } }))
}

async function failed({ id }: ServerState): Promise<Failure> {
  const state = await test.client.servers.connect({ id })
  expect(state.status).toBe('failed')
  expect(state.pid).toBeUndefined()
  const { failure } = state
  if (failure === undefined) throw new Error('the state is failed and has no failure')
  // Every failure says what happened in one line, and what to do in whole sentences.
  expect(failure.title).toMatch(/^\S.{5,160}$/)
  expect(failure.explanation).toMatch(/^["A-Z].{20,}[.?]$/s)
  await test.client.servers.remove({ id })
  return failure
}

const node = (script: string): Promise<Failure> => failureOfCommand(process.execPath, ['-e', script])

async function listening(server: Server): Promise<string> {
  servers.push(server)
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return `127.0.0.1:${(server.address() as AddressInfo).port}`
}

async function answering(listener: RequestListener): Promise<Failure> {
  return failureOfUrl(`http://${await listening(createServer(listener))}/mcp`)
}

describe('a command that', () => {
  it('is unknown', async () => {
    expect(await failureOfCommand('no-such-command-anywhere', ['--port', '1'])).toMatchObject({
      code: 'spawn-failed',
      title: 'no-such-command-anywhere was not found',
      explanation: expect.stringContaining('PATH') as string,
    })
  })

  it('is not executable', async () => {
    const file = path.join(folder, 'script.sh')
    await writeFile(file, '#!/bin/sh\n')
    await chmod(file, 0o644)
    const failure = await failureOfCommand(file)
    expect(failure).toMatchObject({
      code: 'spawn-failed',
      explanation: expect.stringContaining('chmod +x') as string,
    })
    expect(failure.title).toContain('may not be executed')
  })

  it('has a folder that is not there', async () => {
    const failure = await failureOfCommand(process.execPath, [], path.join(folder, 'gone'))
    expect(failure.title).toBe(`The folder ${path.join(folder, 'gone')} does not exist`)
    expect(failure.explanation).toContain('Make the folder, or edit the server')
  })

  it('is given a path that counts from another folder', async () => {
    const failure = await failureOfCommand(process.execPath, ['./gone.js'], folder)
    expect(failure.explanation).toContain(
      `in the folder ${folder}, where relative paths such as ./gone.js start`,
    )
  })

  it('exits at once', async () => {
    expect(await node('process.exit(0)')).toMatchObject({
      code: 'process-exited',
      exitCode: 0,
      title: expect.stringMatching(/exit 0/) as string,
    })
  })

  it('exits with an error and says why on stderr', async () => {
    const failure = await node('console.error("no token in \\u001b[31mAPI_KEY\\u001b[0m"); process.exit(3)')
    expect(failure).toMatchObject({ code: 'process-exited', exitCode: 3, stderr: 'no token in API_KEY\n' })
    expect(failure.title).toContain('exit 3')
    expect(failure.explanation).toContain('stderr')
  })

  it('is killed by a signal', async () => {
    expect(await node('process.kill(process.pid, "SIGKILL")')).toMatchObject({
      code: 'process-exited',
      signal: 'SIGKILL',
    })
  })

  it('prints text on stdout and ends', async () => {
    const failure = await node('console.log("Usage: tool [options]"); process.exit(1)')
    expect(failure).toMatchObject({ code: 'process-exited', strayOutput: 'Usage: tool [options]' })
    expect(failure.explanation).toContain('stdout')
  })

  it('floods stdout', async () => {
    const failure = await node(
      'const line = "x".repeat(1000) + "\\n"; setInterval(() => { for (let n = 0; n < 200; n += 1) process.stdout.write(line) }, 1)',
    )
    expect(failure).toMatchObject({ code: 'not-mcp', title: 'What the process writes is not MCP' })
    expect(failure.strayOutput).toContain('xxx')
  })
})

describe('an address that', () => {
  it('refuses connections', async () => {
    expect(await failureOfUrl('http://127.0.0.1:9/mcp')).toMatchObject({
      code: 'connection-failed',
      title: '127.0.0.1:9 refuses connections (ECONNREFUSED)',
    })
  })

  it('is not a name', async () => {
    const failure = await failureOfUrl('http://no-such-host.invalid/mcp')
    expect(failure.code).toBe('connection-failed')
    expect(failure.title).toContain('no-such-host.invalid')
  })

  it('answers with a web page', async () => {
    const failure = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'text/html' }).end('<html><script>alert(1)</script>')
    })
    expect(failure).toMatchObject({ code: 'not-mcp', httpStatus: 200 })
    expect(failure.title).toContain('web page')
    expect(failure.httpBody).toContain('<html>')
  })

  it.each([404, 405, 500, 503])('answers %i', async (status) => {
    const failure = await answering((_request, response) => response.writeHead(status).end('nothing here'))
    expect(failure).toMatchObject({ code: 'http-status', httpStatus: status, httpBody: 'nothing here' })
    expect(failure.title).toContain(`HTTP ${status}`)
  })

  it.each([429, 503])('answers %i with the error of a server', async (status) => {
    const failure = await answering((request, response) => {
      request.on('data', (part: Buffer) => {
        const { id } = JSON.parse(part.toString()) as { id: number }
        response.writeHead(status, { 'content-type': 'application/json', 'retry-after': '7' })
        response.end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -32000, message: 'too busy' } }))
      })
    })
    expect(failure).toMatchObject({
      code: 'refused',
      httpStatus: status,
      httpHeaders: { 'retry-after': '7' },
      httpBody: expect.stringContaining('"message":"too busy"') as string,
    })
    expect(failure.title).toContain(`HTTP ${status}`)
  })

  it.each([401, 403])('answers %i', async (status) => {
    const failure = await answering((_request, response) => {
      response.writeHead(status, { 'www-authenticate': 'Bearer' }).end('{}')
    })
    expect(failure).toMatchObject({ code: 'unauthorized', httpStatus: status })
    expect(failure.httpHeaders).toMatchObject({ 'www-authenticate': 'Bearer' })
  })

  it('redirects', async () => {
    const failure = await answering((_request, response) => {
      response.writeHead(307, { location: 'http://169.254.169.254/mcp' }).end()
    })
    expect(failure).toMatchObject({ code: 'http-status', httpStatus: 307 })
    expect(failure.explanation).toContain('http://169.254.169.254/mcp')
  })

  it('answers with JSON that is not a message', async () => {
    const failure = await answering((_request, response) => {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"hello":"world"}')
    })
    expect(failure.httpStatus ?? 200).toBe(200)
    expect(failure.explanation.length).toBeGreaterThan(20)
  })

  it('breaks connections off', async () => {
    const address = await listening(createTcpServer((socket) => socket.destroy()))
    expect(await failureOfUrl(`http://${address}/mcp`)).toMatchObject({ code: 'connection-failed' })
  })

  it('has a certificate that nobody vouches for', async () => {
    const address = await listening(
      createTlsServer({ key: TEST_KEY, cert: TEST_CERTIFICATE }, (_request, response) => response.end()),
    )
    const failure = await failureOfUrl(`https://${address}/mcp`)
    expect(failure).toMatchObject({
      code: 'certificate',
      title: `The certificate of ${address} is not accepted`,
    })
    expect(failure.explanation).toContain('NODE_EXTRA_CA_CERTS')
  })
})

it('a server that does not answer tells meanwhile what it says instead, without the secrets in it', async () => {
  const script = 'console.log("logged in with " + process.env.API_TOKEN); setInterval(() => {}, 1_000)'
  const { id } = await test.addApproved({
    name: 'silent',
    target: {
      transport: 'stdio',
      command: process.execPath,
      args: ['-e', script],
      env: [{ name: 'API_TOKEN', value: 'token-0123456789' }],
    },
  })
  const connecting = test.client.servers.connect({ id })
  const batches = await watchUntil(
    test.client,
    ({ servers }) => servers?.some((each) => each.id === id && each.waiting !== undefined) ?? false,
    'silent',
  )
  const state = batches.at(-1)?.servers?.find((each) => each.id === id)
  expect(state).toMatchObject({
    status: 'connecting',
    waiting: { strayOutput: expect.stringMatching(/^logged in with /) },
  })
  expect(state?.waiting?.strayOutput).not.toContain('token-0123456789')
  await test.client.servers.disconnect({ id })
  expect((await connecting).waiting).toBeUndefined()
  await test.client.servers.remove({ id })
})

it('a server that was connected and is killed leaves signal and last stderr', async () => {
  const script = `
    console.error('last words')
    process.stdin.on('data', (data) => {
      for (const line of data.toString().split('\\n').filter(Boolean)) {
        const { id, method } = JSON.parse(line)
        if (id === undefined) continue
        const result = { protocolVersion: '2025-11-25', capabilities: {}, serverInfo: { name: 'x', version: '1' } }
        const answer = method === 'initialize' ? { result } : { error: { code: -32601, message: 'no' } }
        console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
      }
    })`
  const { id } = await test.addApproved({
    name: 'mortal',
    target: { transport: 'stdio', command: process.execPath, args: ['-e', script], env: [] },
  })
  const { pid = 0 } = await test.client.servers.connect({ id })
  process.kill(pid, 'SIGKILL')
  await expect
    .poll(async () => (await test.client.servers.list()).find((server) => server.id === id))
    .toMatchObject({ status: 'failed', failure: { signal: 'SIGKILL', stderr: 'last words\n', pid } })
})

it('connecting to a silent server can be given up, and leaves no process', async () => {
  const marker = `patchbay-silent-${process.pid}`
  const { id } = await test.addApproved({
    name: 'silent',
    target: {
      transport: 'stdio',
      command: process.execPath,
      args: ['-e', 'process.stdin.resume()', marker],
      env: [],
    },
  })
  const connecting = test.client.servers.connect({ id })
  await expect
    .poll(async () => (await test.client.servers.list()).find((server) => server.id === id)?.status)
    .toBe('connecting')
  expect(await test.client.servers.disconnect({ id })).toMatchObject({ status: 'disconnected' })
  expect(await connecting).toMatchObject({ status: 'disconnected' })
})

describe('a secret that a failing server repeats', () => {
  it('in headers and body is not shown', async () => {
    const address = await listening(
      createServer((request, response) => {
        const credentials = request.headers.authorization ?? ''
        response.writeHead(500, { 'set-cookie': 'session=of-the-server', 'x-echo': credentials })
        response.end(`You sent ${credentials} and ${String(request.headers['x-api-key'])}`)
      }),
    )
    const { id } = await test.addApproved({
      name: 'echo',
      target: {
        transport: 'http',
        url: `http://${address}/mcp`,
        headers: [{ name: 'X-Api-Key', value: 'Key key-of-mine' }],
      },
      bearerToken: 'token-of-mine',
    })
    const { failure } = await test.client.servers.connect({ id })
    expect(failure).toMatchObject({
      httpHeaders: { 'set-cookie': '⟨redacted⟩', 'x-echo': 'Bearer ⟨redacted⟩' },
      httpBody: 'You sent Bearer ⟨redacted⟩ and ⟨redacted⟩',
    })
    expect(JSON.stringify(await everythingShown(id))).not.toMatch(/-of-(mine|the-server)/)
  })

  it('in the answer to a call is not shown', async () => {
    const script = `
      const say = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
      require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
        const { id, method, params } = JSON.parse(line)
        const key = process.env.API_KEY
        if (method === 'initialize') say({ id, result: { protocolVersion: params.protocolVersion, capabilities: {}, serverInfo: { name: 'echo', version: '1' } } })
        else if (method === 'ping') say({ id, result: { key } })
        else if (id !== undefined) say({ id, error: { code: -32601, message: 'no, ' + key, data: [key] } })
      })`
    const { id } = await test.addApproved({
      name: 'echo',
      target: {
        transport: 'stdio',
        command: process.execPath,
        args: ['-e', script],
        env: [{ name: 'API_KEY', value: 'key-"of"-mine' }],
      },
    })
    expect(await test.client.servers.connect({ id })).toMatchObject({ status: 'connected' })
    const ask = (method: string) =>
      test.client.inspect.request({ serverId: id, callId: method, method, paramsText: '{}' })
    const result = await ask('ping')
    expect(result).toMatchObject({ type: 'result' })
    expect('messageText' in result && (JSON.parse(result.messageText) as unknown)).toMatchObject({
      result: { key: '⟨redacted⟩' },
    })
    const error = await ask('no/such')
    expect(error).toMatchObject({ type: 'error', message: 'no, ⟨redacted⟩', data: ['⟨redacted⟩'] })
    expect(JSON.stringify([error, await everythingShown(id)])).not.toContain('-mine')
    await test.client.servers.disconnect({ id })
  })

  it('on stdout and stderr is not shown', async () => {
    const script =
      'console.log("key " + process.env.API_KEY); console.error(process.env.API_KEY); process.exitCode = 2'
    const { id } = await test.addApproved({
      name: 'echo',
      target: {
        transport: 'stdio',
        command: process.execPath,
        args: ['-e', script],
        env: [{ name: 'API_KEY', value: 'key-of-mine' }],
      },
    })
    const { failure } = await test.client.servers.connect({ id })
    expect(failure).toMatchObject({ strayOutput: 'key ⟨redacted⟩', stderr: '⟨redacted⟩\n' })
    expect(JSON.stringify(await everythingShown(id))).not.toContain('-of-mine')
  })
})

/** What a page gets to see of a server: its state, its rows and all their frames. */
async function everythingShown(id: string): Promise<unknown> {
  const batches = await watchUntil(test.client, ({ exchanges }) => exchanges !== undefined, `shown-${id}`)
  const rows = batches.flatMap(({ exchanges }) => exchanges ?? []).filter(({ serverId }) => serverId === id)
  expect(rows.length).toBeGreaterThan(0)
  const seqs = rows.flatMap(({ frames }) => frames)
  const states = (await test.client.servers.list()).filter((state) => state.id === id)
  return [rows, states, await test.client.traffic.frames({ seqs })]
}
