import { QueryClient, QueryObserver } from '@tanstack/react-query'
import { expect, it, onTestFinished, vi } from 'vitest'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { withPage } from '../../server-core/host/contract/lists.ts'
import { readLists } from './read-lists.ts'
import { StaleLists, type Kinds } from './stale-lists.ts'

const KEY = ['lists']
const NOTHING: Lists = { tools: [], resources: [], resourceTemplates: [], prompts: [], problems: [] }
const named = (...names: readonly string[]): Lists['tools'] => names.map((name) => ({ name, value: {} }))

/** The lists of a server as a page shows them, with the questions to the host that are not answered yet. */
function shownLists() {
  const client = new QueryClient()
  const stale = new StaleLists()
  const asked: { readonly kinds: Kinds; readonly answer: (lists: Lists) => void }[] = []
  const observer = new QueryObserver<Lists>(client, {
    queryKey: KEY,
    staleTime: Infinity,
    retry: false,
    queryFn: ({ signal }) =>
      readLists({
        client,
        queryKey: KEY,
        serverId: 's',
        stale,
        signal,
        ask: (kinds) => new Promise((answer) => asked.push({ kinds, answer })),
      }),
  })
  onTestFinished(observer.subscribe(() => undefined))
  onTestFinished(() => client.clear())
  const change = (...kinds: readonly ('tools' | 'resources')[]): void => {
    stale.mark('s', kinds)
    void client.invalidateQueries({ queryKey: KEY })
  }
  const data = (): Lists | undefined => client.getQueryData<Lists>(KEY)
  return { client, asked, stale, change, data, isFetching: () => observer.getCurrentResult().isFetching }
}

it('reads again what changed while the lists were read for the first time', async () => {
  const { asked, change, data, isFetching } = shownLists()
  await expect.poll(() => asked.length).toBe(1)
  change('tools')
  asked[0]?.answer({ ...NOTHING, tools: named('first'), prompts: named('greet') })
  await expect.poll(() => asked.length).toBe(2)
  // What is known is shown meanwhile, and only what changed is asked for.
  expect(data()?.tools).toEqual(named('first'))
  expect(asked[1]?.kinds).toEqual(new Set(['tools']))
  asked[1]?.answer({ ...NOTHING, tools: named('first', 'second') })
  await expect.poll(isFetching).toBe(false)
  expect(data()).toEqual({ ...NOTHING, tools: named('first', 'second'), prompts: named('greet') })
  expect(asked).toHaveLength(2)
})

it('keeps a page that came while another list was read again', async () => {
  const { client, asked, change, data, isFetching } = shownLists()
  await expect.poll(() => asked.length).toBe(1)
  asked[0]?.answer({ ...NOTHING, tools: named('one'), more: [{ list: 'tools', readingId: '1' }] })
  await expect.poll(isFetching).toBe(false)
  change('resources')
  await expect.poll(() => asked.length).toBe(2)
  const page = {
    list: 'tools' as const,
    entries: named('two'),
    hasMore: true,
    isRestarted: false,
    problems: [],
  }
  client.setQueryData<Lists>(KEY, (known) => known && withPage(known, '1', page))
  asked[1]?.answer({ ...NOTHING, resources: named('r') })
  await expect.poll(isFetching).toBe(false)
  expect(data()).toMatchObject({ tools: named('one', 'two'), resources: named('r') })
})

it('leaves a server alone for a moment that reports a change with each answer', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
  onTestFinished(() => {
    vi.useRealTimers()
  })
  const { client, asked, stale, isFetching } = shownLists()
  for (const reading of [1, 2, 3]) {
    await expect.poll(() => asked.length).toBe(reading)
    stale.mark('s', ['tools'])
    asked[reading - 1]?.answer({ ...NOTHING, tools: named(`reading ${reading}`) })
  }
  await expect.poll(isFetching).toBe(false)
  expect(client.getQueryData<Lists>(KEY)?.tools).toEqual(named('reading 3'))
  vi.advanceTimersByTime(499)
  expect(asked).toHaveLength(3)
  vi.advanceTimersByTime(1)
  await expect.poll(() => asked.length).toBe(4)
  expect(asked[3]?.kinds).toEqual(new Set(['tools']))
})
