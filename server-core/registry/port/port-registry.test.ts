import { MessageChannel, Worker } from 'node:worker_threads'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { ErrorCode } from '../../protocol/errors.ts'
import type { HandlerContext } from '../context.ts'
import type { RegistryChange } from '../entries.ts'
import { Registry } from '../registry.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { messagePortEndpoint, type MessageEndpoint } from './message-endpoint.ts'
import { portRegistry, type PortRegistry, type PortRegistryOptions } from './port-registry.ts'
import { serveInvocations } from './serve-invocations.ts'

const open: PortRegistry[] = []
afterEach(() => {
  vi.useRealTimers()
  for (const registry of open.splice(0)) registry.close()
})

/** Serves a fresh registry for each channel that is opened; returns the view and the far ends, newest last. */
async function across(
  fill: (registry: Registry, start: number) => void,
  more: Partial<PortRegistryOptions> = {},
) {
  const far: MessageEndpoint[] = []
  const gone: string[] = []
  const view = await portRegistry({
    open: () => {
      const { port1, port2 } = new MessageChannel()
      const end = messagePortEndpoint(port2)
      far.push(end)
      const registry = new Registry()
      fill(registry, far.length)
      serveInvocations(end, registry)
      return Promise.resolve(messagePortEndpoint(port1))
    },
    onGone: (reason) => gone.push(reason),
    ...more,
  })
  open.push(view)
  return { view, far, gone }
}

const never = (_: unknown, { signal }: HandlerContext) =>
  new Promise<never>((_resolve, reject) => {
    signal.addEventListener('abort', () => {
      reject(signal.reason as Error)
    })
  })

describe('when the other side ends', () => {
  it('calls in flight fail saying so, and the next call starts a new one', async () => {
    const { view, far, gone } = await across((registry, start) => {
      registry.addTool({
        name: 'die',
        run: () => {
          far.at(-1)?.close()
          return new Promise(() => undefined)
        },
      })
      registry.addTool({ name: 'start', run: () => start })
      registry.addResource({ uri: 'x:die', name: 'x', read: () => new Promise(() => undefined) })
    })
    const read = view.resourceFor('x:die')?.read(new ScriptedInvocation())
    const outcome = await view.tool('die')?.invoke({}, new ScriptedInvocation())
    expect(outcome?.isError).toBe(true)
    expect(outcome?.content[0]?.['text']).toBe(
      'The process that runs the handlers closed its port. This call got no result; the next one starts a new process.',
    )
    await expect(read).rejects.toMatchObject({ name: 'ProtocolError', code: ErrorCode.internalError })
    expect(gone).toEqual(['closed its port'])
    const next = await view.tool('start')?.invoke({}, new ScriptedInvocation())
    expect(next?.content).toEqual([{ type: 'text', text: '2' }])
  })

  it('reports the differences of the new one as a change', async () => {
    const { view, far } = await across((registry, start) => {
      registry.addTool({ name: `tool${start}`, run: () => start })
      registry.addPrompt({ name: 'same', get: () => 'x' })
    })
    const changes: RegistryChange[] = []
    view.onChange((change) => changes.push(change))
    const prompts = view.prompts()
    far[0]?.close()
    const outcome = await Promise.resolve(view.tool('tool1')?.invoke({}, new ScriptedInvocation())).catch(
      (error: unknown) => error,
    )
    // The first try may still meet the old channel; the second one cannot.
    await view.prompt('same')?.get({}, new ScriptedInvocation())
    expect(outcome).toBeDefined()
    expect(changes).toEqual([{ type: 'list', kind: 'tools' }])
    expect(view.tools().map(({ name }) => name)).toEqual(['tool2'])
    expect(view.prompts()).toBe(prompts)
  })

  it('aborts its handlers when the caller has ended', async () => {
    const aborted = Promise.withResolvers<string>()
    const started = Promise.withResolvers<undefined>()
    const { view } = await across((registry) => {
      registry.addTool({
        name: 'wait',
        run: (_, { signal }) => {
          started.resolve(undefined)
          return new Promise(() => {
            signal.addEventListener('abort', () => {
              aborted.resolve((signal.reason as Error).message)
            })
          })
        },
      })
    })
    const call = view.tool('wait')?.invoke({}, new ScriptedInvocation())
    await started.promise
    view.close()
    expect(await aborted.promise).toBe('The caller closed its port.')
    expect((await call)?.isError).toBe(true)
  })
})

describe('a stop', () => {
  it('has the other side clean up once, aborts what runs there, and ends it', async () => {
    const events: string[] = []
    const running = Promise.withResolvers<void>()
    const registry = new Registry({
      lifespan: () => ({ value: 'shared', dispose: () => void events.push('disposed') }),
    })
    registry.addTool({
      name: 'wait',
      run: (args, ctx) => {
        running.resolve()
        return never(args, ctx).finally(() => events.push(`ended with ${ctx.lifespan}`))
      },
    })
    const { port1, port2 } = new MessageChannel()
    const { over } = serveInvocations(messagePortEndpoint(port2), registry)
    const view = await portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)) })
    const call = view.tool('wait')?.invoke({}, new ScriptedInvocation())
    await running.promise
    await view.stop()
    expect(await call).toMatchObject({ isError: true, content: [{ text: 'The server stops.' }] })
    await over
    expect(events).toEqual(['ended with shared', 'disposed'])
  })

  it('reports what the clean-up threw', async () => {
    const registry = new Registry({
      lifespan: () => ({
        value: 1,
        dispose: () => {
          throw new Error('the disk is full')
        },
      }),
    })
    const { port1, port2 } = new MessageChannel()
    serveInvocations(messagePortEndpoint(port2), registry)
    const view = await portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)) })
    await registry.start()
    await expect(view.stop()).rejects.toThrow('the disk is full')
  })
})

describe('a start that fails', () => {
  it('says why', async () => {
    const { port1, port2 } = new MessageChannel()
    port2.close()
    await expect(portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)) })).rejects.toThrow(
      'The process that should run the handlers closed its port.',
    )
    await expect(portRegistry({ open: () => Promise.reject(new Error('no such file')) })).rejects.toThrow(
      'no such file',
    )
  })

  it('by silence is given up', async () => {
    const { port1 } = new MessageChannel()
    await expect(
      portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)), startTimeoutMs: 20 }),
    ).rejects.toThrow('said nothing for 0.02 s after its start')
  })

  it.each([
    ['no object', 1],
    ['an unknown type', { type: 'hello' }],
    ['invalid definitions', { type: 'definitions', definitions: { tools: [{}] } }],
    [
      'definitions with holes',
      {
        type: 'definitions',
        definitions: {
          tools: Array(1),
          resources: [],
          prompts: [],
          templates: [],
          listStabilities: { tools: 'changes', resources: 'changes', prompts: 'changes' },
        },
      },
    ],
    [
      'a broken URI template',
      {
        type: 'definitions',
        definitions: {
          tools: [],
          resources: [],
          prompts: [],
          templates: [{ name: 'x', uriTemplate: '{' }],
          listStabilities: { tools: 'changes', resources: 'changes', prompts: 'changes' },
        },
      },
    ],
  ])('by sending %s ends it', async (_, message) => {
    const { port1, port2 } = new MessageChannel()
    port2.postMessage(message)
    await expect(portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)) })).rejects.toThrow(
      /sent a message that the registry port does not define|never closed/,
    )
  })
})

it('says what may become of each kind: what is fixed over there may differ after a new start', async () => {
  const { port1, port2 } = new MessageChannel()
  serveInvocations(
    messagePortEndpoint(port2),
    new Registry({ listStabilities: { tools: 'fixed', prompts: 'may-appear' } }),
  )
  const view = await portRegistry({ open: () => Promise.resolve(messagePortEndpoint(port1)) })
  open.push(view)
  expect([
    view.listStability('tools'),
    view.listStability('resources'),
    view.listStability('prompts'),
  ]).toEqual(['changes', 'changes', 'may-appear'])
})

describe('time limits', () => {
  it('end the call of a handler that ignores its abort, and leave the other side alive', async () => {
    const { view, gone } = await across(
      (registry, start) => {
        registry.addTool({ name: 'deaf', timeout: 20, run: () => new Promise(() => undefined) })
        registry.addTool({ name: 'start', run: () => start })
      },
      // Both sides are in this process, which may have little time.
      { graceMs: 250 },
    )
    const outcome = await view.tool('deaf')?.invoke({}, new ScriptedInvocation())
    expect(outcome).toMatchObject({
      isError: true,
      content: [{ text: 'The handler did not answer within its time limit of 0.02 s.' }],
    })
    expect(await view.tool('start')?.invoke({}, new ScriptedInvocation())).toMatchObject({
      content: [{ text: '1' }],
    })
    expect(gone).toEqual([])
  })

  it('end nobody who answered the abort while this side itself had no time to read it', async () => {
    const { port1, port2 } = new MessageChannel()
    const near = messagePortEndpoint(port1)
    const served = { tools: [{ name: 'deaf', inputSchema: {}, timeoutMs: 20 }] }
    const definitions = {
      resources: [],
      templates: [],
      prompts: [],
      listStabilities: { tools: 'fixed', resources: 'fixed', prompts: 'fixed' },
      ...served,
    }
    const end: MessageEndpoint = {
      ...near,
      closed: near.closed,
      post: (message) => {
        const { type, call } = message as { readonly type: string; readonly call: number }
        if (type !== 'abort') return
        setImmediate(() => {
          port2.postMessage({ type: 'aborted', call })
          Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 60)
        })
      },
    }
    port2.postMessage({ type: 'definitions', definitions })
    const view = await portRegistry({ open: () => Promise.resolve(end), graceMs: 20 })
    open.push(view)
    expect(await view.tool('deaf')?.invoke({}, new ScriptedInvocation())).toMatchObject({
      isError: true,
      content: [{ text: 'The handler did not answer within its time limit of 0.02 s.' }],
    })
  })

  it('abort a handler that listens', async () => {
    const { view } = await across((registry) => registry.addTool({ name: 'slow', timeout: 20, run: never }))
    expect(await view.tool('slow')?.invoke({}, new ScriptedInvocation())).toMatchObject({
      isError: true,
      content: [{ text: 'The time limit of 0.02 s has passed.' }],
    })
  })

  it('do not count the time that a handler waits for the client', async () => {
    const { view } = await across(
      (registry) =>
        registry.addTool({ name: 'ask', timeout: 60, run: async (_, ctx) => (await ctx.roots()).length }),
      { graceMs: 20 },
    )
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] })
    const answer = () => {
      vi.advanceTimersByTime(200)
      return { q1: { roots: [] } }
    }
    expect(await view.tool('ask')?.invoke({}, new ScriptedInvocation({ answer }))).toEqual({
      content: [{ type: 'text', text: '0' }],
    })
  })

  it('end a thread that a handler blocks', async () => {
    const source = `
      import { parentPort } from 'node:worker_threads'
      const { Registry } = await import(${JSON.stringify(new URL('../registry.ts', import.meta.url).href)})
      const { serveInvocations } = await import(${JSON.stringify(new URL('./serve-invocations.ts', import.meta.url).href)})
      const { messagePortEndpoint } = await import(${JSON.stringify(new URL('./message-endpoint.ts', import.meta.url).href)})
      const registry = new Registry()
      registry.addTool({ name: 'loop', timeout: 50, run: () => { for (;;); } })
      registry.addTool({ name: 'fine', run: () => 'fine' })
      serveInvocations(messagePortEndpoint(parentPort), registry)`
    const view = await portRegistry({
      open: () => {
        const worker = new Worker(new URL(`data:text/javascript,${encodeURIComponent(source)}`))
        return Promise.resolve(workerEnd(worker))
      },
      graceMs: 50,
    })
    open.push(view)
    const beside = view.tool('fine')?.invoke({}, new ScriptedInvocation())
    const outcome = await view.tool('loop')?.invoke({}, new ScriptedInvocation())
    expect(outcome).toMatchObject({
      isError: true,
      content: [{ text: expect.stringContaining('blocked it beyond its time limit of 0.05 s') }],
    })
    expect(await beside).toMatchObject({ content: [{ text: 'fine' }] })
    expect(await view.tool('fine')?.invoke({}, new ScriptedInvocation())).toMatchObject({
      content: [{ text: 'fine' }],
    })
  })
})

function workerEnd(worker: Worker): MessageEndpoint {
  return {
    post: (message) => {
      worker.postMessage(message)
    },
    onMessage: (listener) => {
      worker.on('message', listener)
    },
    closed: new Promise((resolve) => {
      worker.once('exit', (code) => {
        resolve(`exited with code ${code}`)
      })
    }),
    close: () => {
      void worker.terminate()
    },
  }
}

it('nothing that a handler sends after its result arrives', async () => {
  const late = Promise.withResolvers<undefined>()
  const { view } = await across((registry) => {
    registry.addTool({
      name: 'late',
      run: (_, ctx) => {
        setImmediate(() => {
          ctx.progress(1)
          late.resolve(undefined)
        })
        return 'done'
      },
    })
    registry.addTool({ name: 'next', run: () => 'next' })
  })
  const invocation = new ScriptedInvocation()
  await view.tool('late')?.invoke({}, invocation)
  await late.promise
  await view.tool('next')?.invoke({}, new ScriptedInvocation())
  expect(invocation.emissions).toEqual([])
})
