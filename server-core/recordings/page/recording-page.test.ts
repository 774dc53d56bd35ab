import { readFile } from 'node:fs/promises'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { Desk } from '../../capture/recording/recorder.test-support.ts'
import { exportCurl } from '../formats/curl-list.ts'
import { exportHar } from '../formats/har-export.ts'
import { RecordingView } from '../recording-view.ts'
import { verifyRecording } from '../verify-recording.ts'
import { recordingPage } from './recording-page.ts'

const desk = new Desk()
const HOSTILE = `</script><script>alert(1)</script><!--<img src=x onerror=alert(2)>'$(id)@`

beforeEach(() => desk.open())
afterEach(() => desk.close())

async function recorded(): Promise<RecordingView> {
  const recorder = await desk.recorder('calls.ndjson')
  const tap = recorder.tap({ serverName: HOSTILE, side: 'client', transport: 'http' })
  const url = 'http://127.0.0.1:1/mcp?q=1'
  const head = (exchange: number) => ({
    exchange,
    method: 'POST',
    url,
    headers: { 'content-type': 'application/json', x: HOSTILE },
  })
  const send = (value: object, exchange: number) =>
    tap.record({
      kind: 'message',
      direction: 'sent',
      bytes: Buffer.from(JSON.stringify(value)),
      http: head(exchange),
    })
  recorder.mark({ name: HOSTILE, phase: 'begin', check: 'x' })
  send({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: HOSTILE } }, 1)
  for (const value of [
    { jsonrpc: '2.0', method: 'notifications/progress', params: { progressToken: 1, progress: 1 } },
    { jsonrpc: '2.0', id: 1, error: { code: -1, message: HOSTILE } },
  ])
    tap.record({
      kind: 'message',
      direction: 'received',
      bytes: Buffer.from(JSON.stringify(value)),
      http: { ...head(1), headers: { 'content-type': 'text/event-stream' }, status: 200, event: { id: '7' } },
    })
  recorder.comment(HOSTILE)
  await recorder.close()
  return RecordingView.open(recorder.path)
}

test('a page has everything as data, and lets nothing else run or load', async () => {
  const page = await recordingPage(await recorded(), { title: HOSTILE })
  expect(page.length).toBeLessThan(100_000)
  expect(page.match(/<script/g)).toHaveLength(2)
  expect(page.match(/<!--|<img/g)).toBeNull()
  expect(page.replace(/id="data">.*?<\/script>/s, '').match(/(?:src|href)=|https?:/g)).toBeNull()
  expect(page).toContain(`default-src 'none'`)
  const json = /id="data">(.*?)<\/script>/s.exec(page)?.[1] ?? ''
  const data = JSON.parse(json) as {
    title: string
    rows: { kind: string; label: string; outcome?: string }[]
  }
  expect(data.title).toBe(HOSTILE)
  expect(data.rows.map(({ kind, outcome }) => [kind, outcome])).toEqual([
    ['mark', undefined],
    ['request', 'error'],
    ['notification', 'none'],
    ['mark', undefined],
  ])
})

test('HAR has each request with its answer, a stream as it was', async () => {
  const view = await recorded()
  expect(await exportHar(view, desk.at('calls.har'))).toEqual([])
  const { log } = JSON.parse(await readFile(desk.at('calls.har'), 'utf8')) as {
    log: { version: string; entries: { request: object; response: { content: { text: string } } }[] }
  }
  expect(log.version).toBe('1.2')
  expect(log.entries).toMatchObject([
    {
      request: {
        method: 'POST',
        url: 'http://127.0.0.1:1/mcp?q=1',
        queryString: [{ name: 'q', value: '1' }],
      },
      response: { status: 200, content: { mimeType: 'text/event-stream' } },
    },
  ])
  expect(log.entries[0]?.response.content.text).toMatch(/^id: 7\ndata: \{.*\}\n\nid: 7\ndata: \{.*\}\n\n$/)
})

test('a list of curl commands is what was sent, whatever it contains', async () => {
  expect(await exportCurl(await recorded(), desk.at('calls.sh'))).toEqual([])
  const list = await readFile(desk.at('calls.sh'), 'utf8')
  // Every quote is closed, so that a shell takes all of it for words.
  const words = list
    .replaceAll(/'[^']*'|\\'|\\\n/g, '')
    .trim()
    .split(/\s+/)
  expect(words.slice(1)).toEqual(['curl', '-sS', '-N', '-X', '-H', '-H', '--data-raw'])
})

test('verify lists what is wrong and repairs an end that is missing', async () => {
  const { place } = await recorded()
  expect(await verifyRecording(place)).toEqual({ frames: 3, problems: [] })
  const recorder = await desk.recorder('open.ndjson')
  recorder
    .tap({ serverName: 'x', side: 'client', transport: 'stdio' })
    .record({ kind: 'stderr', direction: 'received', bytes: Buffer.from('x') })
  await recorder.flushed()
  expect((await verifyRecording(recorder.path)).problems).toEqual([expect.stringContaining('has no end')])
  await verifyRecording(recorder.path, true)
  expect(await verifyRecording(recorder.path)).toEqual({ frames: 1, problems: [] })
  await recorder.close()
})
