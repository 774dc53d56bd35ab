import { Ajv2020 } from 'ajv/dist/2020.js'
import formats from 'ajv-formats'
import fc from 'fast-check'
import { afterEach, describe, expect, it } from 'vitest'
import { ExactNumber } from '../../protocol/exact-json.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { answerFaults } from './answer-check.ts'
import { closeAll, connectedTo } from '../scripted-server.test-support.ts'

afterEach(closeAll)

const told = (
  method: string,
  params: JsonObject,
  answer: unknown,
  revision: Revision = '2025-11-25',
): string[] =>
  answerFaults({ method, params, revision }, answer).map(({ path, message }) => `${path}: ${message}`)

const PROPERTIES = {
  text: { type: 'string', minLength: 2, maxLength: 3 },
  email: { type: 'string', format: 'email' },
  uri: { type: 'string', format: 'uri' },
  date: { type: 'string', format: 'date' },
  time: { type: 'string', format: 'date-time' },
  count: { type: 'integer', minimum: 1, maximum: 9 },
  share: { type: 'number', minimum: 0, maximum: 1 },
  sure: { type: 'boolean' },
  plain: { type: 'string', enum: ['a', 'b'] },
  named: { type: 'string', enum: ['a', 'b'], enumNames: ['A', 'B'] },
  titled: {
    type: 'string',
    oneOf: [
      { const: 'a', title: 'A' },
      { const: 'b', title: 'B' },
    ],
  },
  many: { type: 'array', items: { type: 'string', enum: ['a', 'b', 'c'] }, minItems: 1, maxItems: 2 },
  manyTitled: {
    type: 'array',
    items: {
      anyOf: [
        { const: 'a', title: 'A' },
        { const: 'b', title: 'B' },
      ],
    },
  },
}
const form = (required: string[] = []) => ({
  message: 'm',
  requestedSchema: { type: 'object', properties: PROPERTIES, required },
})
const accepted = (content: JsonObject, required?: string[]) =>
  told('elicitation/create', form(required), { action: 'accept', content })

describe('the answer to a form', () => {
  it.each([
    [{ text: '😀😀' }, undefined],
    [{ text: '😀' }, 'content.text: expected at least 2 characters, got 1'],
    [{ text: 'abcd' }, 'content.text: expected at most 3 characters, got 4'],
    [{ email: 'ada@example.org' }, undefined],
    [{ email: 'ada@' }, 'content.email: expected an e-mail address, got "ada@"'],
    [{ uri: 'https://a.example/x' }, undefined],
    [{ uri: '/x' }, 'content.uri: expected an absolute URI, got "/x"'],
    [{ date: '2024-02-29' }, undefined],
    [{ date: '2023-02-29' }, 'content.date: expected a date as 2026-07-28, got "2023-02-29"'],
    [{ time: '2026-07-28T12:00:00Z' }, undefined],
    [{ time: '2026-07-28' }, expect.stringMatching(/^content\.time: expected a date and time/)],
    [{ count: 3 }, undefined],
    [{ count: 3.5 }, 'content.count: expected an integer, got 3.5'],
    [{ count: 10 }, 'content.count: expected at most 9, got 10'],
    [{ share: 0.5 }, undefined],
    [{ share: -1 }, 'content.share: expected at least 0, got -1'],
    [{ sure: 'yes' }, 'content.sure: expected true or false, got a value of type string'],
    [{ plain: 'c' }, 'content.plain: expected one of "a", "b", got "c"'],
    [{ named: 'A' }, 'content.named: expected one of "a", "b", got "A"'],
    [{ titled: 'A' }, 'content.titled: expected one of "a", "b", got "A"'],
    [{ titled: 'a' }, undefined],
    [{ many: ['a', 'c'] }, undefined],
    [{ many: [] }, 'content.many: expected at least 1 choices, got 0'],
    [{ many: ['a', 'b', 'c'] }, 'content.many: expected at most 2 choices, got 3'],
    [{ many: ['d'] }, 'content.many: expected one of "a", "b", "c", got "d"'],
    [{ manyTitled: ['b'] }, undefined],
    [{ manyTitled: ['B'] }, 'content.manyTitled: expected one of "a", "b", got "B"'],
  ])('%j', (content, fault) => {
    expect(accepted(content)).toEqual(fault === undefined ? [] : [fault])
  })

  it('needs what is required, and nothing where it is declined', () => {
    expect(accepted({}, ['sure', 'text'])).toEqual([
      'content.sure: it is required, and missing',
      'content.text: it is required, and missing',
    ])
    expect(told('elicitation/create', form(['sure']), { action: 'decline' })).toEqual([])
    expect(told('elicitation/create', form(), { action: 'cancel', content: {} })).toHaveLength(1)
    expect(told('elicitation/create', form(), { action: 'agree' })).toEqual([
      'action: expected "accept" or "decline" or "cancel", got "agree"',
    ])
    expect(told('elicitation/create', form(), { action: 'accept', content: { other: { a: 1 } } })).toEqual([
      expect.stringMatching(/^content\.other: /),
    ])
    expect(told('elicitation/create', form(), 'accept')).toEqual([
      ': expected an object, got a value of type string',
    ])
  })

  it('is judged as a validator of JSON Schema judges it', () => {
    const ajv = new Ajv2020({ strict: false })
    formats.default(ajv, ['email', 'uri', 'date', 'date-time'])
    const validate = ajv.compile(form(['sure']).requestedSchema)
    const value = fc.oneof(
      fc.constantFrom(
        'a',
        'b',
        'c',
        'A',
        '😀',
        '2024-02-30',
        'x@y.zz',
        'urn:a:b',
        '2026-01-01T00:00:00.5+01:00',
      ),
      fc.string({ maxLength: 5 }),
      fc.double(),
      fc.integer({ min: -1, max: 11 }),
      fc.boolean(),
      fc.array(fc.constantFrom('a', 'b', 'c', 'd'), { maxLength: 3 }),
    )
    const content = fc.dictionary(fc.constantFrom(...Object.keys(PROPERTIES)), value)
    fc.assert(
      fc.property(content, (given) => {
        const sent = JSON.parse(JSON.stringify(given)) as JsonObject
        expect(accepted(sent, ['sure']).length === 0).toBe(validate(sent))
      }),
      { numRuns: 2_000 },
    )
  })
})

describe('the answer of a model', () => {
  const tools = [{ name: 'add', inputSchema: { type: 'object' } }]
  const use = { type: 'tool_use', id: '1', name: 'add', input: {} }
  const sampled = (content: unknown, more: JsonObject = {}) => ({
    role: 'assistant',
    model: 'm',
    content,
    ...more,
  })
  const asked = { messages: [], maxTokens: 9, tools }

  it.each([
    ['one block', asked, sampled({ type: 'text', text: 'x' }), []],
    ['a use of a tool', asked, sampled([use]), []],
    [
      'no model',
      asked,
      { role: 'assistant', content: { type: 'text', text: '' } },
      ['model: expected a string, got nothing'],
    ],
    [
      'a tool that is not there',
      asked,
      sampled([{ ...use, name: 'sub' }]),
      ['content[0].name: the request offers no tool "sub"; it offers "add"'],
    ],
    [
      'a tool although none is offered',
      { messages: [], maxTokens: 9 },
      sampled([use]),
      ['content[0].name: the request offers no tool "add"'],
    ],
    ['the same id twice', asked, sampled([use, use]), ['content[1].id: the id "1" is used twice']],
    [
      'a result of a tool',
      asked,
      sampled([{ type: 'tool_result', toolUseId: '1', content: [] }]),
      ['content[0]: a tool_result belongs in messages of the user, never in an answer'],
    ],
    [
      'no tool although one must be used',
      { ...asked, toolChoice: { mode: 'required' } },
      sampled({ type: 'text', text: '' }),
      ['content: the request says that a tool must be used (toolChoice "required")'],
    ],
    [
      'a tool although none may be used',
      { ...asked, toolChoice: { mode: 'none' } },
      sampled([use]),
      ['content[0]: the request says that no tool may be used (toolChoice "none")'],
    ],
  ])('%s', (_what, params, answer, faults) => {
    expect(told('sampling/createMessage', params, answer)).toEqual(faults)
  })

  it('is one block before 2025-11-25', () => {
    const answer = sampled([{ type: 'text', text: 'x' }])
    expect(told('sampling/createMessage', asked, answer, '2025-06-18')).toHaveLength(1)
    expect(told('sampling/createMessage', asked, answer, '2025-11-25')).toEqual([])
  })
})

it('roots are files', () => {
  expect(told('roots/list', {}, { roots: [{ uri: 'file:///a' }, { uri: 'https://a.example/' }] })).toEqual([
    'roots[1].uri: expected a file:// URI, got "https://a.example/"',
  ])
})

describe('an answer that does not fit', () => {
  const responders = {
    elicitation: { form: () => Promise.resolve({ action: 'accept', content: { sure: 'perhaps' } }) },
  }
  const refused = 'the answer to elicitation/create was not sent: content.sure: expected true or false'

  it('is never sent in a session: the server gets an error, the client a report with the place and reason', async () => {
    const answers: unknown[] = []
    const answered = Promise.withResolvers<void>()
    const { connection } = await connectedTo(
      'legacy',
      (heard, side) => {
        if (heard.method === 'ping') {
          side.send({ jsonrpc: '2.0', id: 'q', method: 'elicitation/create', params: form() })
          side.result(heard, {})
        } else {
          answers.push(heard.message)
          answered.resolve()
        }
      },
      { responders },
    )
    const told = new Promise((resolve) => connection.on('answerRefused', resolve))
    await connection.request('ping')
    expect(await told).toMatchObject({ faults: [{ path: 'content.sure' }] })
    await answered.promise
    expect(answers).toEqual([
      { jsonrpc: '2.0', id: 'q', error: { code: -32603, message: 'the client could not answer' } },
    ])
  })

  it('is never sent in a round: the request fails and says where and why', async () => {
    const { connection, methods } = await connectedTo(
      'modern',
      (heard, side) =>
        side.result(heard, {
          resultType: 'input_required',
          inputRequests: { q: { method: 'elicitation/create', params: form() } },
        }),
      { responders },
    )
    await expect(connection.request('tools/call', { name: 'x' })).rejects.toMatchObject({
      code: 'input-required',
      message: expect.stringContaining(refused) as string,
    })
    expect(methods()).toEqual(['tools/call'])
  })

  it('is not even looked for where the messages to a model do not belong together', async () => {
    const answers: unknown[] = []
    const answered = Promise.withResolvers<void>()
    const orphan = { role: 'user', content: [{ type: 'tool_result', toolUseId: 'x', content: [] }] }
    const { connection } = await connectedTo(
      'legacy',
      (heard, side) => {
        if (heard.method === 'ping') {
          const params = { messages: [orphan], maxTokens: 1 }
          side.send({ jsonrpc: '2.0', id: 'q', method: 'sampling/createMessage', params })
          side.result(heard, {})
        } else {
          answers.push(heard.message)
          answered.resolve()
        }
      },
      { responders: { sampling: { answer: () => Promise.reject(new Error('asked')), tools: true } } },
    )
    await connection.request('ping')
    await answered.promise
    expect(answers).toMatchObject([{ id: 'q', error: { code: -32602 } }])
  })
})

it('a number that no double can hold is an answer like any other', () => {
  const params = { requestedSchema: { type: 'object', properties: { id: { type: 'integer', minimum: 5 } } } }
  const accepted = (id: string) => ({ action: 'accept', content: { id: new ExactNumber(id) } })
  expect(told('elicitation/create', params, accepted('12345678901234567890'))).toEqual([])
  expect(told('elicitation/create', params, accepted('-12345678901234567890'))).toEqual([
    'content.id: expected at least 5, got -12345678901234567000',
  ])
})
