import { describe, expect, it } from 'vitest'
import { Registry } from '../registry.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement } from './setup.test-support.ts'

inEveryPlacement('what tasks and caches make of definitions', ({ view, call }) => {
  it('reaches the server', async () => {
    const task = { start: 'by-handler', ttlMs: 5_000, pollIntervalMs: 50 } as const
    const { view: opened } = await view((registry) => {
      registry.addTool({ name: 'job', taskSupport: 'optional', task, run: () => 'done' })
      registry.addResource({ uri: 'a://b', name: 'b', cache: { ttlMs: 1, scope: 'public' }, read: 'x' })
      registry.addResourceTemplate({
        uriTemplate: 'c://{d}',
        name: 'd',
        cache: { ttlMs: 2, scope: 'private' },
        read: () => 'y',
      })
    })
    expect(opened.tool('job')).toMatchObject({ taskSupport: 'optional', task })
    expect(opened.resourceFor('a://b')?.cache).toEqual({ ttlMs: 1, scope: 'public' })
    expect(opened.resourceFor('c://e')?.cache).toEqual({ ttlMs: 2, scope: 'private' })
  })

  it('is announced by handlers that accept a call as a task', async () => {
    const { view: opened } = await view((registry) => {
      registry.addTool({
        name: 'job',
        taskSupport: 'optional',
        task: { start: 'by-handler' },
        run: (_args, ctx) => {
          ctx.startTask('off it goes')
          return 'done'
        },
      })
    })
    const invocation = new ScriptedInvocation()
    await call(opened, 'job', {}, invocation)
    expect(invocation.emissions).toEqual([{ type: 'task', message: 'off it goes' }])
  })
})

describe('definitions that tasks, caches or headers cannot follow', () => {
  it('are refused with a sentence', () => {
    const registry = new Registry()
    const run = () => 'done'
    expect(() => registry.addTool({ name: 'job', task: {}, run })).toThrow(/Tool "job".*set taskSupport/)
    const task = { ttlMs: 0.5 }
    expect(() => registry.addTool({ name: 'job', taskSupport: 'required', task, run })).toThrow(
      /task\.ttlMs of tool "job" is 0\.5; expected whole milliseconds above zero/,
    )
    const cache = { ttlMs: -1, scope: 'public' } as const
    expect(() => registry.addResource({ uri: 'a://b', name: 'b', cache, read: 'x' })).toThrow(
      /cache\.ttlMs of resource "a:\/\/b" is -1/,
    )
  })

  it('may not repeat an argument as a header against the rules', () => {
    const registry = new Registry()
    const input = {
      type: 'object',
      properties: { size: { type: 'number', 'x-mcp-header': 'Size' } },
    }
    expect(() => registry.addTool({ name: 'job', input, run: () => 'done' })).toThrow(
      /The input of tool "job": x-mcp-header on size: the type must be string, integer or boolean, not "number"/,
    )
  })
})
