import { cp, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import {
  call,
  connect,
  SDKS,
  serveWorkspace,
  SLOW,
  textOf,
  type Place,
  type Sdk,
} from '../workspace-clients.test-support.ts'
import type { Identification } from './lib/report.ts'

let folder = ''
const served = serveWorkspace(async (temporary) => {
  // A copy: its rules are edited below.
  folder = path.join(temporary, 'birds')
  await cp(import.meta.dirname, folder, { recursive: true })
  return { folder }
})

type Way = readonly [name: string, sdk: Sdk, place: () => Place]
const overHttp = SDKS.map((sdk): Way => [`${sdk}, HTTP`, sdk, () => ({ url: served.url })])
const overStdio = SDKS.map((sdk): Way => [`${sdk}, stdio`, sdk, () => ({ folder })])

/** What somebody saw of a male mallard, by the question for it. */
const SEEN: Readonly<Record<string, string>> = {
  'What is its bill like?': 'flat',
  'What are its feet like?': 'webbed',
  'How does it feed?': 'surface',
  'How does it fly?': 'agile',
  'What is most striking about its head?': 'green',
  'What does it eat?': 'plants',
  'What is its main colour?': 'bright',
  'How large is it?': 'medium',
  'Where does it live?': 'fresh_water',
  'What are its wings like?': 'unknown',
  'What does it sound like?': 'unknown',
}

describe.each([...overHttp, ...overStdio.slice(2)])('the expert, for %s', SLOW, (_name, sdk, place) => {
  it('asks the user for what it needs, and nothing else', async () => {
    const asked: string[] = []
    const peer = await connect(sdk, place(), ({ message, requestedSchema }) => {
      asked.push(message)
      // The form offers only what decides something.
      const seen = SEEN[message] ?? 'other'
      const isOffered = JSON.stringify(requestedSchema).includes(`"const":"${seen}"`)
      return { action: 'accept', content: { answer: isOffered ? seen : 'other' } }
    })
    const found = (await call(peer, 'identify_bird', { facts: { bill: 'flat' } })) as Identification
    expect(found).toMatchObject({
      status: 'identified',
      bird: { id: 'mallard', name: 'Mallard', uri: 'birds://bird/mallard' },
      why: [
        'order = waterfowl: because feet = webbed and bill = flat',
        'family = duck: because order = waterfowl and feeds = surface and flight = agile',
        'Mallard: because family = duck and head = green',
      ],
    })
    expect(asked).not.toContain('What is its bill like?')
    expect(asked.length).toBeLessThanOrEqual(8)
    expect(new Set(asked).size).toBe(asked.length)
    // Who knows all is asked nothing.
    asked.length = 0
    expect(await call(peer, 'identify_bird', { facts: found.facts })).toMatchObject({ status: 'identified' })
    expect(asked).toEqual([])
  })
})

describe.each([...overHttp, ...overStdio.slice(0, 1)])('the expert, for %s', SLOW, (_name, sdk, place) => {
  it('says what it needs to know where nobody can be asked', async () => {
    const peer = await connect(sdk, place())
    const known: Record<string, string> = {}
    let rounds = 0
    for (;;) {
      const told = (await call(peer, 'identify_bird', { facts: known })) as Identification
      if (told.need === undefined) {
        expect(told).toMatchObject({ status: 'identified', bird: { id: 'mallard' } })
        break
      }
      expect(told.status).toBe('need')
      const choices = told.need.choices.map(({ value }) => value)
      expect(choices).toEqual(expect.arrayContaining(['other', 'unknown']))
      const seen = SEEN[told.need.question] ?? 'other'
      known[told.need.attribute] = choices.includes(seen) ? seen : 'other'
      rounds += 1
    }
    expect(rounds).toBeLessThanOrEqual(9)
    const needed = await peer.callTool({ name: 'identify_bird', arguments: { facts: { feet: 'wading' } } })
    expect(needed.content[0]?.text).toMatch(/^I need to know \w+: .*\n- /)
  })
})

it.each(SDKS)('explains birds, lists them, and helps to ask, for %s', async (sdk) => {
  const peer = await connect(sdk, { url: served.url })
  const facts = { feet: 'talons', bill: 'hooked', awake: 'night', head: 'ear_tufts' }
  expect(await call(peer, 'explain_bird', { bird: 'great_horned_owl', facts })).toMatchObject({
    verdict: 'may fit',
    ways: [{ holds: facts, missing: { voice: 'hoot' }, against: {} }],
  })
  expect(await call(peer, 'explain_bird', { bird: 'barn_owl', facts })).toMatchObject({
    verdict: 'does not fit',
    ways: [{ against: { head: 'heart_face' } }],
  })
  expect(await textOf(peer, 'birds://bird/great_egret')).toContain('# Great egret\n\n*Ardea alba*')
  expect(await textOf(peer, 'birds://birds')).toContain('[Barn owl](birds://bird/barn_owl)')
  await expect(peer.readResource({ uri: 'birds://bird/dodo' })).rejects.toThrow('birds://bird/dodo')
  const { completion } = await peer.complete({
    ref: { type: 'ref/resource', uri: 'birds://bird/{id}' },
    argument: { name: 'id', value: 'owl' },
  })
  expect(completion.values).toEqual(['barn_owl', 'great_horned_owl'])
  const { messages } = await peer.getPrompt({
    name: 'identify',
    arguments: { description: 'white, huge, on a lake' },
  })
  expect(messages[0]?.content.text).toMatch(/^I saw a bird: white, huge, on a lake\n(.|\n)*- voice .*trumpet/)
})

it.each(overHttp)('leaves a user alone who would rather not answer, for %s', async (_name, sdk, place) => {
  const peer = await connect(sdk, place(), () => ({ action: 'decline' }))
  expect(await call(peer, 'identify_bird')).toMatchObject({ status: 'need', facts: {} })
  const nothing = { facts: { bill: 'other', feet: 'other' } }
  expect(await call(peer, 'identify_bird', nothing)).toMatchObject({ status: 'none', candidates: [] })
})

it('knows what is saved into its rules while a client is connected', SLOW, async () => {
  const peer = await connect('SDK v2, 2025-11-25', { url: served.url })
  const names = async () => (await peer.listResources()).resources.map(({ name }) => name)
  expect(await names()).not.toContain('dodo')
  const file = path.join(folder, 'rules/birds.json')
  const rules = JSON.parse(await readFile(file, 'utf8')) as { birds: object[] }
  const dodo = {
    id: 'dodo',
    name: 'Dodo',
    latin: 'Raphus cucullatus',
    about: 'Gone.',
    signs: [{ size: 'plump', feeds: 'ground' }],
  }
  await writeFile(file, JSON.stringify({ ...rules, birds: [...rules.birds, dodo] }))
  await expect.poll(names, SLOW).toContain('dodo')
  expect(await call(peer, 'explain_bird', { bird: 'dodo' })).toMatchObject({ verdict: 'may fit' })
  // What cannot be used does not take the place of what can.
  await writeFile(file, JSON.stringify({ ...rules, birds: [{ ...dodo, signs: [{ size: 'infinite' }] }] }))
  await served.tells('The bird dodo asks for size = infinite, which nothing can be.')
  expect(await textOf(peer, 'birds://bird/dodo')).toContain('# Dodo')
})
