import { expect, it } from 'vitest'
import { ScriptedInvocation } from './scripted-invocation.test-support.ts'
import { Registry } from './registry.ts'

async function call(given: unknown) {
  const registry = new Registry()
  registry.addTool({ name: 'give', run: () => given })
  return registry.tool('give')?.invoke({}, new ScriptedInvocation())
}

it.each([
  ['an object', { a: { b: [1, NaN] } }, 'NaN at /a/b/1'],
  ['a bare number', Infinity, 'gave Infinity, which'],
  ['a list', [null, -Infinity], '-Infinity at /1'],
  ['structured content', { structuredContent: { n: NaN } }, 'NaN at /n'],
  ['structured content beside content', { content: [], structuredContent: { n: NaN } }, 'NaN at /n'],
  ['a block', { content: [{ type: 'text', text: '', annotations: { priority: NaN } }] }, 'priority'],
  ['_meta', { content: [], _meta: { m: NaN } }, 'NaN at /m'],
])('makes an error of a number that JSON cannot carry: %s', async (_what, given, said) => {
  const outcome = await call(given)
  expect(outcome?.isError).toBe(true)
  expect(JSON.stringify(outcome?.content)).toContain(said)
  expect(outcome?.structured).toBeUndefined()
})

it('lets null be null, and whatever writes its own JSON', async () => {
  const date = new Date(0)
  expect(await call({ a: null, date })).toMatchObject({ structured: { a: null, date } })
  expect((await call({ invalid: new Date(NaN) }))?.isError).toBeUndefined()
})

it('fails the reads and prompts that hold one', async () => {
  const registry = new Registry()
  registry.addResource({ uri: 'x:1', name: 'one', read: () => ({ text: '', _meta: { m: NaN } }) })
  registry.addPrompt({ name: 'p', get: () => ({ messages: ['x'], _meta: { m: Infinity } }) })
  await expect(registry.resourceFor('x:1')?.read(new ScriptedInvocation())).rejects.toThrow(
    'NaN at /0/_meta/m',
  )
  await expect(registry.prompt('p')?.get({}, new ScriptedInvocation())).rejects.toThrow('Infinity at /m')
})
