import { describe, expect, it } from 'vitest'
import { z } from 'zod'
import { RegistryError } from '../errors.ts'
import { Registry } from '../registry.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'

const run = () => 'x'

/** Registers without the help of a compiler; returns the error. */
function told(
  method: 'addTool' | 'addResource' | 'addResourceTemplate' | 'addPrompt',
  definition: object,
): string {
  const registry = new Registry()
  try {
    const register: (given: never) => unknown = registry[method].bind(registry)
    register(definition as never)
  } catch (error) {
    expect(error).toBeInstanceOf(RegistryError)
    return (error as RegistryError).message
  }
  return 'it was registered'
}

describe('what is missing or misspelt is refused when it is registered', () => {
  it.each([
    ['addTool', { name: 'a' }, /The tool "a" needs a member "run"/],
    ['addTool', { name: 'a', handler: run }, /tool "a" .*"handler": did you mean "run"/],
    ['addTool', { name: 'a', run, inputSchema: {} }, /did you mean "input"/],
    ['addTool', { name: 'a', run, descripton: 'x' }, /did you mean "description"/],
    ['addTool', { name: 'a', run, colour: 'red' }, /unknown member "colour": expected .*annotations/],
    ['addTool', { name: 'a', run, title: 7 }, /"title" of the tool "a" must be a text; got a number/],
    [
      'addTool',
      { name: 'a', run, guards: { name: 'g' } },
      /"guards" of the tool "a" must be a list; got an object/,
    ],
    [
      'addTool',
      { name: 'a', run, taskSupport: 'always' },
      /taskSupport of tool "a" is "always"; expected forbidden/,
    ],
    ['addPrompt', { name: 'p' }, /The prompt "p" needs a member "get"/],
    [
      'addPrompt',
      { name: 'p', get: run, arguments: { b: z.string() } },
      /"arguments" of the prompt "p" must be a list/,
    ],
    ['addResource', { uri: 'a://b', name: 'r' }, /The resource "r" needs a member "read"/],
    ['addResource', { uri: 'a://b', name: 'r', callback: run }, /did you mean "read"/],
    [
      'addResourceTemplate',
      { uriTemplate: 'a://{b}', name: 't' },
      /resource template "t" needs a member "read"/,
    ],
  ] as const)('%s %j', (method, definition, expected) => {
    expect(told(method, definition)).toMatch(expected)
  })

  it('also of the registry itself', () => {
    expect(() => new Registry({ guards: { name: 'g' } } as never)).toThrow(
      /"guards" of the registry must be a list/,
    )
    expect(() => new Registry({ lifeSpan: run } as never)).toThrow(/did you mean "lifespan"/)
  })

  it('but fields of an instance are its own affair', () => {
    class Tool {
      readonly name = 'a'
      readonly database = 'mine'
      run(): string {
        return this.database
      }
    }
    expect(told('addTool', new Tool())).toBe('it was registered')
  })
})

it('takes no raw zod shape for a JSON Schema', () => {
  const shape = { a: z.string() }
  expect(told('addTool', { name: 'a', input: shape, run })).toMatch(
    /input of tool "a" .*"a" is a zod schema; wrap it in z\.object/,
  )
  expect(told('addTool', { name: 'a', output: shape, run })).toMatch(/wrap it in z\.object/)
  expect(told('addTool', { name: 'a', input: { _def: {} }, run })).toMatch(/zod 3/)
})

it('says what a lifespan must give', async () => {
  const registry = new Registry({ lifespan: (() => Promise.resolve({ a: 1 })) as never })
  registry.addTool({ name: 'a', run })
  expect(await registry.tool('a')?.invoke({}, new ScriptedInvocation())).toMatchObject({
    isError: true,
    content: [{ text: expect.stringContaining('give { value, dispose }') as string }],
  })
})
