import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { describe, expect, expectTypeOf, it } from 'vitest'
import { z } from 'zod'
import { Registry } from './registry.ts'

describe('a definition that cannot be served is refused', () => {
  const registry = new Registry()
  registry.addTool({ name: 'taken', run: () => 1 })
  registry.addResource({ uri: 'x:taken', name: 'r', read: '' })
  registry.addResourceTemplate({ uriTemplate: 'x:{taken}', name: 't', read: () => '' })
  registry.addPrompt({ name: 'taken', get: () => '' })

  it.each<[string, () => unknown, string, string]>([
    [
      'tool twice',
      () => registry.addTool({ name: 'taken', run: () => 2 }),
      'duplicate',
      'A tool named "taken"',
    ],
    [
      'resource twice',
      () => registry.addResource({ uri: 'x:taken', name: 'other', read: '' }),
      'duplicate',
      'A resource with the URI "x:taken"',
    ],
    [
      'template twice',
      () => registry.addResourceTemplate({ uriTemplate: 'x:{taken}', name: 'other', read: () => '' }),
      'duplicate',
      'A resource template "x:{taken}"',
    ],
    [
      'prompt twice',
      () => registry.addPrompt({ name: 'taken', get: () => '' }),
      'duplicate',
      'A prompt named "taken"',
    ],
    ['no name', () => registry.addTool({ name: '', run: () => 1 }), 'invalid-definition', 'needs a name'],
    [
      'white space in a URI',
      () => registry.addResource({ uri: 'x:a b', name: 'r', read: '' }),
      'invalid-definition',
      'no white space',
    ],
    [
      'white space in a URI template',
      () => registry.addResourceTemplate({ uriTemplate: 'x:{a}\n', name: 'r', read: () => '' }),
      'invalid-definition',
      'no white space',
    ],
    [
      'a URI template outside the subset',
      () => registry.addResourceTemplate({ uriTemplate: 'x:{#a}', name: 'r', read: () => '' }),
      'invalid-definition',
      '{#a}',
    ],
    [
      'a completer for no variable',
      () =>
        registry.addResourceTemplate({
          uriTemplate: 'x:{a}',
          name: 'r',
          complete: { b: [] },
          read: () => '',
        }),
      'invalid-definition',
      'no variable "b"',
    ],
    [
      'a completer for no argument',
      () => registry.addPrompt({ name: 'p', complete: { b: [] }, get: () => '' }),
      'invalid-definition',
      'no argument "b"',
    ],
    [
      'an argument twice',
      () => registry.addPrompt({ name: 'p', arguments: [{ name: 'a' }, { name: 'a' }], get: () => '' }),
      'invalid-definition',
      '"a" twice',
    ],
    [
      'arguments that are not an object',
      () => registry.addTool({ name: 't', input: z.string(), run: () => 1 }),
      'invalid-definition',
      'its type is "string"',
    ],
    [
      'a schema that JSON cannot say',
      () => registry.addTool({ name: 't', input: z.object({ at: z.date() }), run: () => 1 }),
      'invalid-definition',
      'Cannot write the input of tool "t" as JSON Schema',
    ],
    [
      'a guard without a name',
      () => registry.addTool({ name: 't', guards: [{ name: '', allows: () => true }], run: () => 1 }),
      'invalid-definition',
      'Of the tool "t", guard 1 must be { name, allows }',
    ],
    [
      'a guard that is nothing',
      () => registry.addTool({ name: 't', guards: [null as never], run: () => 1 }),
      'invalid-definition',
      'Of the tool "t", guard 1 must be { name, allows }',
    ],
    [
      'an interceptor that is not a function',
      () => new Registry({ interceptors: [1 as never] }),
      'invalid-definition',
      'Of the registry, interceptor 1 must be a function',
    ],
    [
      'an empty tag',
      () => registry.addTool({ name: 't', tags: ['a', ''], run: () => 1 }),
      'invalid-definition',
      'A tag of tool "t" is empty',
    ],
    [
      'an icon that a script could hide in',
      () => registry.addPrompt({ name: 'p', icons: [{ src: 'javascript:alert(1)' }], get: () => '' }),
      'invalid-definition',
      'The icon 1 of prompt "p" needs "src", an https: or data: URL; got "javascript:alert(1)"',
    ],
    [
      'annotations that say nothing',
      () => registry.addResource({ uri: 'x:1', name: 'x', annotations: { priority: 7 }, read: '' }),
      'invalid-definition',
      'annotations.priority must be a number from 0 to 1',
    ],
    [
      'a schema for no variable',
      () =>
        registry.addResourceTemplate({
          uriTemplate: 'x:{a}',
          name: 'x',
          variables: { b: { type: 'integer' } },
          read: () => '',
        }),
      'invalid-definition',
      'no variable "b" to give a schema to',
    ],
    [
      'a variable that no URI can carry',
      () =>
        registry.addResourceTemplate({
          uriTemplate: 'x:{a}',
          name: 'x',
          variables: { a: z.object({}) },
          read: () => '',
        }),
      'invalid-definition',
      'variable "a" of the template "x:{a}" cannot be of type "object"',
    ],
    [
      'an invalid list',
      () =>
        registry.addResourceTemplate({
          uriTemplate: 'x:{a*}',
          name: 'x',
          variables: { a: { type: 'string' } },
          read: () => '',
        }),
      'invalid-definition',
      'is a list; its schema must be of type "array"',
    ],
    [
      'an invalid JSON Schema',
      () =>
        registry.addTool({
          name: 't',
          output: { type: 'object', properties: { size: { type: 'strng' } } },
          run: () => ({}),
        }),
      'invalid-definition',
      'The JSON Schema of the output of tool "t" cannot be used: /properties/size/type is "strng"; expected a JSON type',
    ],
    [
      'a timeout of zero',
      () => registry.addTool({ name: 't', timeout: 0, run: () => 1 }),
      'invalid-definition',
      'expected milliseconds above zero',
    ],
  ])('%s', (_, add, code, message) => {
    expect(add).toThrow(expect.objectContaining({ name: 'RegistryError', code }))
    expect(add).toThrow(message)
  })
})

describe('a handle', () => {
  it('whose update is refused changes nothing', () => {
    const registry = new Registry()
    const changes: unknown[] = []
    registry.addTool({ name: 'a', run: () => 1 })
    const tool = registry.addTool({ name: 'b', run: () => 2 })
    registry.onChange((change) => changes.push(change))
    const before = registry.tools()
    expect(() => {
      tool.update({ name: 'a', description: 'x' })
    }).toThrow('A tool named "a" is registered already')
    expect(registry.tools()).toBe(before)
    tool.update({ name: 'c' })
    expect(registry.tools().map(({ name }) => name)).toEqual(['a', 'c'])
    expect(changes).toHaveLength(1)
  })

  it('of something removed says so', () => {
    const registry = new Registry()
    const first = registry.addPrompt({ name: 'p', get: () => 'one' })
    expect(first.remove()).toBe(true)
    registry.addPrompt({ name: 'p', get: () => 'two' })
    expect(first.remove()).toBe(false)
    expect(() => {
      first.update({ title: 'x' })
    }).toThrow(expect.objectContaining({ code: 'removed' }))
    expect(registry.prompts()).toHaveLength(1)
  })

  it('keeps the order of registration and takes optional members away', () => {
    const registry = new Registry()
    const first = registry.addTool({ name: 'a', title: 'A', run: () => 1 })
    registry.addTool({ name: 'b', run: () => 2 })
    first.update({ title: undefined })
    expect(registry.tools().map(({ name }) => name)).toEqual(['a', 'b'])
    expect(registry.tool('a')).not.toHaveProperty('title')
  })
})

it('object schemas without a type get one, since arguments are an object', () => {
  const registry = new Registry()
  const either = z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])
  registry.addTool({ name: 'either', input: either, run: () => 1 })
  expect(registry.tool('either')?.inputSchema).toMatchObject({ type: 'object', anyOf: [{}, {}] })
})

it('types the lifespan for all that look at it', () => {
  const registry = new Registry({
    async *lifespan() {
      await Promise.resolve()
      yield { rows: 7 }
    },
    guards: [{ name: 'g', allows: (_, ctx) => ctx.lifespan.rows > 0 }],
  })
  registry.addTool({
    name: 't',
    interceptors: [(_, next, ctx) => (ctx.lifespan.rows > 0 ? next() : undefined)],
    run: (_, ctx) => {
      expectTypeOf(ctx.lifespan).toEqualTypeOf<{ rows: number }>()
      return ctx.lifespan.rows
    },
  })
  const anyRegistry: Registry = registry
  expect(anyRegistry.tools()).toHaveLength(1)
})

it('makes the URIs of a template', () => {
  const template = new Registry().addResourceTemplate({
    uriTemplate: 'notes:{id}/{tags*}{?full}',
    name: 'n',
    variables: { id: z.int() },
    read: () => '',
  })
  expect(template.expand({ id: 7, tags: ['a b', 2], full: true })).toBe('notes:7/a%20b,2?full=true')
  expect(() => template.expand({ id: 7 })).toThrow('needs a value for "tags"')
  template.update({ uriTemplate: 'notes:{id}/{tags*}{?full}' })
})

it('types handlers by what they declare', () => {
  const registry = new Registry()
  registry.addTool({
    name: 't',
    input: z.object({ n: z.number().default(1), s: z.string().transform(Number) }),
    run: (args, ctx) => {
      expectTypeOf(args).toEqualTypeOf<{ n: number; s: number }>()
      return ctx.elicit('?', z.object({ ok: z.boolean() })).then(({ ok }) => {
        expectTypeOf(ok).toEqualTypeOf<boolean>()
        return { ok }
      })
    },
  })
  registry.addResourceTemplate({
    uriTemplate: 'x:{id}/{+path}/{tags*}{?page,size}',
    name: 't',
    read: (variables) => {
      expectTypeOf(variables.id).toEqualTypeOf<string>()
      expectTypeOf(variables.path).toEqualTypeOf<string>()
      expectTypeOf(variables.tags).toEqualTypeOf<readonly string[]>()
      expectTypeOf(variables.page).toEqualTypeOf<string | undefined>()
      expectTypeOf(variables.size).toEqualTypeOf<string | undefined>()
      return ''
    },
  })
  registry.addResourceTemplate({
    uriTemplate: 'y:{id}/{name}{?page,full,size,order}',
    name: 'typed',
    variables: {
      id: z.int(),
      page: z.number().default(1),
      full: { type: 'boolean' },
      order: z.enum(['up', 'down']).optional(),
    },
    read: (variables) => {
      expectTypeOf(variables.id).toEqualTypeOf<number>()
      expectTypeOf(variables.name).toEqualTypeOf<string>()
      expectTypeOf(variables.page).toEqualTypeOf<number>()
      expectTypeOf(variables.order).toEqualTypeOf<'up' | 'down' | undefined>()
      expectTypeOf(variables.full).toEqualTypeOf<boolean | undefined>()
      expectTypeOf(variables.size).toEqualTypeOf<string | undefined>()
      return ''
    },
  })
  registry.addPrompt({
    name: 'p',
    arguments: [{ name: 'topic', required: true }, { name: 'tone' }],
    get: (args) => {
      expectTypeOf(args.topic).toEqualTypeOf<string>()
      expectTypeOf(args.tone).toEqualTypeOf<string | undefined>()
      return ''
    },
  })
  expect(registry.prompts()).toHaveLength(1)
})

it('loads neither zod nor a validator for tools with plain JSON Schemas', async () => {
  const script = `
    import { registerHooks } from 'node:module'
    const loaded = []
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context) } })
    const { Registry } = await import(${JSON.stringify(new URL('./registry.ts', import.meta.url).href)})
    const registry = new Registry()
    registry.addTool({ name: 'plain', input: { type: 'object' }, output: { type: 'object' }, run: () => ({ a: 1 }) })
    const facts = { answers: {} }
    const { structured } = await registry.tool('plain').invoke({}, { facts })
    console.log(JSON.stringify({ structured, packages: loaded.filter((url) => url.includes('node_modules')) }))`
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', script])
  expect(JSON.parse(stdout)).toEqual({ structured: { a: 1 }, packages: [] })
})
