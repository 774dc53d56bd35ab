import { afterEach, describe, expect, it } from 'vitest'
import { callTool } from '../../client/requests/call-tool.ts'
import type { Responder } from '../../client/responders.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { Revision } from '../../protocol/revisions.ts'
import { ClientAnswerError } from '../../registry/answers.ts'
import { Registry } from '../../registry/registry.ts'
import { createProxy } from './proxy.ts'
import { clientOf, Closing, inMemory, serverOf, upstreamBy } from './proxy.test-support.ts'

const closing = new Closing()
afterEach(() => closing.close())

const LEGACY: readonly Revision[] = ['2025-06-18', '2025-11-25']

/** What a server behind a proxy gets when the client in front answers its question so. */
async function heardBehind(upstream: Revision, front: Revision, answer: Responder): Promise<unknown> {
  const registry = new Registry()
  const heard = Promise.withResolvers<unknown>()
  registry.addTool({
    name: 'ask',
    run: async (_args, ctx) => {
      try {
        const messages = [{ role: 'user', content: { type: 'text', text: 'hi' } }] as const
        heard.resolve(await ctx.sample(messages, { maxTokens: 1 }))
      } catch (error) {
        heard.resolve(error)
      }
      return 'asked'
    },
  })
  const proxy = createProxy({
    servers: [{ open: upstreamBy(inMemory(serverOf(registry, closing, [upstream]))) }],
    info: { name: 'proxy', version: '1' },
    limits: { suspendedRunMs: 200 },
  })
  closing.add(() => proxy.close())
  const client = await clientOf(inMemory(proxy), closing, {
    protocol: front,
    responders: { sampling: { answer } },
  })
  await callTool(client, { name: 'ask' })
  return heard.promise
}

describe.each(LEGACY)('a client of %s that does not answer a question', (front) => {
  it.each(LEGACY)('sends its own error to a server of %s: code, message and data', async (upstream) => {
    const error = await heardBehind(upstream, front, () =>
      Promise.reject(new ProtocolError(-1, 'User rejected sampling', { why: 'busy' })),
    )
    expect(error).toBeInstanceOf(ClientAnswerError)
    expect(error).toMatchObject({ code: -1, data: { why: 'busy' } })
    expect(String(error)).toContain('User rejected sampling')
  })

  it.each(LEGACY)('lets a server of %s know why there is no answer', async (upstream) => {
    const error = await heardBehind(upstream, front, () => new Promise(() => undefined))
    expect(error).toMatchObject({ code: -32_603 })
    expect(String(error)).toContain('the client did not answer sampling/createMessage within')
  })
})
