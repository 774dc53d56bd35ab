import { once } from 'node:events'
import http, { type IncomingMessage, type ServerResponse } from 'node:http'
import { connect, type AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { afterEach, expect, it } from 'vitest'
import { WebSocket, WebSocketServer } from 'ws'
import type { Frame } from '../../ports/tap.ts'
import { HeldMessages, type HeldMessage } from '../rules/held-messages.ts'
import { parseRules } from '../rules/rules-file.ts'
import { EventCutter } from './event-cutter.ts'
import { HttpRules } from './http-rules.ts'
import { startHttpTap } from './http-tap.ts'

const open: (() => unknown)[] = []
afterEach(async () => {
  for (const close of open.splice(0).reverse()) await close()
})

type Handler = (request: IncomingMessage, response: ServerResponse) => void

async function ruled(rules: object, handler: Handler) {
  const server = http.createServer(handler).listen(0, '127.0.0.1')
  await once(server, 'listening')
  open.push(() => {
    server.closeAllConnections()
    server.close()
  })
  const frames: Frame[] = []
  const holding = Promise.withResolvers<HeldMessage>()
  const held = new HeldMessages(([first]) => {
    if (first !== undefined) holding.resolve(first)
  })
  const applied = new HttpRules(held)
  applied.set(parseRules(rules, 'rules'))
  const tap = await startHttpTap({
    url: new URL(`http://127.0.0.1:${(server.address() as AddressInfo).port}/mcp`),
    port: 0,
    tap: { record: (frame) => frames.push(frame) },
    rewritesMetadata: false,
    rules: applied,
  })
  open.push(() => tap.close())
  const notes = (): string[] =>
    frames.filter(({ kind }) => kind === 'fault').map(({ bytes }) => Buffer.from(bytes).toString())
  return { server, tap, frames, held, holding: holding.promise, notes }
}

const post = (url: string, message: object): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify(message),
  })
const call = (id: number, name: string) => ({ jsonrpc: '2.0', id, method: 'tools/call', params: { name } })

/** Answers with what it got. */
const mirror: Handler = (request, response) => {
  void text(request).then((body) => {
    const { id } = JSON.parse(body) as { id: number }
    response.setHeader('content-type', 'application/json')
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: { got: body, with: request.headers } }))
  })
}

it('rewrites, answers and drops requests and answers over HTTP, and says so in the recording', async () => {
  const rules = [
    { id: 'mine', match: { target: 'mine' }, action: { type: 'answer', result: { content: [] } } },
    { id: 'lost', match: { method: 'notifications/*' }, action: { type: 'drop' } },
    {
      id: 'other',
      match: { direction: 'to-server', target: 'echo' },
      action: { type: 'rewrite', patch: [{ op: 'replace', path: '/params/name', value: 'rewritten' }] },
    },
    {
      id: 'marked',
      match: { kind: 'response', target: 'echo' },
      action: { type: 'rewrite', patch: [{ op: 'add', path: '/result/marked', value: true }] },
    },
  ]
  const { tap, notes, frames } = await ruled({ rules }, mirror)
  expect(await (await post(tap.url, call(1, 'mine'))).json()).toEqual({
    jsonrpc: '2.0',
    id: 1,
    result: { content: [] },
  })
  expect((await post(tap.url, { jsonrpc: '2.0', method: 'notifications/cancelled' })).status).toBe(202)
  const { result } = (await (await post(tap.url, call(2, 'echo'))).json()) as {
    result: { got: string; with: Record<string, string>; marked: boolean }
  }
  expect(JSON.parse(result.got)).toMatchObject({ params: { name: 'rewritten' } })
  expect(result.with['content-length']).toBe(String(result.got.length))
  expect(result.marked).toBe(true)
  expect(notes()).toEqual([
    'rule mine: answered',
    'rule lost: dropped',
    expect.stringContaining('rule other: rewritten; it came as'),
    expect.stringContaining('rule marked: rewritten; it came as'),
  ])
  expect(frames.every((frame) => 'http' in frame)).toBe(true)
})

it('holds a request until somebody decides, and forwards what was edited', async () => {
  const rules = [{ id: 'hold', match: { kind: 'request', target: 'delete_*' }, action: { type: 'hold' } }]
  const { tap, held, holding } = await ruled({ rules }, mirror)
  held.watch(true)
  const answered = post(tap.url, call(3, 'delete_note'))
  const message = await holding
  expect(message).toMatchObject({ method: 'tools/call', target: 'delete_note', direction: 'to-server' })
  const bytes = Buffer.from(JSON.stringify(call(3, 'read_note')))
  expect(held.settle(message.id, { type: 'forward', bytes, reason: 'by you' })).toBe(true)
  expect(await (await answered).text()).toContain('read_note')
})

it('changes one event of a stream and leaves the bytes of all others', async () => {
  const blocks = [
    ': comment\r\n\r\n',
    'id: 1\r\nevent: message\r\ndata: {"jsonrpc":"2.0",\r\ndata: "method":"notifications/progress"}\r\n\r\n',
    'id: 2\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"secret"}}\n\n',
    'data: {"jsonrpc":"2.0","id":4,"result":{}}\n\n',
  ]
  const rules = [
    {
      id: 'hide',
      match: { method: 'notifications/message' },
      action: { type: 'rewrite', patch: [{ op: 'replace', path: '/params/data', value: 'hidden' }] },
    },
    { id: 'late', match: { kind: 'response' }, action: { type: 'delay', ms: 30 } },
  ]
  const conditions = { toClient: { latencyMs: 20, sliceBytes: 7 } }
  const { tap, frames } = await ruled({ rules, conditions }, (request, response) => {
    request.resume()
    response.setHeader('content-type', 'text/event-stream')
    for (const block of blocks) response.write(block)
    response.end()
  })
  const began = performance.now()
  const answer = await (await post(tap.url, call(4, 'x'))).text()
  expect(performance.now() - began).toBeGreaterThanOrEqual(49)
  expect(answer).toBe(
    [
      blocks[0],
      blocks[1],
      'id: 2\ndata: {"jsonrpc":"2.0","method":"notifications/message","params":{"data":"hidden"}}\n\n',
      blocks[3],
    ].join(''),
  )
  const event = frames.find(({ bytes }) => Buffer.from(bytes).includes('hidden'))
  expect(event).toMatchObject({ kind: 'message', http: { status: 200, event: { id: '2' } } })
})

it('leaves a dropped request open until the client goes, and closes the connection where a rule says so', async () => {
  const rules = [
    { id: 'never', match: { target: 'never' }, action: { type: 'drop' } },
    { id: 'close', match: { target: 'close' }, action: { type: 'fault', how: 'close' } },
  ]
  const { tap, frames } = await ruled({ rules }, mirror)
  const body = JSON.stringify(call(5, 'never'))
  const socket = connect(Number(new URL(tap.url).port), '127.0.0.1')
  const head = `POST /mcp HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: ${body.length}\r\n\r\n`
  socket.write(head + body)
  await expect.poll(() => frames.some(({ kind }) => kind === 'fault')).toBe(true)
  socket.destroy()
  await expect.poll(() => frames.at(-1)).toMatchObject({ kind: 'http', direction: 'sent' })
  await expect(post(tap.url, call(6, 'close'))).rejects.toThrow()
})

it('applies rules to WebSockets in both directions', async () => {
  const rules = [
    { id: 'mine', match: { target: 'mine' }, action: { type: 'answer', result: { from: 'rule' } } },
    {
      id: 'other',
      match: { direction: 'to-server', target: 'echo' },
      action: {
        type: 'rewrite',
        patch: [{ op: 'replace', path: '/params/name', value: 'x'.repeat(70_000) }],
      },
    },
  ]
  const { tap, server } = await ruled({ rules }, (_request, response) => void response.end())
  const sockets = new WebSocketServer({ server })
  sockets.on('connection', (socket) =>
    socket.on('message', (data: Buffer) => {
      socket.send(data.toString())
    }),
  )
  const client = new WebSocket(tap.url.replace('http', 'ws'))
  await once(client, 'open')
  const say = async (message: object): Promise<string> => {
    client.send(JSON.stringify(message))
    return String(((await once(client, 'message')) as [Buffer])[0])
  }
  expect(JSON.parse(await say(call(1, 'mine')))).toEqual({ jsonrpc: '2.0', id: 1, result: { from: 'rule' } })
  expect(await say(call(2, 'echo'))).toBe(JSON.stringify(call(2, 'x'.repeat(70_000))))
  expect(await say(call(3, 'same'))).toBe(JSON.stringify(call(3, 'same')))
  client.ping()
  await once(client, 'pong')
  client.close(4001, 'done')
  expect((await once(client, 'close'))[0]).toBe(4001)
})

it('cuts an event stream into blocks whatever its chunks, and loses no byte', () => {
  const stream = Buffer.from(
    'data: a\n\n: c\r\n\r\ndata: b\r\rid: 1\ndata: c\r\ndata: d\r\n\r\nevent: x\n\ndata: end',
  )
  for (let size = 1; size <= stream.length; size += 1) {
    const [bytes, data]: [Buffer[], string[]] = [[], []]
    const cutter = new EventCutter(1_000, (block) => {
      bytes.push(block.bytes)
      if (block.event?.data !== undefined) data.push(block.event.data.toString())
    })
    for (let at = 0; at < stream.length; at += size) cutter.push(stream.subarray(at, at + size))
    cutter.end()
    expect(Buffer.concat(bytes).toString()).toBe(stream.toString())
    expect(data).toEqual(['a', 'b', 'c\nd'])
  }
})
