import { expect, it } from 'vitest'
import { targetOf, type RecordedCall } from '../comparison/recorded-calls.ts'
import type { JsonObject } from '../protocol/json.ts'
import { recordedTest } from './recorded-test.ts'

let frame = 0

function request(
  method: string,
  params: JsonObject,
  outcome: RecordedCall['outcome'],
  direction: RecordedCall['direction'] = 'sent',
): RecordedCall {
  frame += 2
  const target = targetOf(params)
  const key = `${direction} ${method} ${JSON.stringify(params)}`
  const answer = outcome.type === 'none' ? {} : { answerFrame: frame + 1, durationMs: 1 }
  return {
    frame,
    kind: 'request',
    id: frame,
    direction,
    method,
    target,
    params,
    outcome,
    at: frame,
    key,
    ...answer,
  }
}

const result = (value: JsonObject): RecordedCall['outcome'] => ({ type: 'result', value })
const text = (said: string, more: JsonObject = {}) =>
  result({ content: [{ type: 'text', text: said }], ...more })
const tool = (name: string, args: JsonObject, outcome: RecordedCall['outcome']) =>
  request('tools/call', { name, arguments: args }, outcome)

/** The tests of a file, without its head. */
function testsOf(calls: readonly RecordedCall[], inOneTest = false): string {
  const { text: file } = recordedTest(calls, { source: 'calls.ndjson', inOneTest })
  return file.slice(file.indexOf('\n\ntest(') + 2)
}

it('expects what the server answered, and forms of what differs each time', () => {
  const file = recordedTest(
    [
      request('initialize', {}, result({ protocolVersion: '2025-06-18', capabilities: {} })),
      tool('echo', { message: "it's" }, text("Echo: it's")),
      tool('now', {}, text('2026-11-27T10:00:00Z')),
      tool('open', {}, text('Opened at 2026-11-27T10:00:00Z by 7f9c24e8-3b12-4c11-9a55-1c2d3e4f5a6b')),
      tool('add', { a: 1, b: 2 }, text('{"sum":3}', { structuredContent: { sum: 3, at: 1790000000000 } })),
      tool('fail', {}, text('No such city\nat line 3', { isError: true })),
      tool('none', {}, { type: 'error', value: { code: -32602, message: 'Unknown tool' } }),
    ],
    { source: 'calls.ndjson', inOneTest: false, server: { command: 'node', args: ['server.js'] } },
  )
  expect(file.tests).toBe(6)
  expect(file.text).toBe(`import { expect, test } from 'mcp-patchbay/test'

// Made from calls.ndjson. Expectations are what the server answered then: keep those that matter.
test.use({ server: { command: 'node', args: ['server.js'] }, revision: '2025-06-18' })

test('echo returns "Echo: it\\'s"', async ({ mcp }) => {
  const result = await mcp.callTool('echo', { message: 'it\\'s' })
  expect(result).toSucceed()
  expect(result.text).toBe('Echo: it\\'s')
})

test('now returns "2026-11-27T10:00:00Z"', async ({ mcp }) => {
  const result = await mcp.callTool('now')
  expect(result).toSucceed()
  expect(result.text).toBeTruthy()
})

test('open returns content', async ({ mcp }) => {
  const result = await mcp.callTool('open')
  expect(result).toSucceed()
  expect(result.text).toMatch(/^Opened at [\\d:.TZ +-]+ by [\\da-fA-F-]+$/)
})

test('add returns structured content', async ({ mcp }) => {
  const result = await mcp.callTool('add', { a: 1, b: 2 })
  expect(result).toSucceed()
  expect(result).toMatchOutputSchema()
  expect(result.structuredContent).toEqual({ sum: 3, at: expect.any(Number) })
})

test('fail fails with content', async ({ mcp }) => {
  const result = await mcp.callTool('fail')
  expect(result).toBeToolError('No such city')
})

test('none is refused with -32602', async ({ mcp }) => {
  await expect(mcp.callTool('none')).toFailWith(-32602)
})
`)
})

it('sends what the server returns now, where the recording sent what it had returned', () => {
  const tests = testsOf([
    tool('create', { title: 'a' }, text('Created', { structuredContent: { note: { id: 'note-4711' } } })),
    tool('read', { id: 'note-4711' }, text('note-4711: a')),
    request(
      'resources/read',
      { uri: 'notes:///note-4711' },
      result({ contents: [{ uri: 'notes:///note-4711', text: 'a' }] }),
    ),
    tool('count', {}, text('1')),
  ])
  expect(tests).toBe(`test('create, then read, then notes:///note-4711', async ({ mcp }) => {
  const create = await mcp.callTool('create', { title: 'a' })
  expect(create).toSucceed()
  expect(create).toMatchOutputSchema()
  expect(create.structuredContent).toEqual({ note: { id: expect.any(String) } })

  const { note: { id } } = create.structuredContent as { note: { id: string } }
  const read = await mcp.callTool('read', { id })
  expect(read).toSucceed()
  expect(read.text).toBe(\`\${id}: a\`)

  const contents = await mcp.readResource(\`notes:///\${id}\`)
  expect(contents).toMatchObject([{ uri: \`notes:///\${id}\`, text: 'a' }])
})

test('count returns "1"', async ({ mcp }) => {
  const result = await mcp.callTool('count')
  expect(result).toSucceed()
  expect(result.text).toBe('1')
})
`)
})

it('finds a returned value behind the words of a text', () => {
  const tests = testsOf([
    tool('create', {}, text('Created note n-4711.')),
    tool('read', { id: 'n-4711' }, text('ok')),
  ])
  expect(tests).toContain('  expect(create.text).toMatch(/^Created note [\\w-]+\\.$/)\n')
  expect(tests).toContain("  const id = /Created note ([\\w-]+)/.exec(create.text)?.[1] ?? ''\n")
  expect(tests).toContain("mcp.callTool('read', { id })")
})

it('answers the questions of the server as they were answered', () => {
  const call = tool('forecast', { city: 'Oslo' }, { type: 'none' })
  const question = request(
    'elicitation/create',
    { message: 'Which unit?', requestedSchema: { type: 'object' } },
    result({ action: 'accept', content: { unit: 'C' } }),
    'received',
  )
  const answered = { ...call, ...{ outcome: text('7 °C'), answerFrame: frame + 5, durationMs: 9 } }
  expect(testsOf([answered, question])).toBe(`test('forecast returns "7 °C"', async ({ mcp, answers }) => {
  answers.elicitation('Which unit?').accept({ unit: 'C' })
  const result = await mcp.callTool('forecast', { city: 'Oslo' })
  expect(result).toSucceed()
  expect(result.text).toBe('7 °C')
})
`)
})

it('writes one test for calls that are the same, and names what it leaves out', () => {
  const once = tool('count', {}, text('1'))
  const made = recordedTest(
    [once, { ...once, frame: 900 }, request('ping', {}, result({})), tool('slow', {}, { type: 'none' })],
    {
      source: 'calls.ndjson',
      inOneTest: false,
    },
  )
  expect(made.tests).toBe(1)
  expect(made.left).toEqual([
    'ping: tests have no expectation for ping',
    'tools/call slow: it was not answered',
  ])
  expect(() => recordedTest([], { source: 'calls.ndjson', inOneTest: false })).toThrow(
    'calls.ndjson has no answered call that a test could send',
  )
})

it('breaks long values into lines, and escapes what would end a string or a pattern', () => {
  const rows = Array.from({ length: 4 }, (_, n) => ({
    name: `city number ${n}`,
    temperature: n,
    wind: 'west',
  }))
  const tests = testsOf([
    tool('table', {}, text('', { structuredContent: { rows } })),
    tool('odd', { "it's": '${x}`\u2028' }, text('a/b (c) at 10:00, 2026-11-27 10:00\nnext')),
  ])
  expect(tests).toContain(`  expect(result.structuredContent).toEqual({
    rows: [
      { name: 'city number 0', temperature: 0, wind: 'west' },
`)
  expect(tests).toContain(`mcp.callTool('odd', { 'it\\'s': '\${x}\`\\u2028' })`)
  expect(tests).toContain('toMatch(/^a\\/b \\(c\\) at 10:00, [\\d:.TZ +-]+\\nnext$/)')
})
