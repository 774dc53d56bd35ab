import { ORPCError } from '@orpc/client'
import { expect, it } from 'vitest'
import type { LanguageServerEvent } from '../../../server-core/host/contract/editor.ts'
import { HostTransport, type LanguageHost } from './host-transport.ts'

/** A host whose language server answers every batch with what it was sent, once `let go`. */
function hostOf(events: AsyncIterable<LanguageServerEvent>) {
  const sent: string[][] = []
  const gates: (() => void)[] = []
  const host: LanguageHost = {
    attach: () => Promise.resolve(events),
    send: ({ messages }) => {
      sent.push(messages)
      return new Promise((resolve) => gates.push(() => resolve({ taken: true })))
    },
  }
  return { host, sent, letGo: () => gates.shift()?.() }
}

it('sends one batch after another, in order, and nothing before the server runs', async () => {
  const start = Promise.withResolvers<undefined>()
  const end = Promise.withResolvers<undefined>()
  async function* events(): AsyncGenerator<LanguageServerEvent> {
    await start.promise
    yield { type: 'started', session: 's' }
    yield { type: 'messages', messages: ['{"a":1}', '{"b":2}'] }
    await end.promise
    yield { type: 'ended', reason: 'idle', detail: 'unused' }
  }
  const { host, sent, letGo } = hostOf(events())
  const transport = new HostTransport(host)
  const heard: string[] = []
  transport.subscribe((text) => heard.push(text))
  transport.send('first')
  transport.send('second')
  const over = transport.run(false)
  expect(sent).toEqual([])
  start.resolve(undefined)
  await expect.poll(() => sent).toEqual([['first', 'second']])
  transport.send('third')
  transport.send('fourth')
  expect(sent).toHaveLength(1)
  letGo()
  await expect
    .poll(() => sent)
    .toEqual([
      ['first', 'second'],
      ['third', 'fourth'],
    ])
  expect(heard).toEqual(['{"a":1}', '{"b":2}'])
  end.resolve(undefined)
  expect(await over).toEqual({ reason: 'idle', detail: 'unused' })
})

it('tells a refusal of the host from a connection that is lost', async () => {
  const { host } = hostOf((async function* () {})())
  const failing = (error: Error): HostTransport =>
    new HostTransport({ ...host, attach: () => Promise.reject(error) })
  const refusal = new ORPCError('NOT_TRUSTED', { message: 'trust it first' })
  expect(await failing(refusal).run(false)).toEqual({ reason: 'refused', detail: 'trust it first' })
  expect(await failing(new Error('closed')).run(false)).toEqual({ reason: 'lost' })
  expect(await new HostTransport(host).run(false)).toEqual({ reason: 'lost' })
})
