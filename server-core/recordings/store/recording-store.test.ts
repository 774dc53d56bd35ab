import { mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { describe, expect, it } from 'vitest'
import { leftOpen } from '../../left-open.test-support.ts'
import { writeManifest, type RecordingManifest } from './recording-manifest.ts'
import { RecordingStore } from './recording-store.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
const NOW = Date.UTC(2026, 10, 24)
const SEGMENT_BYTES = 1_000

async function newStore(): Promise<RecordingStore> {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-store-'))
  leftOpen.push(() => rm(folder, { recursive: true, force: true }))
  return new RecordingStore(folder)
}

/** A recording that was last written so many days ago. */
async function record(
  store: RecordingStore,
  id: string,
  daysAgo: number,
  { segments = 1, ...manifest }: Partial<RecordingManifest> & { readonly segments?: number } = {},
): Promise<void> {
  const folder = store.folderOf(id)
  const writtenAt = NOW - daysAgo * DAY_MS
  await writeManifest(folder, {
    version: 1,
    serverId: 's',
    serverName: 'server',
    side: 'client',
    startedAt: writtenAt - 1,
    pid: process.pid,
    closed: true,
    ...manifest,
  })
  for (let number = 1; number <= segments; number += 1) {
    const file = path.join(folder, `${String(number).padStart(6, '0')}.ndjson`)
    await writeFile(file, 'x'.repeat(SEGMENT_BYTES))
    await utimes(file, writtenAt / 1_000, writtenAt / 1_000)
  }
}

async function left(store: RecordingStore): Promise<string[]> {
  return (await readdir(store.folder)).sort()
}

describe('retention', () => {
  it('deletes what is too old, but nothing that is kept or open', async () => {
    const store = await newStore()
    await record(store, 'new', 1)
    await record(store, 'old', 31)
    await record(store, 'old-kept', 31, { name: 'the one with the fault' })
    await record(store, 'old-open', 31, { closed: false })
    await store.tidy({ bytes: Infinity, days: 30 }, NOW)
    expect(await left(store)).toEqual(['new', 'old-kept', 'old-open'])
  })

  it('deletes the oldest first until the rest fits, and does not count what is kept', async () => {
    const store = await newStore()
    await record(store, 'a', 3)
    await record(store, 'b', 2)
    await record(store, 'c', 1)
    await record(store, 'kept', 9, { name: 'kept', segments: 50 })
    await store.tidy({ bytes: 2 * SEGMENT_BYTES + 900, days: 30 }, NOW)
    expect(await left(store)).toEqual(['b', 'c', 'kept'])
  })

  it('deletes the first segments of an open recording that is too large alone, never those being written', async () => {
    const store = await newStore()
    await record(store, 'open', 0, { closed: false, segments: 6 })
    await store.tidy({ bytes: 4 * SEGMENT_BYTES + 900, days: 30 }, NOW)
    const segments = () =>
      readdir(store.folderOf('open')).then((names) => names.filter((each) => /ndjson$/.test(each)).sort())
    expect(await segments()).toEqual(['000003.ndjson', '000004.ndjson', '000005.ndjson', '000006.ndjson'])
    await store.tidy({ bytes: 0, days: 30 }, NOW)
    expect(await segments()).toEqual(['000005.ndjson', '000006.ndjson'])
  })
})

describe('a store', () => {
  it('is empty before anything is recorded, and says if it cannot be read', async () => {
    const store = await newStore()
    expect(await new RecordingStore(path.join(store.folder, 'none')).list()).toEqual([])
    const file = path.join(store.folder, 'file')
    await writeFile(file, '')
    await expect(new RecordingStore(file).list()).rejects.toThrow('ENOTDIR')
  })

  it('deletes no recording that is being written, and accepts no id that leads out of it', async () => {
    const store = await newStore()
    await record(store, 'open', 0, { closed: false })
    await expect(store.delete('open')).rejects.toMatchObject({ code: 'open' })
    for (const id of ['..', '../open', '.hidden', ''])
      await expect(store.delete(id)).rejects.toThrow('no recording')
    expect(await left(store)).toEqual(['open'])
  })
})
