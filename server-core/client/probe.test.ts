import type { TransportKind } from '../protocol/transport-kind.ts'
import { mkdtemp, readFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { once } from 'node:events'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { httpTransport } from '../transports/http/http-client.ts'
import { stdioTransport } from '../transports/stdio/stdio-client.ts'
import { connect, type ConnectOptions } from './connect.ts'
import type { ConnectError } from './errors.ts'
import {
  DISCOVERED,
  INITIALIZED,
  scriptedServer,
  speaking,
  type Heard,
  type Side,
} from './scripted-server.test-support.ts'

const cleanups: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const cleanup of cleanups.splice(0).reverse()) await cleanup()
})

const identity = { name: 'patchbay', version: '0' }
const tryConnect = async (
  script: (heard: Heard, side: Side, connection: number) => void,
  options: Partial<ConnectOptions> = {},
  kind?: TransportKind,
) => {
  const server = scriptedServer(script, kind)
  const outcome = await connect({
    open: server.open,
    identity,
    probeTimeoutMs: 50,
    requestTimeoutMs: 100,
    ...options,
  }).catch((error: unknown) => error)
  return { ...server, outcome, methods: server.heard.map(({ method }) => method) }
}

describe('finding the revision', () => {
  it('speaks 2026-07-28 with a server that discovers, every request describing itself', async () => {
    const { outcome, heard, methods } = await tryConnect(speaking('modern', () => undefined))
    expect(outcome).toMatchObject({ revision: '2026-07-28', era: 'modern', serverInfo: { name: 'scripted' } })
    expect(methods).toEqual(['server/discover'])
    expect(heard[0]?.params['_meta']).toEqual({
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
      'io.modelcontextprotocol/clientInfo': identity,
    })
  })

  it.each([-32601, -32602, -32000, -32603])(
    'takes error %i for an old server and goes on in the same process',
    async (code) => {
      const { outcome, heard, methods, connections } = await tryConnect((each, side) => {
        if (each.method === 'server/discover') side.error(each, code, 'what?')
        else if (each.method === 'initialize') side.result(each, INITIALIZED)
      })
      expect(outcome).toMatchObject({ revision: '2025-11-25', era: 'legacy' })
      expect(methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
      expect(connections()).toBe(1)
      expect(heard[1]?.params).toEqual({
        protocolVersion: '2025-11-25',
        capabilities: {},
        clientInfo: identity,
      })
    },
  )

  it.each(['exit', 'garbage'] as const)(
    'takes %s for an old server and starts a fresh process',
    async (how) => {
      const { outcome, connections, closed, methods } = await tryConnect((each, side, connection) => {
        if (each.method === 'initialize' && connection === 2) side.result(each, INITIALIZED)
        else if (how === 'exit') side.end('process-exited')
        else side.send({ jsonrpc: '2.0', id: each.id, result: 'what?' })
      })
      expect(outcome).toMatchObject({ revision: '2025-11-25' })
      expect([connections(), closed]).toEqual([2, [1]])
      expect(methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
    },
  )

  it('tries again when the server names a version that we support', async () => {
    let asked = 0
    const { outcome, methods } = await tryConnect((each, side) => {
      asked += 1
      if (asked === 1) side.error(each, -32022, 'Unsupported', { supported: ['2026-07-28'], requested: 'x' })
      else side.result(each, DISCOVERED)
    })
    expect(outcome).toMatchObject({ revision: '2026-07-28' })
    expect(methods).toEqual(['server/discover', 'server/discover'])
  })

  it('does not try for ever', async () => {
    const { outcome, methods } = await tryConnect((each, side) =>
      side.error(each, -32022, 'Unsupported', { supported: ['2026-07-28'] }),
    )
    expect(outcome).toMatchObject({ name: 'ConnectError', code: 'version-mismatch' })
    expect(methods).toHaveLength(2)
  })

  it('uses the handshake with a modern server that lists only an old version that we support', async () => {
    const listing = { ...DISCOVERED, supportedVersions: ['2030-01-01', '2025-11-25'] }
    const { outcome } = await tryConnect((each, side) =>
      side.result(each, each.method === 'initialize' ? INITIALIZED : listing),
    )
    expect(outcome).toMatchObject({ revision: '2025-11-25' })
  })

  it('names both sides if no version is spoken by both', async () => {
    const discovered = await tryConnect((each, side) =>
      side.result(each, { ...DISCOVERED, supportedVersions: ['2030-01-01'] }),
    )
    expect(discovered.outcome).toMatchObject({
      code: 'version-mismatch',
      message: expect.stringMatching(
        /supports 2030-01-01; this client 2024-11-05, .*, 2025-11-25, 2026-07-28/,
      ) as string,
    })
    const shaken = await tryConnect((each, side) => {
      if (each.method === 'initialize') side.result(each, { ...INITIALIZED, protocolVersion: '1999-01-01' })
      else side.error(each, -32601, 'no')
    })
    expect(shaken.outcome).toMatchObject({
      code: 'version-mismatch',
      message: expect.stringMatching(
        /answered 1999-01-01; this client offers 2024-11-05, .*2025-11-25/,
      ) as string,
    })
    expect(shaken.closed).toEqual([1])
  })

  it('does not fall back when a revision is insisted on', async () => {
    const modern = await tryConnect(
      speaking('legacy', () => undefined),
      { protocol: '2026-07-28' },
    )
    expect(modern.outcome).toMatchObject({
      code: 'refused',
      message: expect.stringMatching(/Method not found \(-32601\)/) as string,
    })
    expect(modern.methods).toEqual(['server/discover'])
    const legacy = await tryConnect(
      speaking('modern', () => undefined),
      { protocol: '2025-11-25' },
    )
    expect(legacy.methods).toEqual(['initialize', 'notifications/initialized'])
    const other = await tryConnect(
      speaking('legacy', () => undefined),
      { protocol: '2025-03-26' },
    )
    expect(other.outcome).toMatchObject({
      code: 'version-mismatch',
      message: expect.stringMatching(/answered 2025-11-25, but 2025-03-26 is insisted on/) as string,
    })
    expect(other.methods).toEqual(['initialize'])
  })

  it('gives up a server that never answers, without cancelling the handshake', async () => {
    const { outcome, methods, closed } = await tryConnect(() => undefined)
    expect(outcome).toMatchObject({
      code: 'timeout',
      message: 'no answer to initialize within 100 ms',
      evidence: { pid: 1 },
    })
    expect((outcome as ConnectError).steps.map(({ step }) => step)).toEqual([
      'server/discover (2026-07-28)',
      'initialize (2025-11-25)',
    ])
    expect(methods).toEqual(['server/discover', 'initialize'])
    expect(closed).toEqual([1])
  })

  it('gives a process all its time to start where there is nothing else to try', async () => {
    const { outcome } = await tryConnect(
      (each, side) => void setTimeout(() => side.result(each, DISCOVERED), 60),
      { protocol: '2026-07-28', probeTimeoutMs: 10, requestTimeoutMs: 10_000 },
    )
    expect(outcome).toMatchObject({ revision: '2026-07-28' })
  })

  it('is given up by its caller', async () => {
    const controller = new AbortController()
    const { outcome, closed } = await tryConnect(() => controller.abort(), { signal: controller.signal })
    expect(outcome).toMatchObject({ name: 'ConnectError', code: 'cancelled' })
    expect(closed).toEqual([1])
  })

  it('answers a ping that comes before the handshake is answered', async () => {
    let initialize: Heard | undefined
    const { outcome } = await tryConnect((each, side) => {
      if (each.method === 'server/discover') side.error(each, -32601, 'no')
      else if (each.method === 'initialize') {
        initialize = each
        side.send({ jsonrpc: '2.0', id: 'p', method: 'ping' })
      } else if (each.id === 'p' && initialize !== undefined) side.result(initialize, INITIALIZED)
    })
    expect(outcome).toMatchObject({ revision: '2025-11-25' })
  })
})

describe('finding the revision over HTTP', () => {
  /** Serves `answer` for every POST and says what came. */
  const serve = async (
    answer: (method: string, response: ServerResponse, id: unknown) => void,
    requestTimeoutMs = 10_000,
  ) => {
    const methods: string[] = []
    const server = createServer((request, response) => {
      const parts: Buffer[] = []
      request.on('data', (part: Buffer) => parts.push(part))
      request.on('end', () => {
        if (request.method !== 'POST') return void response.writeHead(405).end()
        const { method, id } = JSON.parse(Buffer.concat(parts).toString()) as { method: string; id?: unknown }
        methods.push(method)
        answer(method, response, id)
      })
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    cleanups.push(async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    })
    const open = () =>
      httpTransport({ url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp` })
    const outcome = await connect({ open, identity, requestTimeoutMs }).then(
      (connection) => {
        cleanups.push(() => connection.close())
        return connection
      },
      (error: unknown) => error,
    )
    return { outcome, methods }
  }
  const json = (response: ServerResponse, status: number, value: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
  }
  const handshake = (method: string, response: ServerResponse, id: unknown): boolean => {
    if (method === 'initialize') json(response, 200, { jsonrpc: '2.0', id, result: INITIALIZED })
    else if (method.startsWith('notifications/')) response.writeHead(202).end()
    else return false
    return true
  }

  it.each([
    [
      400,
      {
        jsonrpc: '2.0',
        id: null,
        error: { code: -32000, message: 'Bad Request: No valid session ID provided' },
      },
    ],
    [404, 'Not Found'],
    [405, ''],
    [400, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }],
    [200, { jsonrpc: '2.0', id: 1, error: { code: -32601, message: 'Method not found' } }],
  ])('shakes hands after %i %j', async (status, body) => {
    const { outcome, methods } = await serve((method, response, id) => {
      if (!handshake(method, response, id)) json(response, status, body)
    })
    expect(outcome).toMatchObject({ revision: '2025-11-25' })
    expect(methods).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  })

  it.each([
    [401, 'unauthorized'],
    [403, 'unauthorized'],
    [429, 'http-status'],
    [500, 'http-status'],
    [503, 'http-status'],
    [302, 'http-status'],
  ])('takes %i for no evidence of an old server', async (status, code) => {
    const { outcome, methods } = await serve((method, response, id) => {
      if (!handshake(method, response, id)) json(response, status, {})
    })
    expect(outcome).toMatchObject({ name: 'ConnectError', code, evidence: { httpStatus: status } })
    expect(methods).toEqual(['server/discover'])
  })

  it.each([429, 500, 503])(
    'a %i with a JSON-RPC error is not evidence either, and is reported whole',
    async (status) => {
      const { outcome, methods } = await serve((_method, response, id) => {
        response.setHeader('retry-after', '7')
        json(response, status, { jsonrpc: '2.0', id, error: { code: -32603, message: 'broken' } })
      })
      expect(outcome).toMatchObject({
        code: 'refused',
        evidence: {
          httpStatus: status,
          httpHeaders: { 'retry-after': '7' },
          httpBody: '{"jsonrpc":"2.0","id":1,"error":{"code":-32603,"message":"broken"}}',
        },
      })
      expect(methods).toEqual(['server/discover'])
    },
  )

  it('tells the first refusal if nothing there speaks MCP', async () => {
    const { outcome, methods } = await serve((_method, response) =>
      response.writeHead(404, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
    )
    expect(outcome).toMatchObject({
      code: 'http-status',
      evidence: { httpStatus: 404, httpBody: '<h1>no</h1>' },
    })
    expect((outcome as ConnectError).message).toMatch(/nothing answers MCP at/)
    expect(methods).toEqual(['server/discover', 'initialize'])
  })

  it('gives up a server that never answers, without trying an older revision', async () => {
    const { outcome, methods } = await serve(() => undefined, 500)
    expect(outcome).toMatchObject({ code: 'timeout' })
    expect(methods).toEqual(['server/discover'])
  })
})

describe('a command that is not a server', () => {
  const attempt = (args: readonly string[], command = process.execPath, requestTimeoutMs = 400) =>
    connect({
      open: () => stdioTransport({ command, args, env: {}, graceMs: 200 }),
      identity,
      probeTimeoutMs: 300,
      requestTimeoutMs,
    }).catch((error: unknown) => error)

  it('is not there', async () => {
    expect(await attempt([], 'no-such-command-here')).toMatchObject({
      name: 'ConnectError',
      code: 'spawn-failed',
    })
  })

  it('ends at once: exit code and stderr tell why', async () => {
    const ending = `console.error('no token'); process.exit(9)`
    const error = await attempt(['-e', ending], process.execPath, 30_000)
    expect(error).toMatchObject({ code: 'process-exited', evidence: { exitCode: 9, stderr: 'no token\n' } })
    expect((error as Error).message).toMatch(/exited with code 9/)
  })

  it.each([
    ['says why on stderr', `console.error('Error: no token'); process.exit(1)`, 1],
    ['prints its usage', `console.log('Usage: tool [options]'); process.exit(2)`, 1],
    ['is killed', `process.kill(process.pid, 'SIGKILL')`, 1],
    ['says that the message ended it', `console.error('expected initialize request'); process.exit(1)`, 2],
    ['says nothing', `process.exit(0)`, 2],
  ])(
    'ends at once and %s: is started again only if the message may have ended it',
    async (_how, ending, starts) => {
      const file = path.join(await mkdtemp(path.join(tmpdir(), 'patchbay-starts-')), 'starts')
      const script = `require('node:fs').appendFileSync(process.argv[1], 'x'); ${ending}`
      const error = await attempt(['-e', script, file], process.execPath, 30_000)
      expect(error).toMatchObject({ code: 'process-exited' })
      expect(await readFile(file, 'utf8')).toBe('x'.repeat(starts))
      const steps = (error as ConnectError).steps.map(({ outcome }) => outcome).join('\n')
      expect(steps).toMatch(starts === 1 ? /not started again/ : /fresh process \(.*ended it/)
    },
  )

  it('stays and ignores SIGTERM: the cause is reported before its process ends, which `ended` waits for', async () => {
    const error = await attempt(['-e', "process.on('SIGTERM', () => {}); setInterval(() => {}, 60_000)"])
    const { evidence, ended } = error as ConnectError
    const { pid = 0 } = evidence
    expect(process.kill(pid, 0)).toBe(true)
    await ended
    expect(() => process.kill(pid, 0)).toThrow('ESRCH')
  })

  it('prints text and waits: the text is quoted', async () => {
    const greeting = `console.log('Welcome!'); process.stdin.resume()`
    // Long enough for a process to start on a busy machine.
    const error = await attempt(['-e', greeting], process.execPath, 3_000)
    expect(error).toMatchObject({ code: 'timeout', evidence: { strayOutput: 'Welcome!' } })
  })
})
