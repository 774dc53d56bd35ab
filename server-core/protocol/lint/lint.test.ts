import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { SUPPORTED } from '../revisions.ts'
import { REQUESTS } from '../wire/definitions.ts'
import { ENVELOPE, EXAMPLES, USUAL, type Example } from './examples.test-support.ts'
import { lintMessage } from './lint-message.ts'
import { lintText } from './lint-text.ts'
import type { Finding, LintOptions } from './report.ts'
import { RULES } from './rules.ts'

function lint(example: Example): readonly Finding[] {
  const options = { ...USUAL, ...example }
  return 'text' in example ? lintText(example.text, options) : lintMessage(example.message, options)
}

const cases = Object.entries(EXAMPLES)

describe('rules', () => {
  it.each(cases)('%s finds nothing in a message that keeps it', (_rule, { good }) => {
    expect(lint(good)).toEqual([])
  })

  it.each(cases)('%s reports where a message breaks it, in a sentence', (rule, { bad }) => {
    const found = lint(bad).filter((finding) => finding.rule === rule)
    expect(found.map(({ path }) => path)).toContain(bad.path)
    for (const { message } of found) expect(message).toMatch(/^[A-Z"0-9].*\.$/s)
  })

  it.each(Object.entries(RULES))('%s names its section and says what it asks for', (_id, rule) => {
    expect(rule.sentence).toMatch(/^\S.*\.$/)
    expect(rule.section).not.toBe('')
  })
})

describe('linting', () => {
  const rulesIn = (message: unknown, options: Partial<LintOptions> = {}) =>
    lintMessage(message, { ...USUAL, ...options }).map(({ rule, path }) => `${rule} ${path}`)

  it('says of a method of another era which revisions have it', () => {
    const message = { jsonrpc: '2.0', id: 1, method: 'ping', params: { _meta: ENVELOPE } }
    expect(lintMessage(message, { direction: 'client-to-server', revision: '2026-07-28' })).toEqual([
      {
        rule: 'unknown-method',
        path: '/method',
        severity: 'error',
        message:
          '2026-07-28 has no request "ping"; only 2024-11-05, 2025-03-26, 2025-06-18, 2025-11-25 have it.',
      },
    ])
  })

  it('says of a block of another revision that it is, and nothing more', () => {
    const result = { content: [{ type: 'audio', data: '', mimeType: 'audio/wav' }] }
    const message = { jsonrpc: '2.0', id: 1, result }
    const options = { direction: 'server-to-client', answers: 'tools/call' } as const
    expect(rulesIn(message, { ...options, revision: '2024-11-05' })).toEqual([
      'other-revision /result/content/0/type',
    ])
    expect(rulesIn(message, { ...options, revision: '2025-03-26' })).toEqual([])
  })

  it('reports what a legacy peer cannot read in a modern result', () => {
    const result = { resultType: 'complete', ttlMs: 0, cacheScope: 'private', tools: [] }
    expect(
      rulesIn({ jsonrpc: '2.0', id: 1, result }, { direction: 'server-to-client', answers: 'tools/list' }),
    ).toEqual([
      'other-revision /result/resultType',
      'other-revision /result/ttlMs',
      'other-revision /result/cacheScope',
    ])
  })

  it('looks into the questions of a round', () => {
    const inputRequests = {
      a: {
        method: 'elicitation/create',
        params: {
          message: 'Key?',
          requestedSchema: { type: 'object', properties: { password: { type: 'string' } } },
        },
      },
    }
    const message = { jsonrpc: '2.0', id: 1, result: { resultType: 'input_required', inputRequests } }
    expect(
      rulesIn(message, { direction: 'server-to-client', revision: '2026-07-28', answers: 'tools/call' }),
    ).toEqual([
      'server-info /result',
      'form-secret /result/inputRequests/a/params/requestedSchema/properties/password',
    ])
  })

  it('knows what each question asks of a client', () => {
    const undeclared = (method: string, params: object, clientCapabilities: object) =>
      lintMessage(
        { jsonrpc: '2.0', id: 1, method, params },
        {
          direction: 'server-to-client',
          revision: '2025-11-25',
          clientCapabilities: { ...clientCapabilities },
        },
      ).map(({ message }) => message)
    expect(undeclared('roots/list', {}, {})).toEqual(['The client has not declared roots.'])
    expect(undeclared('roots/list', {}, { roots: {} })).toEqual([])
    const question = { messages: [], maxTokens: 1, tools: [] }
    expect(undeclared('sampling/createMessage', question, {})).toEqual([
      'The client has not declared sampling.',
      'The client has not declared sampling.tools.',
    ])
    expect(undeclared('sampling/createMessage', question, { sampling: { tools: {} } })).toEqual([])
    const form = { message: '?', requestedSchema: { type: 'object', properties: {} } }
    expect(undeclared('elicitation/create', form, { elicitation: { url: {} } })).toEqual([
      'The client has not declared elicitation.form.',
    ])
  })

  it('takes a handshake that claims to be of a newer revision, on connections of either era', () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: {},
      clientInfo: { name: 'a', version: '1' },
    }
    const claim = { 'io.modelcontextprotocol/protocolVersion': '2026-07-28' }
    const message = { jsonrpc: '2.0', id: 2, method: 'initialize' }
    const claiming = { ...message, params: { ...params, _meta: claim } }
    for (const revision of ['2025-11-25', '2026-07-28'] as const) {
      expect(rulesIn(claiming, { revision })).toEqual([])
    }
    expect(rulesIn({ ...message, params }, { revision: '2026-07-28' })).toContain('unknown-method /method')
  })

  it('reads a handshake by the revision that it offers', () => {
    const params = {
      protocolVersion: '2025-11-25',
      capabilities: { elicitation: {}, extensions: { 'com.example/a': {} } },
      clientInfo: { name: 'c', version: '1' },
    }
    const message = { jsonrpc: '2.0', id: 1, method: 'initialize', params }
    expect(rulesIn(message, { revision: '2024-11-05' })).toEqual([])
    const older = { ...message, params: { ...params, protocolVersion: '2025-03-26' } }
    expect(rulesIn(older, { revision: '2024-11-05' })).toEqual([
      'other-revision /params/capabilities/elicitation',
    ])
  })

  it('holds each message of a batch against the rules, at its place', () => {
    const batch = [
      { jsonrpc: '2.0', id: 1, method: 'ping' },
      { jsonrpc: '2.0', id: null, method: 'ping' },
    ]
    expect(rulesIn(batch, { revision: '2025-03-26' })).toEqual(['request-id /1/id'])
  })

  it('gives the member of a union that was most likely meant', () => {
    const field = { type: 'string', enum: ['a', 1] }
    const params = { message: '?', requestedSchema: { type: 'object', properties: { field } } }
    const message = { jsonrpc: '2.0', id: 1, method: 'elicitation/create', params }
    expect(rulesIn(message, { direction: 'server-to-client', revision: '2025-06-18' })).toEqual([])
    const contents = [{ uri: 'file:///a', text: 5 }]
    expect(
      rulesIn(
        { jsonrpc: '2.0', id: 1, result: { contents } },
        { direction: 'server-to-client', answers: 'resources/read' },
      ),
    ).toEqual(['shape /result/contents/0/text'])
  })

  it('reads bytes, and says what bytes are not text', () => {
    const [finding] = lintText(Uint8Array.of(0x22, 0xff, 0x22), USUAL)
    expect(finding).toMatchObject({
      rule: 'json-text',
      message: 'Parse error: the message is not valid UTF-8.',
    })
  })

  it('refuses a revision that nobody knows', () => {
    const given: unknown = JSON.parse('{"direction":"client-to-server","revision":"1999-01-01"}')
    expect(() => lintMessage({}, given as LintOptions)).toThrow(RangeError)
  })
})

const options = fc.record({
  direction: fc.constantFrom('client-to-server' as const, 'server-to-client' as const),
  revision: fc.constantFrom(...SUPPORTED),
  answers: fc.constantFrom(...Object.keys(REQUESTS)),
})

describe('linting whatever comes', () => {
  it('gives findings for any JSON value, and no exception', () => {
    const method = fc.constantFrom(...Object.keys(REQUESTS), 'notifications/progress', 'toString')
    const member = fc.oneof(fc.jsonValue(), fc.constantFrom('2.0', 1, null))
    const call = fc.record(
      {
        jsonrpc: member,
        id: member,
        method: fc.oneof(method, member),
        params: member,
        result: member,
        error: member,
      },
      { requiredKeys: [] },
    )
    fc.assert(
      fc.property(fc.oneof(call, fc.jsonValue(), fc.array(call)), options, (message, given) => {
        for (const finding of lintMessage(message, given)) {
          expect(finding.path).toMatch(/^(?:\/|$)/)
          expect(RULES).toHaveProperty([finding.rule])
        }
      }),
      { numRuns: 500 },
    )
  })

  it('gives findings for any text, and the same for its bytes', () => {
    const source = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.json(),
      fc.jsonValue().map((params) => JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping', params })),
    )
    fc.assert(
      fc.property(source, options, (text, given) => {
        expect(lintText(new TextEncoder().encode(text), given)).toEqual(lintText(text, given))
      }),
      { numRuns: 500 },
    )
  })

  it('finds every key that is given twice, wherever it is', () => {
    const keys = fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 4 })
    fc.assert(
      fc.property(keys, fc.nat(), (names, pick) => {
        const twice = names[pick % names.length] ?? ''
        const members = [...names, twice].map((name) => `${JSON.stringify(name)}:{"in":["}",1]}`)
        const found = lintText(`{"params":[0,{${members.join(',')}}]}`, USUAL)
        const pointer = twice.replaceAll('~', '~0').replaceAll('/', '~1')
        expect(found.filter(({ rule }) => rule === 'duplicate-key').map(({ path }) => path)).toEqual([
          `/params/1/${pointer}`,
        ])
      }),
    )
  })

  it('goes through a long list', () => {
    const item = {
      name: 'a'.repeat(50),
      inputSchema: { type: 'object', properties: { a: { type: 'string' } } },
    }
    const result = { tools: Array.from({ length: 5_000 }, (_, index) => ({ ...item, name: `t${index}` })) }
    const found = lintText(JSON.stringify({ jsonrpc: '2.0', id: 1, result }), {
      direction: 'server-to-client',
      revision: '2025-11-25',
      answers: 'tools/list',
    })
    expect(found).toEqual([])
  })
})
