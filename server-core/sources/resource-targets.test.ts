import { expect, it } from 'vitest'
import type { RegistryView } from '../registry/entries.ts'
import { ResourceNotFoundError } from '../registry/errors.ts'
import { ForwardedView } from '../registry/forwarded-view.ts'
import { Registry } from '../registry/registry.ts'
import { ScriptedInvocation } from '../registry/scripted-invocation.test-support.ts'
import { composeRegistry } from './compose.ts'

/** Another server that lists nothing and knows one resource. */
class UnlistedServer extends ForwardedView {
  readonly #known: string
  readonly subscribed: string[] = []

  constructor(known: string) {
    super(new Registry())
    this.#known = known
  }

  override get upstream(): NonNullable<RegistryView['upstream']> {
    return {
      offers: () => true,
      subscribe: (uri) => {
        if (uri !== this.#known) return Promise.reject(new ResourceNotFoundError(uri))
        this.subscribed.push(uri)
        return Promise.resolve(() => void this.subscribed.pop())
      },
      session: () => ({ onMessage: () => undefined, ended: () => undefined }),
    }
  }

  override resourceFor(uri: string): ReturnType<RegistryView['resourceFor']> {
    return {
      reentrant: true,
      read: () =>
        uri === this.#known
          ? Promise.resolve({ contents: [{ uri, text: this.#known }] })
          : Promise.reject(new ResourceNotFoundError(uri)),
    }
  }
}

function twoServers() {
  const first = new UnlistedServer('test://first')
  const second = new UnlistedServer('test://second')
  const registry = composeRegistry([
    { id: 'first', origin: { kind: 'proxy', label: 'first' }, view: first },
    { id: 'second', origin: { kind: 'proxy', label: 'second' }, view: second },
  ])
  return { registry, second }
}

it('reads a resource that no server lists from the server that knows it', async () => {
  const { registry } = twoServers()
  const read = (uri: string) => registry.resourceFor(uri)?.read(new ScriptedInvocation())
  await expect(read('test://second')).resolves.toMatchObject({ contents: [{ text: 'test://second' }] })
  await expect(read('test://other')).rejects.toThrow(ResourceNotFoundError)
})

it('subscribes to a resource that no server lists at the server that knows it', async () => {
  const { registry, second } = twoServers()
  const unsubscribe = await registry.upstream.subscribe('test://second')
  expect(second.subscribed).toEqual(['test://second'])
  unsubscribe()
  expect(second.subscribed).toEqual([])
  await expect(registry.upstream.subscribe('test://other')).rejects.toThrow(ResourceNotFoundError)
})
