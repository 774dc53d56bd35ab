import { afterEach, describe, expect, it, vi } from 'vitest'
import { TransportError } from '../ports/contract.ts'
import { ping } from './requests/ping.ts'
import { complete } from './requests/complete.ts'
import { notifyRootsChanged } from './requests/roots-changed.ts'
import { getPrompt, readResource } from './requests/read.ts'
import { closeAll, connectedTo, type Heard, type Script } from './scripted-server.test-support.ts'
import type { SessionLoss } from './session.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await closeAll()
})

const gone = () => new TransportError('http-status', 'no such session', { httpStatus: 404 })

describe('a lost session', () => {
  it('is begun again once, with its subscriptions and its log level, and says what is lost', async () => {
    let isLost = false
    const script: Script = (heard, side) => {
      if (isLost) side.fail(heard, gone())
      else if (heard.params['uri'] === 'a:gone' && counted() > 0) side.error(heard, -32002, 'not found')
      else if (heard.id !== undefined) side.result(heard, { done: heard.method })
    }
    const { connection, heard } = await connectedTo('legacy', script, {}, 'http')
    const counted = () => heard().filter(({ method }) => method === 'initialize').length
    await connection.setLogLevel('warning')
    await connection.subscribe('a:kept')
    await connection.subscribe('a:gone')
    connection.onRenewal(() => Promise.resolve({ restored: [], lost: ['task t'] }))
    const changed: string[] = []
    connection.on('resourceUpdated', (uri) => changed.push(uri))
    const renewed = new Promise<SessionLoss>((resolve) => connection.on('sessionRenewed', resolve))
    isLost = true
    const answers = Promise.all(['a', 'b', 'c'].map((method) => connection.request(method)))
    isLost = false
    expect((await answers).map(({ result }) => result['done'])).toEqual(['a', 'b', 'c'])
    expect(await renewed).toMatchObject({
      restored: ['log level warning', 'subscription to a:kept'],
      lost: ['subscription to a:gone', 'task t'],
    })
    expect(connection.steps.at(-1)?.outcome).toBe(
      'the server had lost the session; a new one began; set up again: log level warning, subscription to a:kept; ' +
        'lost: subscription to a:gone, task t',
    )
    expect(counted()).toBe(1)
    await expect.poll(() => changed).toEqual(['a:kept'])
  })

  it('is not begun for ever where the server knows no session at all', async () => {
    let isLost = false
    const { connection, methods } = await connectedTo(
      'legacy',
      (heard, side) => {
        if (isLost) side.fail(heard, gone())
        else if (heard.id !== undefined) side.result(heard, {})
      },
      {},
      'http',
    )
    await connection.setLogLevel('debug')
    isLost = true
    const renewed = new Promise<SessionLoss>((resolve) => connection.on('sessionRenewed', resolve))
    await expect(connection.request('a')).rejects.toMatchObject({ code: 'transport' })
    expect(await renewed).toMatchObject({ lost: ['log level debug'] })
    await expect(connection.request('a')).rejects.toMatchObject({ code: 'transport' })
    expect(methods().filter((method) => method === 'initialize')).toHaveLength(1)
  })
})

describe('log messages', () => {
  it('are asked for once for a session', async () => {
    const { connection, heard } = await connectedTo('legacy', (each, side) => side.result(each, {}))
    await connection.setLogLevel('debug')
    await connection.request('tools/list')
    expect(connection.logLevel).toBe('debug')
    expect(heard().map(({ method, params }) => [method, params])).toEqual([
      ['logging/setLevel', { level: 'debug' }],
      ['tools/list', {}],
    ])
  })

  it('are asked for with every request from 2026-07-28 on, or with one', async () => {
    const { connection, heard } = await connectedTo('modern', (each, side) => {
      side.send({
        jsonrpc: '2.0',
        method: 'notifications/message',
        params: { level: 'error', logger: 'db', data: { a: 1 } },
      })
      side.result(each, {})
    })
    const told: unknown[] = []
    const stop = connection.on('log', (message) => told.push(message))
    connection.on('log', () => {
      throw new Error('a listener of someone else')
    })
    vi.spyOn(process, 'emitWarning').mockReturnValue()
    await connection.request('tools/call', { name: 'x' }, { logLevel: 'info' })
    await connection.request('tools/call', { name: 'x' })
    await connection.setLogLevel('error')
    await connection.request('tools/call', { name: 'x' })
    stop()
    await connection.setLogLevel(undefined)
    await connection.request('tools/call', { name: 'x' })
    const levels = heard().map(
      ({ params }) => (params['_meta'] as Record<string, unknown>)['io.modelcontextprotocol/logLevel'],
    )
    expect(levels).toEqual(['info', undefined, 'error', undefined])
    expect(told).toEqual(Array.from({ length: 3 }, () => ({ level: 'error', logger: 'db', data: { a: 1 } })))
  })
})

describe('typed requests', () => {
  const answering: Script = (heard: Heard, side) => {
    const results: Record<string, object> = {
      'resources/read': { contents: [{ uri: 'a:1', text: 'x' }] },
      'prompts/get': { description: 'd', messages: [{ role: 'user', content: { type: 'text', text: 'x' } }] },
      'completion/complete': { completion: { values: ['a', 'b'], total: 3, hasMore: true } },
    }
    if (heard.id !== undefined) side.result(heard, { ...results[heard.method] })
  }

  it('give what is in the answers', async () => {
    const { connection, heard } = await connectedTo('legacy', answering)
    expect((await readResource(connection, 'a:1')).contents).toEqual([{ uri: 'a:1', text: 'x' }])
    expect(await getPrompt(connection, { name: 'p', arguments: { a: 'b' } })).toMatchObject({
      description: 'd',
      messages: [{ role: 'user' }],
    })
    const question = {
      of: { prompt: 'p' },
      argument: { name: 'a', value: 'x' },
      context: { b: 'y' },
    }
    expect(await complete(connection, question)).toMatchObject({
      values: ['a', 'b'],
      total: 3,
      hasMore: true,
    })
    expect(await ping(connection)).toBeGreaterThanOrEqual(0)
    expect(heard().map(({ method, params }) => [method, params])).toEqual([
      ['resources/read', { uri: 'a:1' }],
      ['prompts/get', { name: 'p', arguments: { a: 'b' } }],
      [
        'completion/complete',
        {
          ref: { type: 'ref/prompt', name: 'p' },
          argument: { name: 'a', value: 'x' },
          context: { arguments: { b: 'y' } },
        },
      ],
      ['ping', {}],
    ])
  })

  it('fail where the answer is invalid', async () => {
    const { connection } = await connectedTo('legacy', (heard, side) => side.result(heard, { contents: {} }))
    await expect(readResource(connection, 'a:1')).rejects.toMatchObject({
      code: 'invalid-answer',
      message: 'resources/read: expected a list of objects in "contents", got an object',
      bytes: expect.any(Uint8Array) as Uint8Array,
    })
  })

  it('notify of changed roots only where that was declared', async () => {
    const identity = { name: 'x', version: '1' }
    const declaration = { identity, capabilities: { roots: { listChanged: true } } }
    const legacy = await connectedTo('legacy', answering, { declaration })
    expect(await notifyRootsChanged(legacy.connection)).toBe(true)
    expect(legacy.methods()).toEqual(['notifications/roots/list_changed'])
    const silent = await connectedTo('legacy', answering)
    expect(await notifyRootsChanged(silent.connection)).toBe(false)
    const modern = await connectedTo('modern', answering, { declaration })
    expect(await notifyRootsChanged(modern.connection)).toBe(false)
    expect([...silent.methods(), ...modern.methods()]).toEqual([])
  })
})

describe('a server that needs its user at a URL first', () => {
  const needed = { mode: 'url', elicitationId: 'e', url: 'https://a.example/consent', message: 'Please' }
  const needing: Script = (heard, side) => {
    if (heard.method !== 'tools/call') return
    if (heard.id === 4) side.result(heard, { content: [] })
    else side.error(heard, -32042, 'consent first', { elicitations: [needed] })
  }

  it('is asked again when the page is done', async () => {
    const asked: unknown[] = []
    let writeStderr = (): void => undefined
    const { connection, methods } = await connectedTo(
      'legacy',
      (heard, side, n) => {
        needing(heard, side, n)
        writeStderr = () =>
          side.send({
            jsonrpc: '2.0',
            method: 'notifications/elicitation/complete',
            params: { elicitationId: 'e' },
          })
      },
      {
        responders: {
          elicitation: {
            url: (params) => {
              asked.push(params)
              setImmediate(writeStderr)
              return Promise.resolve({ action: 'accept' })
            },
          },
        },
      },
    )
    expect((await connection.request('tools/call', { name: 'x' })).result).toEqual({ content: [] })
    expect(asked).toEqual([needed])
    expect(methods()).toEqual(['tools/call', 'tools/call'])
  })

  it('is believed where the user does not agree, or nobody can be asked', async () => {
    const refusing = { elicitation: { url: () => Promise.resolve({ action: 'decline' }) } }
    for (const responders of [refusing, {}]) {
      const { connection, methods } = await connectedTo('legacy', needing, { responders })
      await expect(connection.request('tools/call', { name: 'x' })).rejects.toMatchObject({ code: -32042 })
      expect(methods()).toEqual(['tools/call'])
    }
  })
})

it('a result of 2026-07-28 without a type is warned of', async () => {
  const { connection } = await connectedTo('modern', (heard, side) => side.result(heard, {}))
  const told: string[] = []
  connection.on('warning', (text) => told.push(text))
  await connection.request('tools/call', { name: 'x' })
  expect(told).toEqual(['the result of tools/call has no resultType'])
})

describe('extensions', () => {
  const extension = {
    id: 'com.example/own',
    settings: { level: 2 },
    resultTypes: ['sketch'],
    nameParameters: { 'own/do': 'thing' },
  }

  it('are declared, and their results, notices and names are known', async () => {
    const notices: unknown[] = []
    const { connection, heard } = await connectedTo(
      'modern',
      (each, side) => {
        side.send({ jsonrpc: '2.0', method: 'notifications/own', params: { a: 1 } })
        side.result(each, { resultType: 'sketch', lines: 3 })
      },
      {
        extensions: [
          { ...extension, notifications: { 'notifications/own': (params) => notices.push(params) } },
        ],
      },
      'http',
    )
    expect((await connection.request('own/do', { thing: 'ä' })).result).toMatchObject({ lines: 3 })
    expect(heard()[0]?.options.headers).toEqual({ 'mcp-name': '=?base64?w6Q=?=' })
    expect(connection.declaration.capabilities).toEqual({ extensions: { 'com.example/own': { level: 2 } } })
    expect(notices).toEqual([{ a: 1 }])
  })

  it('are not in force where they are not declared', async () => {
    const declaration = { identity: { name: 'x', version: '1' }, capabilities: {} }
    const { connection } = await connectedTo(
      'modern',
      (each, side) => side.result(each, { resultType: 'sketch' }),
      { extensions: [extension], declaration },
    )
    await expect(connection.request('own/do')).rejects.toMatchObject({ code: 'invalid-answer' })
  })
})
