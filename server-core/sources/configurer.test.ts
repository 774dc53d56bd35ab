import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, expect, it } from 'vitest'
import { Closing, inMemory, serverOf, upstreamBy } from './proxy/proxy.test-support.ts'
import { Registry } from '../registry/registry.ts'
import { composeRegistry } from './compose.ts'
import { compositionSchema, type CompositionInput } from './config-data.ts'
import { Configurer } from './configurer.ts'

const closing = new Closing()
afterEach(() => closing.close())

async function configurer() {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-configurer-'))
  closing.add(() => rm(folder, { recursive: true, force: true }))
  await writeFile(path.join(folder, 'a.txt'), 'a')
  const registry = new Registry()
  registry.addTool({ name: 'echo', run: ({ text }) => String(text) })
  const mounted = new Registry()
  mounted.addTool({ name: 'sing', run: () => 'la' })
  const log: string[] = []
  const approved = new Set(['far'])
  const made = new Configurer({
    folder,
    identity: { name: 'test', version: '1' },
    file: 'patchbay.config.ts',
    secretOf: () => Promise.resolve(undefined),
    upstream: (server) =>
      approved.has(server)
        ? Promise.resolve(upstreamBy(inMemory(serverOf(registry, closing))))
        : Promise.reject(new Error(`"${server}" is not approved`)),
    openMount: (given) => {
      log.push(`open ${given}`)
      return Promise.resolve({
        view: mounted,
        close: () => {
          log.push(`close ${given}`)
          return Promise.resolve()
        },
      })
    },
    retryMs: 5,
  })
  return {
    approved,
    log,
    configure: (input: CompositionInput) => made.configure(compositionSchema.parse(input)),
  }
}

it('opens what a configuration names, keeps what the next one names too, and closes the rest', async () => {
  const { log, configure, approved } = await configurer()
  const first = await configure({
    mounts: [{ folder: '../birds', prefix: 'birds' }],
    proxies: [
      { server: 'far', prefix: 'far' },
      { server: 'other', prefix: 'other' },
    ],
    files: ['a.txt'],
    openapi: [{ document: 'none.yaml' }],
  })
  const composed = composeRegistry(first.sources)
  expect(composed.tools().map(({ name }) => name)).toEqual(['birds.sing', 'far.echo'])
  expect(composed.resources().map(({ uri }) => uri)).toEqual(['file:///a.txt'])
  expect(composed.entries()[0]?.origin).toEqual({
    kind: 'mount',
    label: '../birds',
    file: 'patchbay.config.ts',
  })
  expect(first.faults().map(({ message }) => message)).toEqual([
    'proxy "other": "other" is not approved',
    expect.stringMatching(/^openapi "none.yaml": there is no file /),
  ])
  approved.add('other')
  const second = await configure({
    mounts: [{ folder: '../birds', prefix: 'birds' }],
    proxies: [{ server: 'other', prefix: 'other' }],
  })
  expect(second.faults()).toEqual([])
  expect(second.sources[0]).toBe(first.sources[0])
  await first.close()
  expect(log).toEqual(['open ../birds'])
  expect(
    composeRegistry(second.sources)
      .tools()
      .map(({ name }) => name),
  ).toEqual(['birds.sing', 'other.echo'])
  await second.close()
  expect(log).toEqual(['open ../birds', 'close ../birds'])
})
