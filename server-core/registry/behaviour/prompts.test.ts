import { describe, expect, it } from 'vitest'
import { ErrorCode } from '../../protocol/errors.ts'
import type { RegistryView } from '../entries.ts'
import { ScriptedInvocation } from '../scripted-invocation.test-support.ts'
import { inEveryPlacement, text } from './setup.test-support.ts'

inEveryPlacement('prompts and completion', ({ view }) => {
  describe('prompts', () => {
    const opened = () =>
      view((registry) => {
        registry.addPrompt({
          name: 'review',
          title: 'Review',
          description: 'Reviews a text.',
          arguments: [
            { name: 'topic', title: 'Topic', description: 'About what', required: true },
            { name: 'tone' },
          ],
          complete: {
            tone: (value, _, { topic }) =>
              Array.from({ length: 250 }, (__, i) => `${topic ?? ''}${value}${i}`),
          },
          get: ({ topic, tone }) => [
            `About ${topic}`,
            {
              role: 'assistant',
              content: [
                text(tone ?? 'calm'),
                { type: 'audio', data: new Uint8Array([0]), mimeType: 'audio/wav' },
              ],
            },
          ],
        })
        registry.addPrompt({ name: 'plain', get: () => ({ description: 'mine', messages: ['hello'] }) })
        registry.addPrompt({ name: 'odd', get: () => ({ content: { type: 'nothing' } }) })
      })
    const get = async (registry: RegistryView, name: string, args: Record<string, string>) =>
      registry.prompt(name)?.get(args, new ScriptedInvocation())

    it('tell their arguments and give their messages', async () => {
      const { view: registry } = await opened()
      expect(registry.prompts()[0]).toMatchObject({
        name: 'review',
        title: 'Review',
        arguments: [
          { name: 'topic', title: 'Topic', description: 'About what', required: true },
          { name: 'tone' },
        ],
      })
      expect(await get(registry, 'review', { topic: 'cats' })).toEqual({
        description: 'Reviews a text.',
        messages: [
          { role: 'user', content: text('About cats') },
          { role: 'assistant', content: text('calm') },
          { role: 'assistant', content: { type: 'audio', data: 'AA==', mimeType: 'audio/wav' } },
        ],
      })
      expect(await get(registry, 'plain', {})).toEqual({
        description: 'mine',
        messages: [{ role: 'user', content: text('hello') }],
      })
    })

    it('reject missing and undeclared arguments, and invalid content', async () => {
      const { view: registry } = await opened()
      const { invalidParams, internalError } = ErrorCode
      await expect(get(registry, 'review', {})).rejects.toMatchObject({
        code: invalidParams,
        message: 'Prompt "review" needs the argument "topic".',
      })
      await expect(get(registry, 'review', { topic: 'a', x: '1' })).rejects.toMatchObject({
        code: invalidParams,
        message: 'Prompt "review" has no argument "x"; it takes topic, tone.',
      })
      await expect(get(registry, 'odd', {})).rejects.toMatchObject({ code: internalError })
    })

    it('complete at most 100 values, knowing the other arguments', async () => {
      const { view: registry } = await opened()
      const ref = { type: 'ref/prompt' as const, name: 'review' }
      const outcome = await registry.complete(
        ref,
        { name: 'tone', value: 'v' },
        { topic: 'cats-' },
        new ScriptedInvocation(),
      )
      expect(outcome).toMatchObject({ total: 250, hasMore: true })
      expect(outcome?.values).toHaveLength(100)
      expect(outcome?.values[0]).toBe('cats-v0')
      const unknown = { type: 'ref/prompt' as const, name: 'nope' }
      expect(
        await registry.complete(unknown, { name: 'a', value: '' }, {}, new ScriptedInvocation()),
      ).toBeUndefined()
    })
  })
})
