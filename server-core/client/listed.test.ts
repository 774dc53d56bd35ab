import fc from 'fast-check'
import { expect, it } from 'vitest'
import { LISTS, readList, readPages, type Page } from './listed.ts'
import { PeerError } from './errors.ts'

const NOTHING = { bytes: new Uint8Array() }

/** Any way to cut a list into pages, with any cursors that are texts, empty ones included. */
const plan = fc.array(fc.nat({ max: 4 }), { minLength: 1, maxLength: 8 }).chain((sizes) =>
  fc
    .uniqueArray(fc.oneof(fc.constant(''), fc.string()), {
      minLength: sizes.length - 1,
      maxLength: sizes.length - 1,
    })
    .map((cursors) => ({ sizes, cursors })),
)

const serving = (
  { sizes, cursors }: { readonly sizes: number[]; readonly cursors: string[] },
  failsAt = -1,
) => {
  let hasFailed = false
  const asked: unknown[] = []
  let named = 0
  return {
    asked,
    reader: {
      kind: LISTS.prompts,
      revision: '2025-11-25' as const,
      readPage: (params: { readonly cursor?: unknown } | undefined) => {
        const cursor = params?.cursor
        asked.push(cursor)
        const at = cursor === undefined ? 0 : cursors.findIndex((each) => each === cursor) + 1
        if (at === failsAt && at > 0 && !hasFailed) {
          hasFailed = true
          return Promise.reject(new PeerError({ code: -32602, message: 'Invalid cursor' }, NOTHING))
        }
        const prompts = Array.from({ length: sizes[at] ?? 0 }, () => ({ name: `p${(named += 1)}` }))
        const next = cursors[at]
        return Promise.resolve({ result: { prompts, ...(next === undefined ? {} : { nextCursor: next }) } })
      },
    },
  }
}

it('reads every page once and in order, whatever the cursors are', async () => {
  await fc.assert(
    fc.asyncProperty(plan, async (given) => {
      const { reader, asked } = serving(given)
      const { items, malformed, problem } = await readList(reader)
      const total = given.sizes.reduce((sum, size) => sum + size, 0)
      expect(items.map(({ name }) => name)).toEqual(Array.from({ length: total }, (_, n) => `p${n + 1}`))
      expect([malformed, problem]).toEqual([[], undefined])
      expect(asked).toEqual([undefined, ...given.cursors])
    }),
  )
})

it('begins again once when a cursor fails, and says on which page', async () => {
  await fc.assert(
    fc.asyncProperty(plan, fc.nat(), async (given, where) => {
      fc.pre(given.cursors.length > 0)
      const failsAt = 1 + (where % given.cursors.length)
      const { reader, asked } = serving(given, failsAt)
      const pages: Page[] = []
      for await (const page of readPages(reader)) pages.push(page)
      expect(pages.map(({ restarted = false }) => restarted)).toEqual([
        ...Array.from({ length: failsAt }, () => false),
        true,
        ...given.cursors.map(() => false),
      ])
      expect(asked).toEqual([undefined, ...given.cursors.slice(0, failsAt), undefined, ...given.cursors])
      const again = serving(given, failsAt)
      const { items } = await readList(again.reader)
      expect(items).toHaveLength(given.sizes.reduce((sum, size) => sum + size, 0))
    }),
  )
})

it('ends where cursors go round in circles', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.uniqueArray(fc.string(), { minLength: 1, maxLength: 6 }),
      fc.nat(),
      async (cursors, back) => {
        let page = -1
        const reader = {
          kind: LISTS.prompts,
          revision: '2025-11-25' as const,
          readPage: () => {
            page += 1
            const nextCursor = cursors[page] ?? cursors[back % cursors.length]
            return Promise.resolve({ result: { prompts: [], nextCursor } })
          },
        }
        expect((await readList(reader)).problem).toMatch(/came twice/)
        expect(page).toBe(cursors.length)
      },
    ),
  )
})

it('gives a page as soon as it is there, and reads no further than is wanted', async () => {
  const { reader, asked } = serving({ sizes: [1, 1, 1], cursors: ['a', 'b'] })
  for await (const page of readPages(reader)) {
    expect(page).toMatchObject({ items: [{ name: 'p1' }], nextCursor: 'a' })
    break
  }
  expect(asked).toEqual([undefined])
})

it('lets other errors through, a first page that is refused among them', async () => {
  const refusing = (code: number, after: number) => {
    let page = 0
    return {
      kind: LISTS.tools,
      revision: '2025-11-25' as const,
      readPage: () => {
        page += 1
        if (page > after) return Promise.reject(new PeerError({ code, message: 'no' }, NOTHING))
        return Promise.resolve({ result: { tools: [], nextCursor: 'n' } })
      },
    }
  }
  await expect(readList(refusing(-32602, 0))).rejects.toMatchObject({ code: -32602 })
  await expect(readList(refusing(-32603, 1))).rejects.toMatchObject({ code: -32603 })
  // The list that was begun again fails at its first page.
  await expect(readList(refusing(-32602, 1))).rejects.toMatchObject({ code: -32602 })
})
