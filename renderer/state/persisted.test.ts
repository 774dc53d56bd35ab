import { beforeEach, describe, expect, it, vi } from 'vitest'
import { z } from 'zod'
import { Persisted, type PersistedStorage } from './persisted.ts'
import { WorkspaceParts } from './workspace-parts.ts'
import { windowNotices } from './window-notices.ts'

const page = new EventTarget()
let texts: Map<string, string>
let storage: PersistedStorage

function stored(use: PersistedStorage = storage): Persisted<{ n: number }> {
  return new Persisted({
    key: 'k',
    name: 'Open tabs',
    schema: z.object({ n: z.number() }),
    maxLength: 10,
    storage: use,
    page,
  })
}

beforeEach(() => {
  texts = new Map()
  storage = {
    getItem: (key) => texts.get(key) ?? null,
    setItem: (key, text) => void texts.set(key, text),
    removeItem: (key) => void texts.delete(key),
  }
  windowNotices.set([])
  vi.spyOn(console, 'warn').mockImplementation(() => undefined)
  return () => vi.restoreAllMocks()
})

describe('a persisted value', () => {
  it('comes back as it was stored, a moment later or when the page is closed', () => {
    vi.useFakeTimers()
    const value = stored()
    expect(value.load()).toBeUndefined()
    value.saveSoon(() => ({ n: 1 }))
    value.saveSoon(() => ({ n: 2 }))
    expect(texts.size).toBe(0)
    vi.runAllTimers()
    expect(texts.get('k')).toBe('{"n":2}')
    value.saveSoon(() => ({ n: 3 }))
    page.dispatchEvent(new Event('pagehide'))
    expect(stored().load()).toEqual({ n: 3 })
    expect(vi.getTimerCount()).toBe(0)
    vi.useRealTimers()
  })

  it('stays as it was if the new value is too long or undefined', () => {
    const value = stored()
    value.save({ n: 1 })
    value.save({ n: 1e20 })
    value.saveSoon(() => undefined)
    value.flush()
    expect(texts.get('k')).toBe('{"n":1}')
    value.save(undefined)
    expect(texts.has('k')).toBe(false)
  })

  it.each([
    '',
    '{',
    'null',
    '[]',
    '{"n":"1"}',
    '"\\ud800"',
    '\u0000',
    '{"n":1e999}',
    '[[[[',
    '9'.repeat(1_000),
  ])('is discarded with a notice if it is damaged: %j', async (text) => {
    texts.set('k', text)
    expect(stored().load()).toBeUndefined()
    expect(texts.has('k')).toBe(false)
    await Promise.resolve()
    expect(windowNotices.get()).toEqual([
      expect.objectContaining({ id: 'k', title: 'Could not restore Open tabs.' }),
    ])
    expect(stored().load()).toBeUndefined()
  })

  it('comes from the host where this window has none, and goes there without what may not be on a disk', () => {
    const parts = new WorkspaceParts()
    const saved: unknown[] = []
    parts.load({ tabs: '{"n":1}' })
    parts.connect((each) => {
      saved.push(each)
      return Promise.resolve()
    })
    const open = () =>
      new Persisted({
        key: 'k',
        name: 'Open tabs',
        schema: z.object({ n: z.number() }),
        maxLength: 10,
        part: { name: 'tabs', stringify: ({ n }) => `without ${n}` },
        storage,
        page,
        parts,
      })
    expect([open().hasOwn, open().load()]).toEqual([false, { n: 1 }])
    open().save({ n: 2 })
    expect([open().hasOwn, open().load()]).toEqual([true, { n: 2 }])
    expect(saved).toEqual([{ tabs: 'without 2' }])

    texts.clear()
    parts.load({ tabs: '{"n":"1"}' })
    expect([open().load(), parts.isDamaged]).toEqual([undefined, true])
  })

  it('does no harm where the browser gives no storage or has no room', () => {
    const refuse = (): never => {
      throw new DOMException('no', 'QuotaExceededError')
    }
    const value = stored({ getItem: refuse, setItem: refuse, removeItem: refuse })
    expect(value.load()).toBeUndefined()
    expect(() => value.save({ n: 1 })).not.toThrow()
    value.saveSoon(() => ({ n: 1 }))
    expect(() => value.flush()).not.toThrow()
  })
})
