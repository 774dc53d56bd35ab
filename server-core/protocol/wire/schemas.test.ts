import { describe, expect, it } from 'vitest'
import { REVISIONS, SUPPORTED, type Revision } from '../revisions.ts'
import { DEFINITIONS, NOTIFICATIONS, REQUESTS, resultNames, shapeOf } from './definitions.ts'
import { notificationSchema, requestSchema, resultSchema, wireSchema } from './schemas.ts'

const accepts = (revision: Revision, name: string, value: unknown) =>
  wireSchema(revision, name)?.safeParse(value).success

const spoken = (name: string, value: unknown) =>
  SUPPORTED.filter((revision) => accepts(revision, name, value) === true)

describe('wire definitions', () => {
  it.each(REVISIONS)('cover every method of $revision, and no other', (row) => {
    for (const [method, { request }] of Object.entries(REQUESTS)) {
      const isThere = Object.hasOwn(row.requests, method)
      expect([method, shapeOf(request, row.revision) !== undefined]).toEqual([method, isThere])
      if (isThere) expect([method, resultNames(method, row.revision)]).not.toEqual([method, []])
    }
    for (const [method, name] of Object.entries(NOTIFICATIONS)) {
      const isThere = Object.hasOwn(row.notifications, method)
      expect([method, shapeOf(name, row.revision) !== undefined]).toEqual([method, isThere])
    }
    for (const method of Object.keys(row.requests)) expect(REQUESTS).toHaveProperty([method])
    for (const method of Object.keys(row.notifications)) expect(NOTIFICATIONS).toHaveProperty([method])
  })

  it.each(SUPPORTED)('can all be built for %s, and agree with the blocks of its row', (revision) => {
    for (const name of Object.keys(DEFINITIONS)) {
      expect([name, wireSchema(revision, name) !== undefined]).toEqual([
        name,
        shapeOf(name, revision) !== undefined,
      ])
    }
    const row = REVISIONS.find((one) => one.revision === revision)
    const blocks = [
      { type: 'text', text: '' },
      { type: 'image', data: '', mimeType: '' },
      { type: 'audio', data: '', mimeType: '' },
      { type: 'resource', resource: { uri: '', text: '' } },
      { type: 'resource_link', uri: '', name: '' },
      { type: 'tool_use', id: '', name: '', input: {} },
      { type: 'tool_result', toolUseId: '', content: [] },
    ]
    const typesIn = (name: string) =>
      blocks.filter((block) => accepts(revision, name, block)).map(({ type }) => type)
    expect(typesIn('AnyContentBlock')).toEqual(row?.contentBlocks)
    expect(typesIn('AnySamplingBlock')).toEqual(row?.samplingBlocks)
  })
})

describe('wire schemas', () => {
  it('give methods and names that are not there no schema', () => {
    for (const name of ['toString', '__proto__', 'nothing']) {
      expect(wireSchema('2025-11-25', name)).toBeUndefined()
      expect(requestSchema('2025-11-25', name)).toBeUndefined()
      expect(notificationSchema('2025-11-25', name)).toBeUndefined()
      expect(resultSchema('2025-11-25', name)).toBeUndefined()
    }
  })

  it('let unknown fields pass and hold known ones to their type', () => {
    const tool = { name: 'a', inputSchema: { type: 'object' } }
    expect(spoken('Tool', { ...tool, more: 1, icons: [{ src: 'https://a.example/i.png' }] })).toEqual(
      SUPPORTED,
    )
    expect(spoken('Tool', { ...tool, icons: 1 })).toEqual(['2024-11-05', '2025-03-26', '2025-06-18'])
    expect(spoken('Tool', { ...tool, execution: 1 })).not.toContain('2025-11-25')
    expect(spoken('Tool', { name: 'a' })).toEqual([])
  })

  it('need the envelope in the modern era only', () => {
    const call = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name: 'a' } }
    expect(spoken('CallToolRequest', call)).not.toContain('2026-07-28')
    const _meta = {
      'io.modelcontextprotocol/protocolVersion': '2026-07-28',
      'io.modelcontextprotocol/clientCapabilities': {},
    }
    const enveloped = { ...call, params: { ...call.params, _meta } }
    expect(requestSchema('2026-07-28', 'tools/call')?.safeParse(enveloped).success).toBe(true)
  })

  it('know each form of a result', () => {
    const call = resultSchema('2026-07-28', 'tools/call')
    expect(call?.safeParse({ resultType: 'complete', content: [], structuredContent: [1] }).success).toBe(
      true,
    )
    expect(call?.safeParse({ content: [] }).success).toBe(false)
    expect(spoken('CallToolResult', { content: [], structuredContent: [1] })).toEqual([
      '2024-11-05',
      '2025-03-26',
    ])
    expect(resultNames('tools/call', '2025-11-25')).toEqual(['CallToolResult', 'CreateTaskResult'])
    expect(resultNames('tools/call', '2026-07-28')).toEqual(['CallToolResult', 'InputRequiredResult'])
  })

  it('take lists of blocks in sampling since tools are part of it', () => {
    const message = { role: 'user', content: [{ type: 'text', text: '' }] }
    expect(spoken('SamplingMessage', message)).toEqual(['2025-11-25', '2026-07-28'])
  })

  it('bound completions where the revision does', () => {
    const completion = { values: Array.from({ length: 101 }, () => 'a') }
    expect(spoken('CompleteResult', { resultType: 'complete', completion })).not.toContain('2026-07-28')
    expect(spoken('CompleteResult', { resultType: 'complete', completion })).toContain('2025-11-25')
  })
})
