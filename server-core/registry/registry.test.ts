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
      'arguments that are no object',
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
