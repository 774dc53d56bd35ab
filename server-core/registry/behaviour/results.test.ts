import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import type { HandlerContext } from '../context.ts'
import type { ToolOutcome } from '../entries.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { streamed } from '../stream.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

function holdsItself(): object {
  const value: Record<string, unknown> = {}
  value['self'] = value
  return value
}

async function* nothing(): AsyncGenerator<string> {
  await Promise.resolve()
  yield* []
}

inEveryPlacement('what tools give', ({ call, runTool, view }) => {
  describe('results', () => {
    const image = { type: 'image', data: 'AAEC', mimeType: 'image/png' }
    it.each<[string, unknown, ToolOutcome]>([
      ['nothing', undefined, { content: [text('tool ok')] }],
      ['no content, said by the handler', { content: [] }, { content: [] }],
      ['text', 'hello', { content: [text('hello')] }],
      ['a number', 42, { content: [text('42')] }],
      ['null', null, { content: [text('null')] }],
      ['a list of values', [1, 'a'], { content: [text('[1,"a"]')] }],
      ['an object', { a: 1 }, { content: [text('{"a":1}')], structured: { a: 1 } }],
      [
        'an object with a member named content',
        { content: 'x' },
        { content: [text('{"content":"x"}')], structured: { content: 'x' } },
      ],
      ['one block', image, { content: [image] }],
      ['a block with bytes', { ...image, data: new Uint8Array([0, 1, 2]) }, { content: [image] }],
      ['a list of blocks', [text('a'), image], { content: [text('a'), image] }],
      ['structured content', { structuredContent: [1] }, { content: [text('[1]')], structured: [1] }],
      [
        'both',
        { content: [text('said')], structuredContent: { n: 1 }, _meta: { m: 1 } },
        { content: [text('said')], structured: { n: 1 }, meta: { m: 1 } },
      ],
      ['an error', { content: [text('bad')], isError: true }, { content: [text('bad')], isError: true }],
      [
        'a resource with bytes, and a link',
        [
          { type: 'resource', resource: { uri: 'x:1', blob: new Uint8Array([0, 1, 2]) } },
          { type: 'resource_link', uri: 'x:2', name: 'two', annotations: { audience: ['user'] } },
        ],
        {
          content: [
            { type: 'resource', resource: { uri: 'x:1', blob: 'AAEC' } },
            { type: 'resource_link', uri: 'x:2', name: 'two', annotations: { audience: ['user'] } },
          ],
        },
      ],
      [
        'a block of a kind unknown to us',
        { content: [{ type: 'hologram' }] },
        { content: [{ type: 'hologram' }] },
      ],
    ])('%s', async (_, value, outcome) => {
      expect(await runTool(() => value)).toEqual(outcome)
      expect(await runTool(() => Promise.resolve(value))).toEqual(outcome)
    })

    it.each([
      [
        'a thrown error',
        () => {
          throw new RangeError('too far')
        },
        'too far',
      ],
      [
        'a thrown text',
        () => {
          throw 'just text' as unknown as Error
        },
        'just text',
      ],
      ['a rejected promise', () => Promise.reject(new Error('later')), 'later'],
      ['a function', () => () => 1, 'The handler gave a function, which JSON cannot carry.'],
      ['a bigint', () => ({ n: 1n }), 'The handler gave a value that JSON cannot carry'],
      ['a value that holds itself', () => holdsItself(), 'The handler gave a value that JSON cannot carry'],
      ['bare bytes', () => new Uint8Array([1]), 'The handler gave bytes without saying what they are'],
      [
        'a thrown thing that cannot be read',
        () => {
          throw Object.create(null) as Error
        },
        'The handler threw something that cannot be read.',
      ],
      [
        'a block without what it needs',
        () => ({ content: [text('a'), { type: 'image', data: 'AA==' }] }),
        'Block 2 of the handler\'s result cannot be sent: an image or audio block needs "data"',
      ],
      [
        'a link with white space in its URI',
        () => ({ content: [{ type: 'resource_link', uri: 'x: 1', name: 'x' }] }),
        'needs "uri", without white space',
      ],
      [
        'a block with impossible annotations',
        () => ({ content: [{ ...text('a'), annotations: { priority: 2 } }] }),
        'annotations.priority must be a number from 0 to 1',
      ],
    ])('%s is an error with its message', async (_, run, message) => {
      const outcome = await runTool(run)
      expect(outcome.isError).toBe(true)
      expect(outcome.content).toEqual([text(expect.stringContaining(message) as unknown as string)])
    })

    it('values that JSON sees otherwise arrive as JSON sees them', async () => {
      const outcome = await runTool(() => ({ at: new Date(0), skipped: () => 1 }))
      expect(JSON.parse(JSON.stringify(outcome.structured))).toEqual({ at: '1970-01-01T00:00:00.000Z' })
    })

    it('an error that is an answer passes as it is', async () => {
      await expect(
        runTool(() => {
          throw new ProtocolError(-31_000, 'app code', { why: 1 })
        }),
      ).rejects.toMatchObject({ name: 'ProtocolError', code: -31_000, message: 'app code', data: { why: 1 } })
    })

    it('an output schema shapes and checks what is structured', async () => {
      const { view: opened } = await view((registry) => {
        const output = z.object({ n: z.number(), unit: z.string().default('C') })
        registry.addTool({ name: 'good', output, run: () => ({ n: 1, extra: true }) as { n: number } })
        registry.addTool({ name: 'bad', output, run: () => ({ n: 'x' }) as unknown as { n: number } })
        registry.addTool({ name: 'none', output, run: () => ({ content: [text('only text')] }) })
        registry.addTool({ name: 'error', output, run: () => ({ content: [text('no')], isError: true }) })
        registry.addTool({ name: 'list', output: { type: 'array' }, run: () => [text('a')] })
      })
      expect(await call(opened, 'good', {})).toEqual({
        content: [text('{"n":1,"unit":"C"}')],
        structured: { n: 1, unit: 'C' },
      })
      expect(await call(opened, 'bad', {})).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('breaks its own output schema: n:') }],
      })
      expect(await call(opened, 'none', {})).toMatchObject({
        isError: true,
        content: [{ text: expect.stringContaining('gave no structured content') }],
      })
      expect(await call(opened, 'error', {})).toEqual({ isError: true, content: [text('no')] })
      expect((await call(opened, 'list', {})).structured).toEqual([text('a')])
    })
  })

  describe('values that JSON would empty', () => {
    class Row {
      readonly id = 1
    }
    class Told extends Row {
      toJSON(): object {
        return { told: this.id }
      }
    }

    it.each([
      [new Map([[1, 2]]), 'a Map,'],
      [new Set([1]), 'a Set,'],
      [new Row(), 'a Row,'],
      [{ structuredContent: new Map([[1, 2]]) }, 'a Map,'],
    ])('are errors that say so: %o', async (value, expected) => {
      const outcome = await runTool(() => value)
      expect(outcome).toEqual({ isError: true, content: [text(expect.stringContaining(expected) as string)] })
    })

    it('are not added where the result has its own content', async () => {
      expect(await runTool(() => new Told())).toMatchObject({ content: [text('{"told":1}')] })
      expect(await runTool(() => Object.assign(Object.create(null) as object, { a: 1 }))).toMatchObject({
        structured: { a: 1 },
      })
    })

    it('nor is a list of blocks sent as JSON because one of them lacks a member', async () => {
      expect(await runTool(() => [text('a'), { type: 'image', data: 'x' }])).toEqual({
        isError: true,
        content: [text(expect.stringMatching(/^Block 2 .*"mimeType"/) as string)],
      })
      expect(await runTool(() => [{ type: 'own' }])).toMatchObject({ content: [text('[{"type":"own"}]')] })
    })
  })

  describe('streamed results', () => {
    async function* items(): AsyncGenerator {
      yield 'one'
      await Promise.resolve()
      yield { two: 2 }
    }
    const progress = [
      { type: 'progress', progress: 1, message: 'one' },
      { type: 'progress', progress: 2, message: '{"two":2}' },
    ]

    it('of texts give them joined, with the total that the stream tells', async () => {
      async function* words() {
        yield 'Hel'
        await Promise.resolve()
        yield 'lo'
      }
      const invocation = new ScriptedInvocation()
      const run = () => streamed(words(), { total: 2 })
      expect(await runTool(run, invocation)).toEqual({ content: [text('Hello')] })
      expect(invocation.emissions).toEqual([
        { type: 'progress', progress: 1, total: 2, message: 'Hel' },
        { type: 'progress', progress: 2, total: 2, message: 'lo' },
      ])
      const accumulate = (count: unknown) => (typeof count === 'number' ? count : 0) + 1
      expect(await runTool(() => streamed(words(), { accumulate }))).toEqual({ content: [text('2')] })
    })

    it('without items give nothing; a fault on the way is an error', async () => {
      expect(await runTool(() => streamed(nothing(), {}))).toEqual({ content: [text('tool ok')] })
      const invocation = new ScriptedInvocation()
      const run = async function* () {
        yield 'one'
        await Promise.resolve()
        throw new Error('broke off')
      }
      expect(await runTool(run, invocation)).toEqual({ isError: true, content: [text('broke off')] })
      expect(invocation.emissions).toHaveLength(1)
    })

    it('send each item as progress; without texts the last one is the result', async () => {
      const run = async function* () {
        yield { one: 1 }
        await Promise.resolve()
        yield { two: 2 }
      }
      const invocation = new ScriptedInvocation()
      expect(await runTool(run, invocation)).toMatchObject({ structured: { two: 2 } })
      expect(invocation.emissions).toHaveLength(2)
    })

    it('lose nothing silently: texts and other items need a word on what they make', async () => {
      const invocation = new ScriptedInvocation()
      expect(await runTool(items, invocation)).toEqual({
        isError: true,
        content: [text(expect.stringContaining('accumulate') as string)],
      })
      expect(invocation.emissions).toEqual(progress)
    })

    it('give what the generator returns', async () => {
      const run = async function* () {
        yield* items()
        return 'the end'
      }
      expect(await runTool(run)).toEqual({ content: [text('the end')] })
    })

    it('give what was accumulated', async () => {
      const accumulate = (all: unknown, item: unknown) =>
        `${typeof all === 'string' ? all : ''}${JSON.stringify(item)};`
      expect(await runTool(items, undefined, { accumulate })).toEqual({ content: [text('"one";{"two":2};')] })
    })

    it('stop at an abort and let the generator clean up', async () => {
      const invocation = new ScriptedInvocation()
      let cleaned = false
      const run = async function* (_: JsonObject, ctx: HandlerContext) {
        try {
          yield 'started'
          await new Promise((resolve) => {
            ctx.signal.addEventListener('abort', resolve)
          })
          yield 'never told'
        } finally {
          cleaned = true
        }
      }
      const emitted = new Promise<void>((resolve) => {
        const emit = invocation.emit.bind(invocation)
        invocation.emit = (emission) => {
          emit(emission)
          resolve()
        }
      })
      const outcome = runTool(run, invocation)
      await emitted
      invocation.controller.abort(new Error('cancelled'))
      expect((await outcome).isError).toBe(true)
      expect(cleaned).toBe(true)
      expect(invocation.emissions).toHaveLength(1)
    })
  })
})
