import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import type { ClientExam } from '../../exam/client-exam.ts'
import type { StepOutcome } from '../../exam/client-driver.ts'
import { shortJson } from '../../probe/outcome.ts'

const PIXEL =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const SILENCE = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAAAAA=='

const BLOCKS: readonly JsonObject[] = [
  { type: 'text', text: 'known' },
  { type: 'image', data: PIXEL, mimeType: 'image/png' },
  { type: 'audio', data: SILENCE, mimeType: 'audio/wav' },
  { type: 'resource', resource: { uri: 'exam://inside', mimeType: 'text/plain', text: 'inside' } },
  { type: 'resource_link', uri: 'exam://not-listed', name: 'not listed' },
  { type: 'patchbay_unknown', payload: [1, 2, 3] },
]

/** What the user of a step sees, in a few words. */
function describeStep(outcome: StepOutcome): string {
  return outcome.type === 'done' ? 'done' : `failed: ${outcome.message}`
}

/** The newest frame of the client, to show where it stopped. */
function newest(exam: ClientExam) {
  return exam.received.at(-1)?.frame
}

export const resultKinds = clientCheck(
  'tools.client.result-kinds',
  async (exam) => {
    const client = await exam.client()
    const calls = [BLOCKS, []]
    exam.alter('tools/call', (result, { count }) => ({
      ...result,
      content: calls[count % calls.length] ?? [],
    }))
    exam.alter('resources/read', (result, { params }) => ({
      ...result,
      contents: [
        { uri: params['uri'], mimeType: 'text/plain', text: 'one' },
        { uri: `${String(params['uri'])}/two`, mimeType: 'application/octet-stream', blob: 'AAEC' },
      ],
    }))
    exam.alter('prompts/get', (result) => ({
      ...result,
      messages: [
        { role: 'user', content: { type: 'text', text: 'known' } },
        { role: 'user', content: { type: 'resource_link', uri: 'exam://not-listed', name: 'not listed' } },
      ],
    }))
    if (client.step === undefined) {
      judge(exam, await exam.run(), 'results of every kind')
      return
    }
    await exam.connect()
    judge(exam, await exam.step({ type: 'call', tool: 'echo' }), 'a result with blocks of every kind')
    judge(exam, await exam.step({ type: 'call', tool: 'echo' }), 'an empty result')
    judge(exam, await exam.step({ type: 'read', uri: 'exam://text' }), 'two contents of one read')
    judge(exam, await exam.step({ type: 'get', prompt: 'greeting' }), 'a prompt with a resource link')
  },
  { title: 'The client takes every kind of content' },
)

function judge(exam: ClientExam, outcome: StepOutcome, what: string): void {
  exam.expect(outcome.type === 'done', {
    severity: 'info',
    expected: `${what} taken`,
    actual: describeStep(outcome),
    frame: newest(exam),
  })
}

export const validatesStructured = clientCheck(
  'tools.client.validates-structured',
  async (exam) => {
    const schema = { type: 'object', properties: { sum: { type: 'number' } }, required: ['sum'] }
    const hasSchemas = exam.cell.revision >= '2025-06-18'
    exam.content.tools = exam.content.tools.map((tool) => ({
      ...tool,
      ...(hasSchemas && { outputSchema: schema }),
    }))
    const text = [{ type: 'text', text: 'three' }]
    const broken: readonly { what: string; members: JsonObject; isReported: boolean }[] = hasSchemas
      ? [
          {
            what: 'structured content that breaks the output schema',
            members: { content: text, structuredContent: { sum: 'three' } },
            isReported: true,
          },
          { what: 'a result without its structured content', members: { content: text }, isReported: true },
          {
            what: 'an error whose structured content breaks the schema',
            members: { content: text, structuredContent: { sum: 'three' }, isError: true },
            isReported: false,
          },
        ]
      : [{ what: 'a result whose content is not an array', members: { content: 'three' }, isReported: true }]
    exam.alter('tools/call', ({ content: _, ...result }, { count }) => ({
      ...result,
      ...broken[count]?.members,
    }))
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    for (const { what, isReported, members } of broken) {
      const outcome = await exam.step({ type: 'call', tool: 'echo' })
      const call = exam.messagesOf('tools/call').at(-1)
      exam.expect((outcome.type === 'failed') === isReported, {
        severity: 'warning',
        expected: `${what} ${isReported ? 'reported' : 'not reported as a fault'}`,
        actual: `${describeStep(outcome)} with ${shortJson(members)}`,
        statement: hasSchemas ? 'tools.output-schema-client-validates' : 'tools.client-validates-results',
        frame: call?.frame,
      })
    }
    const after = await exam.step({ type: 'list', list: 'tools' })
    exam.expect(after.type === 'done', {
      severity: 'warning',
      expected: 'the connection kept',
      actual: describeStep(after),
      statement: 'tools.client-validates-results',
      frame: newest(exam),
    })
  },
  { title: 'The client checks structured results' },
)

const WHOLE_SCHEMA: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  $id: 'https://example.com/exam',
  $comment: 'every keyword',
  type: 'object',
  $defs: { text: { $anchor: 'text', type: 'string', minLength: 1, maxLength: 9, pattern: '^x' } },
  properties: {
    text: { $ref: '#/$defs/text', default: 'x', examples: ['x'], deprecated: true, readOnly: false },
    list: {
      type: 'array',
      prefixItems: [{ const: 1 }],
      items: { enum: [1, 2] },
      contains: { const: 1 },
      minContains: 1,
      maxContains: 2,
      minItems: 1,
      maxItems: 3,
      uniqueItems: true,
    },
    number: { type: 'number', minimum: 0, exclusiveMaximum: 10, multipleOf: 0.5 },
  },
  patternProperties: { '^y': { type: ['string', 'null'] } },
  propertyNames: { maxLength: 20 },
  dependentRequired: { list: ['number'] },
  dependentSchemas: { number: { required: ['text'] } },
  unevaluatedProperties: false,
  allOf: [{ if: { required: ['list'] }, then: { minProperties: 1 }, else: { maxProperties: 5 } }],
  anyOf: [{ required: ['text'] }, { required: ['list'] }],
  oneOf: [{ not: { required: ['z'] } }],
  contentMediaType: 'application/json',
}

export const schemaWhole = clientCheck(
  'tools.client.schema-whole',
  async (exam) => {
    exam.content.tools = exam.content.tools.map((tool) => ({ ...tool, inputSchema: WHOLE_SCHEMA }))
    await exam.connect()
    const outcome = await exam.step({ type: 'list', list: 'tools' })
    const tools: unknown[] = outcome.type === 'done' && Array.isArray(outcome.value) ? outcome.value : []
    const tool = tools.find((each) => isJsonObject(each) && each['name'] === 'echo')
    const seen = isJsonObject(tool) ? tool['inputSchema'] : undefined
    if (outcome.type === 'done' && seen === undefined)
      exam.notApplicable('the driver does not give the schema that the client saw')
    const missing = isJsonObject(seen) ? Object.keys(WHOLE_SCHEMA).filter((name) => !(name in seen)) : []
    exam.expect(isDeepStrictEqual(seen, WHOLE_SCHEMA), {
      expected: 'the input schema as the server gave it',
      actual:
        seen === undefined ? describeStep(outcome) : `a schema without ${missing.join(', ') || 'its values'}`,
      member: '/result/tools/0/inputSchema',
      frame: exam.messagesOf('tools/list').at(-1)?.frame,
    })
  },
  { title: 'The client keeps schemas whole' },
)
