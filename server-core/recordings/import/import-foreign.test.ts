import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { Redaction } from '../../capture/redaction.ts'
import { exportHar } from '../formats/har-export.ts'
import { RecordingView } from '../recording-view.ts'
import { rowsOfFrames } from '../rows-of-frames.ts'
import { addImported } from './add-imported.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-import-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

async function imported(text: string, fileName: string) {
  const source = path.join(folder, 'source')
  await writeFile(source, text)
  const all = path.join(folder, 'recordings')
  const { id, problems } = await addImported({ source, fileName, folder: all, redaction: new Redaction() })
  const view = await RecordingView.open(path.join(all, id))
  const frames = await view.read(Array.from({ length: view.frames }, (_, place) => place))
  return { view, problems, frames, rows: rowsOfFrames(frames) }
}

const at = (second: number): string => new Date(1_790_000_000_000 + second * 1_000).toISOString()
const CALL =
  '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"}}}'
const EVENTS =
  'id: 7\nevent: message\ndata: {"jsonrpc":"2.0","method":"notifications/progress","params":{"progressToken":1,"progress":1}}\n\ndata: {"jsonrpc":"2.0","id":1,"result":{"content":[]}}\n\n'
const json = [{ name: 'Content-Type', value: 'application/json' }]
const HAR = {
  log: {
    version: '1.2',
    entries: [
      {
        startedDateTime: at(0),
        time: 500,
        request: {
          method: 'POST',
          url: 'https://mcp.example/mcp',
          headers: [{ name: 'Authorization', value: 'Bearer t0ken-secret' }, ...json],
          postData: { mimeType: 'application/json', text: CALL },
        },
        response: {
          status: 200,
          headers: [{ name: 'content-type', value: 'text/event-stream' }],
          content: { size: 1, text: EVENTS },
        },
      },
      {
        startedDateTime: at(1),
        time: 3,
        request: { method: 'GET', url: 'https://mcp.example/logo.png', headers: [] },
        response: { status: 200, headers: [], content: { text: 'iVBO', encoding: 'base64' } },
      },
      {
        startedDateTime: at(2),
        time: 900,
        _resourceType: 'websocket',
        request: { method: 'GET', url: 'wss://socket.example/mcp', headers: [] },
        response: { status: 101, headers: [], content: {} },
        _webSocketMessages: [
          { type: 'send', time: 1_790_000_002.1, opcode: 1, data: CALL.replace('"id":1', '"id":5') },
          { type: 'receive', time: 1_790_000_002.4, opcode: 1, data: '{"jsonrpc":"2.0","id":5,"result":{}}' },
        ],
      },
      { startedDateTime: 'yesterday', request: {} },
    ],
  },
}

it('imports HAR with streams of events and WebSockets, masks secrets, and writes the same as HAR again', async () => {
  const { rows, problems, frames, view } = await imported(JSON.stringify(HAR), 'calls.har')
  expect(problems).toEqual([
    expect.stringContaining('HAR: 1 entry cannot be read'),
    'HAR: 1 entry without MCP messages left out',
    'HAR: HAR has no times of the events in a stream: they are at the end of their answer',
  ])
  expect(rows.filter(({ method }) => method === 'tools/call')).toMatchObject([
    { label: expect.stringContaining('forecast') as string, endedAt: 1_790_000_000_500 },
    { startedAt: 1_790_000_002_100, endedAt: 1_790_000_002_400 },
  ])
  expect(frames.find(({ http }) => http?.event !== undefined)?.http?.event).toMatchObject({ id: '7' })
  const segment = await readFile(
    path.join(
      folder,
      'recordings',
      (await readdir(path.join(folder, 'recordings')))[0] ?? '',
      '000001.ndjson',
    ),
    'utf8',
  )
  expect(segment).not.toContain('t0ken-secret')

  const file = path.join(folder, 'again.har')
  expect(await exportHar(view, file)).toEqual([])
  const again = JSON.parse(await readFile(file, 'utf8')) as typeof HAR
  expect(again.log.entries[0]?.request.postData?.text).toBe(CALL)
  expect(again.log.entries[0]?.response?.content.text?.match(/^data: /gm)).toHaveLength(2)
  expect(again.log.entries[1]?._webSocketMessages).toEqual(HAR.log.entries[2]?._webSocketMessages)
  const twice = await imported(await readFile(file, 'utf8'), 'again.har')
  expect(twice.rows.map(({ method }) => method)).toEqual(rows.map(({ method }) => method))
})

it('imports spans of MCP from OTLP/JSON as calls, with what their attributes say', async () => {
  const attribute = (key: string, stringValue: string) => ({ key, value: { stringValue } })
  const span = (attributes: unknown[], more = {}) => ({
    name: 'tools/call forecast',
    kind: 3,
    startTimeUnixNano: '1790000000000000000',
    endTimeUnixNano: '1790000000250000000',
    attributes,
    ...more,
  })
  const call = [
    attribute('mcp.method.name', 'tools/call'),
    attribute('gen_ai.tool.name', 'forecast'),
    attribute('gen_ai.tool.call.arguments', '{"city":"Oslo"}'),
  ]
  const spans = [
    span(call),
    span([...call, attribute('error.type', '-32602')], { status: { code: 2, message: 'no such city' } }),
    span([attribute('http.request.method', 'GET')]),
    { name: 'broken' },
  ]
  const { rows, problems } = await imported(
    JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans }] }] }),
    'spans.json',
  )
  expect(rows).toMatchObject([
    { method: 'tools/call', outcome: 'ok', endedAt: 1_790_000_000_250 },
    { method: 'tools/call', outcome: 'error', errorCode: -32_602, errorMessage: 'no such city' },
  ])
  expect(problems).toEqual([
    'OTLP/JSON: 1 span cannot be read',
    'OTLP/JSON: 1 span without mcp.method.name left out',
    expect.stringContaining('spans have no messages'),
  ])
})

it('imports JSON lines of other tools, and infers a direction that is not there', async () => {
  const lines = [
    `{"timestamp":"${at(0)}","direction":"client->server","message":${CALL}}`,
    `{"ts":1790000001,"dir":"in","raw":${JSON.stringify('{"jsonrpc":"2.0","id":1,"result":{}}')}}`,
    '{"jsonrpc":"2.0","id":"a","method":"elicitation/create","params":{"message":"Which unit?"}}',
    '{"jsonrpc":"2.0","id":"a","result":{"action":"decline"}}',
    'started the server',
  ]
  const { rows, problems, frames } = await imported(lines.join('\n'), 'log.jsonl')
  expect(frames.map(({ direction }) => direction)).toEqual(['sent', 'received', 'received', 'sent'])
  expect(rows).toMatchObject([
    { method: 'tools/call', outcome: 'ok', startedAt: 1_790_000_000_000, endedAt: 1_790_000_001_000 },
    { method: 'elicitation/create', endedAt: 1_790_000_001_000 },
  ])
  expect(problems).toEqual([
    'JSON lines: 1 line without a message left out',
    'JSON lines: 2 lines without a direction: it follows from methods and ids',
    'JSON lines: 2 lines without a time',
  ])
})

it('imports the requests of a .http file', async () => {
  const text = `@host = x\n\n### Call\nPOST https://mcp.example/mcp HTTP/1.1\nContent-Type: application/json\n\n${CALL}\n\n### Page\nGET https://mcp.example/\n`
  const { frames, problems } = await imported(text, 'calls.http')
  expect(frames).toMatchObject([
    { kind: 'message', http: { method: 'POST', url: 'https://mcp.example/mcp' } },
  ])
  expect(problems).toContain('.http: 1 request without an MCP message left out')
})

it('takes times that no date can be, and text of a log beside messages', async () => {
  const far = `{"ts":1e300,"message":${CALL}}\nGET https://mcp.example/ was called\n{"ts":-5,"message":${CALL.replace('"id":1', '"id":2')}}`
  const { rows, problems } = await imported(far, 'far.jsonl')
  expect(rows).toHaveLength(2)
  expect(problems).toContain('JSON lines: 1 line without a message left out')
  const span = { startTimeUnixNano: 1.5, endTimeUnixNano: -1, attributes: [] }
  const spans = JSON.stringify({ resourceSpans: [{ scopeSpans: [{ spans: [span] }] }] })
  await expect(imported(spans, 'x.json')).rejects.toThrow('1 span cannot be read')
})

it('rejects other files with what was expected, and leaves nothing behind', async () => {
  const before = await readdir(path.join(folder, 'recordings'))
  const empty = { log: { entries: [] } }
  for (const [text, why] of [
    ['', 'x.har is not a recording: expected NDJSON of Patchbay, HAR'],
    ['\u0000\u0001PNG', 'x.har is not a recording'],
    ['{"log":{"entries":[{"startedDa', 'x.har is not complete JSON: it may be truncated'],
    [JSON.stringify(empty), 'x.har is HAR without MCP messages'],
    ['{"format":"patchbay-recording","version":99,"startedAt":"2026-11-22T14:00:00.000Z"}\n', '99'],
  ] as const)
    await expect(imported(text, 'x.har')).rejects.toThrow(why)
  await expect(
    addImported({ source: path.join(folder, 'none'), fileName: 'none', folder, redaction: new Redaction() }),
  ).rejects.toThrow('none cannot be read')
  expect(await readdir(path.join(folder, 'recordings'))).toEqual(before)
})
