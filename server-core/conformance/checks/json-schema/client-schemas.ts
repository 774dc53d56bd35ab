import { isDeepStrictEqual } from 'node:util'
import { isJsonObject, type JsonObject } from '../../../protocol/json.ts'
import { clientCheck } from '../../check.ts'
import { describeEnding, type ClientExam } from '../../exam/client-exam.ts'
import { shortJson } from '../../probe/outcome.ts'

const OBJECT = { type: 'object' }

/** What every result of a tool carries. */
function answerWith(exam: ClientExam, structuredContent: JsonObject): void {
  exam.alter('tools/call', (result) => ({ ...result, structuredContent }))
}

/** The tools that the client shows its user; undefined where a driver does not tell. */
function toolsOf(value: unknown): readonly JsonObject[] | undefined {
  return Array.isArray(value) ? (value as unknown[]).filter(isJsonObject) : undefined
}

export const draft2020Client = clientCheck(
  'json-schema.draft-2020.client',
  async (exam) => {
    const pair = { type: 'array', prefixItems: [{ type: 'string' }, { type: 'number' }] }
    const outputSchema = {
      type: 'object',
      $defs: { pair: { $anchor: 'pair', ...pair } },
      properties: { value: { $ref: '#/$defs/pair' } },
      required: ['value'],
    }
    const tool = {
      name: 'tuples',
      inputSchema: { type: 'object', $defs: { pair }, properties: { value: { $ref: '#/$defs/pair' } } },
      outputSchema,
    }
    exam.content.tools.push(tool)
    answerWith(exam, { value: [1, 'two'] })
    await exam.connect()
    const listed = await exam.step({ type: 'list', list: 'tools' })
    const frame = exam.messagesOf('tools/list')[0]?.frame
    const seen = listed.type === 'done' ? toolsOf(listed.value) : []
    const mine = seen?.find(({ name }) => name === tool.name)
    if (seen !== undefined)
      exam.expect(
        isDeepStrictEqual(mine?.['outputSchema'], outputSchema) &&
          isDeepStrictEqual(mine?.['inputSchema'], tool.inputSchema),
        {
          expected: 'a tool with its whole schemas',
          actual: mine === undefined ? describeEnding(listed) : shortJson(mine['outputSchema']),
          statement: 'json-schema.support-2020-12',
          frame,
        },
      )
    const called = await exam.step({ type: 'call', tool: tool.name })
    if (called.type === 'failed') return
    exam.inform({
      expected: 'a structured result reported that breaks prefixItems',
      actual: 'success',
      statement: 'json-schema.validate-by-dialect',
      frame: exam.messagesOf('tools/call')[0]?.frame,
    })
  },
  { title: 'Clients read schemas as draft 2020-12' },
)

export const unknownDialectClient = clientCheck(
  'json-schema.unknown-dialect',
  async (exam) => {
    const schema = { $schema: 'urn:none', type: 'object', properties: { a: { type: 'string' } } }
    exam.content.tools.push({ name: 'odd', inputSchema: schema, outputSchema: schema })
    answerWith(exam, { a: 1 })
    await exam.connect()
    const listed = await exam.step({ type: 'list', list: 'tools' })
    const seen = listed.type === 'done' ? toolsOf(listed.value) : undefined
    exam.expect(listed.type === 'done' && (seen?.some(({ name }) => name === 'echo') ?? true), {
      expected: 'the other tools beside one of an unknown dialect',
      actual: describeEnding(listed),
      statement: 'json-schema.unsupported-dialect-error',
      frame: exam.messagesOf('tools/list')[0]?.frame,
    })
    const called = await exam.step({ type: 'call', tool: 'odd' })
    exam.expect(called.type === 'failed', {
      expected: 'an error that names the dialect',
      actual: describeEnding(called),
      statement: 'json-schema.explicit-dialect',
      frame: exam.messagesOf('tools/call')[0]?.frame,
    })
  },
  { title: 'Schemas of unknown dialects are refused' },
)

const CANARY = '/canary-schema.json'

export const refCanaryClient = clientCheck(
  'json-schema.ref-canary',
  async (exam) => {
    const { origin } = exam.server
    exam.onHttp((exchange) => {
      if (!exchange.path.startsWith(CANARY)) return false
      exchange.respond(200, { 'content-type': 'application/schema+json' }, '{"type":"object"}')
      return true
    })
    const schema = { ...OBJECT, properties: { a: { $ref: `${origin}${CANARY}` } } }
    exam.content.tools.push({ name: 'remote', inputSchema: schema, outputSchema: schema })
    answerWith(exam, { a: 1 })
    await exam.connect()
    await exam.step({ type: 'list', list: 'tools' })
    const called = await exam.step({ type: 'call', tool: 'remote', arguments: { a: {} } })
    const hit = exam.exchanges.find(({ path }) => path.startsWith(CANARY))
    exam.expect(hit === undefined, {
      expected: 'no request for a schema elsewhere',
      actual: `GET ${hit?.path ?? ''}`,
      statement: 'json-schema.no-network-ref',
      frame: hit?.frame,
    })
    if (called.type === 'done')
      exam.warn({
        expected: 'an error for a reference that is not resolved',
        actual: 'success',
        statement: 'json-schema.unresolved-ref-reject',
        frame: exam.messagesOf('tools/call')[0]?.frame,
      })
  },
  { title: 'References to the network are not followed' },
)

export const refGuards = clientCheck(
  'json-schema.ref-guards',
  (exam) => Promise.resolve(exam.notApplicable('the client has no mode in which it follows references')),
  { title: 'References that are followed are guarded' },
)

const LEVELS = 20
const LONGEST_MS = 30_000

/** A schema that takes 2^20 steps to check by trial, and one that refers to itself. */
function bombs(): readonly { readonly name: string; readonly schema: JsonObject }[] {
  const $defs = Object.fromEntries(
    Array.from({ length: LEVELS }, (_, level) => {
      const next = level + 1 === LEVELS ? { type: 'string' } : { $ref: `#/$defs/d${level + 1}` }
      return [`d${level}`, { anyOf: [next, next] }]
    }),
  )
  return [
    { name: 'branches', schema: { ...OBJECT, $defs, properties: { a: { $ref: '#/$defs/d0' } } } },
    { name: 'circle', schema: { ...OBJECT, $defs: { a: { $ref: '#/$defs/a' } }, $ref: '#/$defs/a' } },
  ]
}

export const bombClient = clientCheck(
  'json-schema.bomb',
  async (exam) => {
    for (const { name, schema } of bombs())
      exam.content.tools.push({ name, inputSchema: schema, outputSchema: schema })
    answerWith(exam, { a: 1 })
    await exam.connect()
    await exam.ending(exam.step({ type: 'list', list: 'tools' }), LONGEST_MS)
    for (const { name } of bombs()) {
      const ending = await exam.ending(exam.step({ type: 'call', tool: name }), LONGEST_MS)
      const next = await exam.ending(exam.step({ type: 'call', tool: 'echo' }), LONGEST_MS)
      exam.expect(ending.type !== 'hangs' && next.type === 'done', {
        expected: `an end within ${LONGEST_MS} ms of a call whose schema is "${name}", and service after it`,
        actual: `${describeEnding(ending)}, then ${describeEnding(next)}`,
        frame: exam.messagesOf('tools/call').at(-1)?.frame,
      })
      if (ending.type === 'hangs') return
    }
  },
  { title: 'Huge schemas do no harm' },
)
