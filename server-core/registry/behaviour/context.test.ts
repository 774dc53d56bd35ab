import { describe, expect, it } from 'vitest'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

inEveryPlacement('handlers', ({ call, runTool, view }) => {
  describe('the context', () => {
    it('tells the facts of the request', async () => {
      const facts = {
        revision: '2025-11-25' as const,
        headers: { 'x-user': 'ann' },
        sessionId: 's1',
        clientInfo: { name: 'c' },
        clientCapabilities: { roots: {} },
        meta: { traceparent: 't' },
      }
      const outcome = await runTool(
        (_, ctx) => [
          ctx.revision,
          ctx.headers,
          ctx.sessionId,
          ctx.clientInfo,
          ctx.clientCapabilities,
          ctx.meta,
        ],
        new ScriptedInvocation({ facts }),
      )
      expect(outcome.content).toEqual([text(JSON.stringify(Object.values(facts)))])
    })

    it('sends progress and logs, in order and before the result', async () => {
      const invocation = new ScriptedInvocation()
      await runTool((_, ctx) => {
        ctx.progress(1)
        ctx.progress(2, 4, 'half')
        const { debug, info, notice, warning, error } = ctx.log
        debug('d')
        info({ deep: [1] }, 'part')
        notice('n')
        warning('w')
        error('e')
      }, invocation)
      expect(invocation.emissions).toEqual([
        { type: 'progress', progress: 1 },
        { type: 'progress', progress: 2, total: 4, message: 'half' },
        { type: 'log', level: 'debug', data: 'd' },
        { type: 'log', level: 'info', data: { deep: [1] }, logger: 'part' },
        { type: 'log', level: 'notice', data: 'n' },
        { type: 'log', level: 'warning', data: 'w' },
        { type: 'log', level: 'error', data: 'e' },
      ])
    })

    it('logs at any level, and lets go of its stream', async () => {
      const invocation = new ScriptedInvocation()
      await runTool((_, ctx) => {
        ctx.log('alert', { on: 'fire' }, 'engine')
        ctx.log.critical('c')
        ctx.log.emergency('e')
        ctx.releaseStream()
        ctx.releaseStream(500)
        ctx.urlCompleted('consent')
      }, invocation)
      expect(invocation.emissions).toEqual([
        { type: 'log', level: 'alert', data: { on: 'fire' }, logger: 'engine' },
        { type: 'log', level: 'critical', data: 'c' },
        { type: 'log', level: 'emergency', data: 'e' },
        { type: 'release' },
        { type: 'release', retryMs: 500 },
        { type: 'elicitation-complete', key: 'consent' },
      ])
    })

    it('has a state of its own for each call, which lasts while it waits for answers', async () => {
      const { view: opened } = await view((registry) =>
        registry.addTool({
          name: 'tool',
          run: async (_, ctx) => {
            const before = ctx.state['count']
            ctx.state['count'] = 1
            await ctx.roots()
            return [before ?? 'fresh', ctx.state['count']]
          },
        }),
      )
      const answer = () => ({ q1: { roots: [] } })
      for (let round = 0; round < 2; round += 1) {
        const outcome = await call(opened, 'tool', {}, new ScriptedInvocation({ answer }))
        expect(outcome.content).toEqual([text('["fresh",1]')])
      }
    })

    it('may be taken apart', async () => {
      const invocation = new ScriptedInvocation({
        answer: ([question]) => ({ [question?.key ?? '']: { action: 'accept', roots: [], content: {} } }),
      })
      const outcome = await runTool(
        async (_, { progress, log, elicit, elicitUrl, roots, changed, store }) => {
          progress(1)
          log.info('i')
          changed({ uri: 'x:1' })
          await store.set('a', 1)
          await elicitUrl('Open?', 'https://example.org')
          return [await elicit('Sure?', { type: 'object', properties: {} }), await roots()]
        },
        invocation,
      )
      expect(outcome.content).toEqual([text('[{},[]]')])
      expect(invocation.emissions).toHaveLength(2)
    })

    it('knows who calls, and has neither metadata nor a lifespan where nobody gave one', async () => {
      const principal = { subject: 'ann', scopes: ['notes:read'] }
      const outcome = await runTool(
        (_, ctx) => [ctx.principal, ctx.metadata, ctx.lifespan === undefined],
        new ScriptedInvocation({ facts: { principal } as never }),
      )
      expect(outcome.content).toEqual([text(JSON.stringify([principal, {}, true]))])
    })

    it('keeps values in the store of the caller', async () => {
      const invocation = new ScriptedInvocation()
      const outcome = await runTool(async (_, { store }) => {
        const value = { at: new Date(0), list: [1] }
        await store.set('a', value)
        value.list.push(2)
        await store.set('b', 2)
        await store.delete('b')
        return [await store.get('a'), (await store.get('b')) === undefined, await store.keys()]
      }, invocation)
      expect(outcome.content).toEqual([text('[{"at":"1970-01-01T00:00:00.000Z","list":[1]},true,["a"]]')])
      expect(await invocation.store.get('a')).toEqual({ at: new Date(0), list: [1] })
    })

    it('refuses what the store cannot keep', async () => {
      const outcome = await runTool((_, { store }) => store.set('f', () => 1))
      expect(outcome).toMatchObject({ isError: true, content: [{ text: expect.stringMatching(/cop/) }] })
    })

    it('tells changes', async () => {
      const invocation = new ScriptedInvocation()
      await runTool((_, ctx) => {
        ctx.changed({ kind: 'resources' })
        ctx.changed({ uri: 'x:1' })
      }, invocation)
      expect(invocation.changes).toEqual([{ kind: 'resources' }, { uri: 'x:1' }])
    })

    it('is aborted when the call is', async () => {
      const invocation = new ScriptedInvocation()
      const outcome = runTool(
        (_, { signal }) =>
          new Promise((_resolve, reject) => {
            const give = () => reject(signal.reason as Error)
            if (signal.aborted) give()
            else signal.addEventListener('abort', give)
          }),
        invocation,
      )
      invocation.controller.abort(new Error('the client went away'))
      expect(await outcome).toEqual({ isError: true, content: [text('the client went away')] })
    })
  })
})
