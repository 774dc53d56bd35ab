import { describe, expect, it } from 'vitest'
import { ErrorCode, ProtocolError } from '../protocol/errors.ts'
import { concealErrors } from '../registry/conceal-errors.ts'
import { Registry } from '../registry/registry.ts'
import { envelope, serveRegistry, type RawClient } from './raw-client.test-support.ts'

const SECRET = 'hunter2'

/** Everything that code can throw, each with a secret where nobody should look. */
const THROWN: Readonly<Record<string, () => unknown>> = {
  error: () => new Error('it broke', { cause: new Error(SECRET) }),
  members: () => Object.assign(new Error('it broke'), { password: SECRET, toJSON: () => ({ SECRET }) }),
  aggregate: () => new AggregateError([new Error(SECRET)], 'it broke'),
  object: () => ({ password: SECRET }),
  symbol: () => Symbol(),
  getter: () => ({
    get message(): string {
      throw new Error(SECRET)
    },
    toString: () => {
      throw new Error(SECRET)
    },
  }),
  nothing: () => undefined,
}

function throwing(options: ConstructorParameters<typeof Registry>[0], thrown: () => unknown): Registry {
  const registry = new Registry(options)
  const fail = () => {
    throw thrown()
  }
  registry.addTool({ name: 'fail', run: fail })
  registry.addTool({ name: 'later', run: () => Promise.reject(thrown() as Error) })
  registry.addTool({
    name: 'stream',
    run: async function* () {
      yield await Promise.resolve('one')
      fail()
    },
  })
  registry.addResource({ uri: 'test://fail', name: 'fail', read: fail })
  registry.addPrompt({ name: 'fail', arguments: [{ name: 'word' }], complete: { word: fail }, get: fail })
  return registry
}

const REQUESTS = [
  ['tools/call', { name: 'fail', arguments: {} }],
  ['tools/call', { name: 'later', arguments: {} }],
  ['tools/call', { name: 'stream', arguments: {} }],
  ['resources/read', { uri: 'test://fail' }],
  ['prompts/get', { name: 'fail', arguments: {} }],
  [
    'completion/complete',
    { ref: { type: 'ref/prompt', name: 'fail' }, argument: { name: 'word', value: '' } },
  ],
] as const

/** All that a client hears, in both eras. */
async function heard(registry: Registry): Promise<string[]> {
  const legacy = await serveRegistry(registry)
  await legacy.client.initialize()
  const modern = await serveRegistry(registry)
  const replies: string[] = []
  const ask = async (client: RawClient, more: object) => {
    for (const [method, params] of REQUESTS) {
      const reply = await client.request(method, { ...params, ...more })
      replies.push(JSON.stringify(reply.error ?? reply.result))
    }
  }
  await ask(legacy.client, {})
  await ask(modern.client, { _meta: envelope() })
  await Promise.all([legacy.server.close(), modern.server.close()])
  return replies
}

describe('what a handler throws', () => {
  it.each(Object.entries(THROWN))('is sent without stack, cause and members: %s', async (_name, thrown) => {
    const replies = await heard(throwing({}, thrown))
    expect(replies).toHaveLength(12)
    for (const reply of replies) {
      expect(reply).toMatch(/isError|-32603/)
      expect(reply).not.toMatch(/hunter2|\bat .*:\d+|\.ts\b|node:|stack|cause/)
    }
  })

  it('is sent as a reference alone where errors are concealed, and reported whole', async () => {
    const reports: [string, unknown, string][] = []
    const mapError = concealErrors((reference, error, { kind, name }) => {
      reports.push([reference, error, `${kind} ${name}`])
    })
    const thrown = new Error(`cannot read /home/x with ${SECRET}`)
    const replies = await heard(throwing({ mapError }, () => thrown))
    for (const [index, reply] of replies.entries()) {
      expect(reply).not.toMatch(/hunter2|home|cannot read/)
      expect(reply).toContain(reports[index]?.[0])
    }
    expect(reports.map(([, error]) => error)).toEqual(replies.map(() => thrown))
    expect(new Set(reports.map(([, , where]) => where))).toEqual(
      new Set(['tool fail', 'tool later', 'tool stream', 'resource fail', 'prompt fail', 'completion fail']),
    )
  })

  it('is concealed too where it kept the handlers from starting', async () => {
    const reports: unknown[] = []
    const options = {
      mapError: concealErrors((_reference, error) => reports.push(error)),
      lifespan: () => Promise.reject(new Error(`no database at postgres://admin:${SECRET}@db`)),
    }
    for (const reply of await heard(throwing(options, () => undefined))) {
      expect(reply).not.toMatch(/hunter2|postgres/)
      expect(reply).toContain('The log of the server says why')
    }
    expect(reports).toHaveLength(12)
    expect(String(reports[0])).toContain(SECRET)
  })

  it('stays what it is, concealed or not, if it is meant as the answer', async () => {
    const mapError = concealErrors(() => {
      throw new Error('nothing to report')
    })
    const error = () => new ProtocolError(ErrorCode.invalidParams, 'no such city', { city: 'x' })
    for (const reply of await heard(throwing({ mapError }, error))) {
      expect(JSON.parse(reply)).toEqual({ code: -32602, message: 'no such city', data: { city: 'x' } })
    }
  })
})
