import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import type { Draft } from '../../../server-core/host/contract/editor.ts'
import { Drafts, type DraftHost } from './drafts.ts'

class Kept implements DraftHost {
  readonly byFile = new Map<string, Draft>()
  isThere = true
  /** Resolves before it keeps anything. */
  gate: Promise<unknown> = Promise.resolve()

  drafts(): Promise<Draft[]> {
    return Promise.resolve([...this.byFile.values()])
  }

  async keepDraft(draft: Draft): Promise<void> {
    if (!this.isThere) throw new Error('no host')
    await this.gate
    this.byFile.set(draft.file, draft)
  }

  dropDraft({ file }: { file: string }): Promise<void> {
    this.byFile.delete(file)
    return Promise.resolve()
  }

  texts(): string[] {
    return Array.from(this.byFile.values(), ({ file, text }) => `${file}: ${text}`)
  }
}

class Storage {
  readonly kept = new Map<string, string>()
  isFull = false
  getItem = (key: string): string | null => this.kept.get(key) ?? null
  setItem = (key: string, text: string): void => {
    if (this.isFull) throw new Error('full')
    this.kept.set(key, text)
  }
  removeItem = (key: string): void => void this.kept.delete(key)
}

let host: Kept
let storage: Storage
let drafts: Drafts
const FOLDER = '/work/one'
beforeEach(async () => {
  vi.useFakeTimers()
  host = new Kept()
  storage = new Storage()
  drafts = new Drafts(host, storage)
  await drafts.all(FOLDER)
})
afterEach(() => vi.useRealTimers())

const typed = (text: string) => () => ({ text, version: 'v' })

it('keeps what was typed after a moment of quiet, and now and then while typing goes on', async () => {
  drafts.changed('a.ts', typed('a'))
  await vi.advanceTimersByTimeAsync(300)
  expect(host.texts()).toEqual([])
  await vi.advanceTimersByTimeAsync(200)
  expect(host.texts()).toEqual(['a.ts: a'])
  for (let letters = 1; letters <= 20; letters += 1) {
    drafts.changed('a.ts', typed('b'.repeat(letters)))
    await vi.advanceTimersByTimeAsync(150)
  }
  expect(host.texts()[0]?.length).toBeGreaterThan(15)
})

it('forgets what was saved or given up', async () => {
  drafts.changed('a.ts', typed('a'))
  drafts.changed('b.ts', typed('b'))
  await vi.advanceTimersByTimeAsync(500)
  drafts.changed('a.ts', () => undefined)
  await vi.advanceTimersByTimeAsync(500)
  await drafts.drop('b.ts')
  expect(host.texts()).toEqual([])
})

it('does not bring back what is given up while the host still writes it', async () => {
  drafts.changed('a.ts', typed('a'))
  await vi.advanceTimersByTimeAsync(500)
  const gate = Promise.withResolvers<undefined>()
  host.gate = gate.promise
  drafts.changed('a.ts', typed('ab'))
  await vi.advanceTimersByTimeAsync(500)
  const dropped = drafts.drop('a.ts')
  const reopened = drafts.all(FOLDER)
  gate.resolve(undefined)
  await dropped
  expect((await reopened).size).toBe(0)
})

it('leaves with the window what the host does not have yet, and brings back the newest', async () => {
  drafts.changed('a.ts', typed('at the host'))
  await vi.advanceTimersByTimeAsync(500)
  drafts.changed('a.ts', typed('typed last'))
  expect(drafts.leave()).toBe(true)
  const next = new Drafts(host, storage)
  expect((await next.all(FOLDER)).get('a.ts')?.text).toBe('typed last')
  await vi.advanceTimersByTimeAsync(5_000)
  host.byFile.set('a.ts', { file: 'a.ts', text: 'typed elsewhere', version: 'v', at: Date.now() })
  expect((await next.all(FOLDER)).get('a.ts')?.text).toBe('typed elsewhere')
})

it('forgets what was left with the window once that is saved or given up', async () => {
  drafts.changed('a.ts', typed('a'))
  drafts.changed('b.ts', typed('b'))
  drafts.leave()
  const next = new Drafts(host, storage)
  expect([...(await next.all(FOLDER)).keys()].toSorted()).toEqual(['a.ts', 'b.ts'])
  await next.drop('a.ts')
  next.changed('b.ts', () => undefined)
  await vi.advanceTimersByTimeAsync(500)
  host.byFile.clear()
  expect((await next.all(FOLDER)).size).toBe(0)
  expect((await new Drafts(host, storage).all(FOLDER)).size).toBe(0)
})

it('loses nothing while the host is away, and says when there is no room to leave it', async () => {
  host.isThere = false
  drafts.changed('a.ts', typed('away'))
  await vi.advanceTimersByTimeAsync(5_000)
  storage.isFull = true
  expect(drafts.leave()).toBe(false)
  storage.isFull = false
  expect(drafts.leave()).toBe(true)
  expect((await new Drafts(host, storage).all(FOLDER)).get('a.ts')?.text).toBe('away')
  expect((await new Drafts(host, new Storage()).all(FOLDER)).size).toBe(0)
  storage.setItem(`patchbay.editor.drafts ${FOLDER}`, '[{"file":1}, null]')
  expect((await new Drafts(host, storage).all(FOLDER)).size).toBe(0)
})

it('keeps what waits at once when that is asked for, and once', async () => {
  drafts.changed('a.ts', typed('a'))
  drafts.changed('b.ts', typed('b'))
  await drafts.flush()
  expect(host.texts()).toEqual(['a.ts: a', 'b.ts: b'])
  host.byFile.clear()
  await vi.advanceTimersByTimeAsync(5_000)
  expect(host.texts()).toEqual([])
})

it('keeps what it leaves with the window apart by workspace, also when another one is opened meanwhile', async () => {
  host.isThere = false
  drafts.changed('tools/a.ts', typed('of one'))
  drafts.leave()
  expect((await new Drafts(host, storage).all('/work/two')).size).toBe(0)
  drafts.changed('tools/a.ts', typed('more of one'))
  drafts.forget()
  expect((await drafts.all('/work/two')).size).toBe(0)
  drafts.changed('tools/a.ts', typed('of two'))
  drafts.leave()
  drafts.forget()
  expect((await drafts.all(FOLDER)).get('tools/a.ts')?.text).toBe('more of one')
  expect((await new Drafts(host, storage).all('/work/two')).get('tools/a.ts')?.text).toBe('of two')
})
