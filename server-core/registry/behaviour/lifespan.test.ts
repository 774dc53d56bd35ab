import { describe, expect, it } from 'vitest'
import type { Guard } from '../middleware.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

type Database = { readonly open: number; closed: boolean }

/** A lifespan that counts how often it ran and was cleaned up. */
function counted(fault?: (start: number) => Error | undefined) {
  const events: string[] = []
  let starts = 0
  async function* lifespan(): AsyncGenerator<Database> {
    starts += 1
    await Promise.resolve()
    const broken = fault?.(starts)
    if (broken !== undefined) throw broken
    events.push(`open ${starts}`)
    const database = { open: starts, closed: false }
    try {
      yield database
    } finally {
      database.closed = true
      events.push(`close ${database.open}`)
    }
  }
  return { lifespan, events }
}

inEveryPlacement('a lifespan', ({ call, view }) => {
  it('starts with the first call, once for those that come together, and reaches all of them', async () => {
    const { lifespan, events } = counted()
    const own: Guard<Database> = { name: 'open', allows: (_, ctx) => !ctx.lifespan.closed }
    const { view: opened, registry } = await view<Database>(
      (filled) => {
        filled.addTool({ name: 'tool', run: (_, ctx) => ctx.lifespan.open })
        filled.addResource({ uri: 'x:1', name: 'x', read: (ctx) => `${ctx.lifespan.open}` })
        filled.addPrompt({ name: 'p', get: (_, ctx) => `${ctx.lifespan.open}` })
      },
      { lifespan, guards: [own] },
    )
    expect(events).toEqual([])
    const invocation = new ScriptedInvocation()
    const [tool, read, prompt] = await Promise.all([
      call(opened, 'tool', {}),
      opened.resourceFor('x:1')?.read(invocation),
      opened.prompt('p')?.get({}, invocation),
    ])
    expect(tool.content).toEqual([text('1')])
    expect(read?.contents[0]?.['text']).toBe('1')
    expect(prompt?.messages[0]?.['content']).toEqual(text('1'))
    await registry.stop()
    await registry.stop()
    expect(events).toEqual(['open 1', 'close 1'])
  })

  it('may be started before any call, and starts again after a stop', async () => {
    const { lifespan, events } = counted()
    const { view: opened, registry } = await view<Database>(
      (filled) => filled.addTool({ name: 'tool', run: (_, ctx) => ctx.lifespan.open }),
      { lifespan },
    )
    await Promise.all([registry.start(), registry.start()])
    expect(events).toEqual(['open 1'])
    await registry.stop()
    expect((await call(opened, 'tool', {})).content).toEqual([text('2')])
    await registry.stop()
    expect(events).toEqual(['open 1', 'close 1', 'open 2', 'close 2'])
  })

  it('that cannot start fails each call with its reason, and is tried again by the next', async () => {
    const { lifespan, events } = counted((start) =>
      start < 3 ? new Error(`no database ${start}`) : undefined,
    )
    const { view: opened, registry } = await view<Database>(
      (filled) => {
        filled.addTool({ name: 'tool', run: (_, ctx) => ctx.lifespan.open })
        filled.addResource({ uri: 'x:1', name: 'x', read: 'text' })
      },
      { lifespan },
    )
    const message = 'The lifespan of this server could not start: no database 1'
    expect(await call(opened, 'tool', {})).toEqual({ isError: true, content: [text(message)] })
    await expect(opened.resourceFor('x:1')?.read(new ScriptedInvocation())).rejects.toThrow('no database 2')
    expect((await call(opened, 'tool', {})).content).toEqual([text('3')])
    await registry.stop()
    expect(events).toEqual(['open 3', 'close 3'])
  })

  it('ends when no call holds it any more; a call that comes meanwhile waits for the next', async () => {
    const { lifespan, events } = counted()
    const [running, go] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const { view: opened, registry } = await view<Database>(
      (filled) => {
        filled.addTool({
          name: 'slow',
          run: async (_, ctx) => {
            running.resolve()
            await go.promise
            return ctx.lifespan.closed
          },
        })
        filled.addTool({ name: 'quick', run: (_, ctx) => ctx.lifespan.open })
      },
      { lifespan },
    )
    const slow = call(opened, 'slow', {})
    await running.promise
    const stopped = registry.stop()
    const quick = call(opened, 'quick', {})
    await new Promise(setImmediate)
    expect(events).toEqual(['open 1'])
    go.resolve()
    expect((await slow).content).toEqual([text('false')])
    await stopped
    expect((await quick).content).toEqual([text('2')])
    await registry.stop()
    expect(events).toEqual(['open 1', 'close 1', 'open 2', 'close 2'])
  })

  it('may be a function that gives the value and what disposes of it', async () => {
    let disposed = 0
    const { view: opened, registry } = await view(
      (filled) => filled.addTool({ name: 'tool', run: (_, ctx) => ctx.lifespan }),
      { lifespan: () => Promise.resolve({ value: 'shared', dispose: () => (disposed += 1) }) },
    )
    expect((await call(opened, 'tool', {})).content).toEqual([text('shared')])
    await registry.stop()
    expect(disposed).toBe(1)
  })

  describe('that is written wrong says so:', () => {
    it.each<[string, () => AsyncGenerator<number>, string]>([
      [
        'without a value',
        async function* () {
          await Promise.resolve()
          yield* []
        },
        'gave no value: a generator must yield it',
      ],
    ])('%s', async (_, lifespan, message) => {
      const { view: opened } = await view((filled) => filled.addTool({ name: 'tool', run: () => 1 }), {
        lifespan,
      })
      expect((await call(opened, 'tool', {})).content[0]?.['text']).toContain(message)
    })

    it('with a second value', async () => {
      const { registry } = await view(() => undefined, {
        async *lifespan() {
          await Promise.resolve()
          yield 1
          yield 2
        },
      })
      await registry.start()
      await expect(registry.stop()).rejects.toThrow('yields more than once')
    })
  })
})
