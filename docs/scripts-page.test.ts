import { readFileSync } from 'node:fs'
import { rm } from 'node:fs/promises'
import path from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { MemoryStore } from '../server-core/registry/memory-store.ts'
import { ScriptedInvocation } from '../server-core/registry/scripted-invocation.test-support.ts'
import type { LoadedScript } from '../server-core/scripts/script-host.ts'
import {
  builtModules,
  call,
  said,
  ScriptWorkspace,
} from '../server-core/scripts/testing/script-workspace.test-support.ts'

/** The files that the page shows: each begins with a comment that says where it stands. */
const shown = Object.fromEntries(
  Array.from(
    readFileSync(path.join(import.meta.dirname, 'scripts.md'), 'utf8').matchAll(
      /^```ts\n\/\/ (\S+)\n(.*?)^```$/gms,
    ),
    ([, file = '', text = '']) => [file, text],
  ),
)

let modules = ''
let workspace: ScriptWorkspace
const scripts = new Map<string, LoadedScript>()
const script = (file: string) => scripts.get(file) ?? expect.fail(`${file} is not on the page`)

beforeAll(async () => {
  modules = await builtModules()
  workspace = await ScriptWorkspace.open(modules, shown)
  const files = Object.keys(shown).filter((file) => !file.startsWith('lib/'))
  for (const file of files) scripts.set(file, await workspace.host.load(file))
})
afterAll(async () => {
  await workspace.close()
  await rm(modules, { recursive: true, force: true })
})

it('shows a workspace that works', async () => {
  expect([...scripts.keys()].toSorted()).toEqual([
    'patchbay.config.ts',
    'prompts/pack.ts',
    'resources/places.ts',
    'tools/countdown.ts',
    'tools/distance.ts',
    'tools/forecast.ts',
    'tools/units.js',
    'tools/visits.ts',
  ])
  expect(script('patchbay.config.ts').config).toMatchObject({ name: 'travel', environment: ['TRAVEL_KEY'] })

  const answering = new ScriptedInvocation({
    answer: () => ({ q1: { action: 'accept', content: { unit: 'F' } } }),
  })
  const forecast = await call(script('tools/forecast.ts'), 'forecast', { city: 'Oslo' }, answering)
  expect(forecast.structured).toEqual({ city: 'Oslo', highs: [68, 69, 70] })
  await expect(call(script('tools/forecast.ts'), 'forecast', { city: 'Moon' })).rejects.toMatchObject({
    message: 'Forbidden by guard "no-moon": Nobody packs for that.',
  })

  expect(script('tools/distance.ts').view.tool('distance')).toMatchObject({
    description: 'Distance between two cities, as the crow flies.',
    tags: ['travel'],
    inputSchema: {
      properties: {
        from: { description: 'City to start from.' },
        to: { description: 'City to end at.' },
        unit: { description: 'Unit of the result.' },
      },
    },
  })

  const units = script('tools/units.js')
  expect(said(await call(units, 'celsius', { fahrenheit: 68 }))).toBe('20.0 °C')
  expect((await call(units, 'kelvin', { celsius: 0 })).structured).toEqual({ kelvin: 273.15 })
  expect(await call(units, 'kelvin', { celsius: -300 })).toMatchObject({ isError: true })

  const { view } = script('resources/places.ts')
  const invocation = new ScriptedInvocation()
  expect(await view.resourceFor('places://all')?.read(invocation)).toMatchObject({
    contents: [{ text: 'oslo\nrome' }],
  })
  expect(await view.resourceFor('places://one/rome')?.read(invocation)).toMatchObject({
    contents: [{ text: 'Rome, on seven hills.' }],
  })
  await expect(view.resourceFor('places://one/nowhere')?.read(invocation)).rejects.toThrow(
    'There is no resource',
  )
  expect(
    await script('prompts/pack.ts').view.prompt('pack')?.get({ city: 'Rome' }, invocation),
  ).toMatchObject({
    messages: [{ content: { text: 'I go to Rome for 3 days. What should I pack?' } }],
  })

  const store = new MemoryStore()
  const visits = () => call(script('tools/visits.ts'), 'visits', {}, new ScriptedInvocation({ store }))
  expect(said(await visits())).toBe('Visit 1')
  expect(said(await visits())).toBe('Visit 2')

  await workspace.host.close()
  expect(await workspace.event('output', ({ text }) => text === 'visits visits')).toMatchObject({
    file: 'tools/visits.ts',
  })
})
