import { readdir, rm, stat } from 'node:fs/promises'
import path from 'node:path'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { SEGMENT_FILE } from '../../capture/recording/segment-sink.ts'
import { indexFileOf } from '../index/index-file.ts'
import { joinSegments } from './join-segments.ts'
import { readManifest, writeManifest, type RecordingManifest } from './recording-manifest.ts'

const DAY_MS = 24 * 60 * 60 * 1_000
/** Names of recordings: the folder of one, below the folder of all. */
const ID = /^[\w.-]{1,200}$/

/** A recording of the profile. */
export type StoredRecording = Omit<RecordingManifest, 'version' | 'pid' | 'closed' | 'tap'> & {
  readonly id: string
  /** When it was last written, in milliseconds since 1970. */
  readonly endedAt: number
  readonly bytes: number
  /** A process writes it. */
  readonly isOpen: boolean
}

export type RetentionLimits = {
  readonly bytes: number
  readonly days: number
}

/** The recordings of a profile: a folder for each, with its segments. */
export class RecordingStore {
  readonly folder: string

  constructor(folder: string) {
    this.folder = folder
  }

  /** The folder of a recording. Throws a `RecordingError` for an id that cannot be one. */
  folderOf(id: string): string {
    if (!ID.test(id) || id.startsWith('.'))
      throw new RecordingError('unreadable', `there is no recording ${JSON.stringify(id.slice(0, 100))}`)
    return path.join(this.folder, id)
  }

  /** All recordings, the one that was written last first. */
  async list(): Promise<StoredRecording[]> {
    const names = await namesIn(this.folder)
    const read = await Promise.all(names.filter((name) => ID.test(name)).map((name) => this.#read(name)))
    return read.filter((each) => each !== undefined).sort((a, b) => b.endedAt - a.endedAt)
  }

  async get(id: string): Promise<StoredRecording> {
    const found = await this.#read(path.basename(this.folderOf(id)))
    if (found === undefined)
      throw new RecordingError('unreadable', `there is no recording ${id} in ${this.folder}`)
    return found
  }

  /**
   * Keeps a recording by a name: retention no longer deletes it. `into` names a folder, such as that of a workspace, that
   * gets it as one file. Returns that file.
   */
  async keep(id: string, name: string, into?: string): Promise<string | undefined> {
    const folder = this.folderOf(id)
    const manifest = await readManifest(folder)
    if (manifest === undefined)
      throw new RecordingError('unreadable', `there is no recording ${id} in ${this.folder}`)
    const file = into === undefined ? undefined : await joinSegments(folder, path.join(into, fileName(name)))
    await writeManifest(folder, { ...manifest, name })
    return file
  }

  /** Deletes a recording. Throws a `RecordingError` ('open') if a process writes it. */
  async delete(id: string): Promise<void> {
    const { isOpen } = await this.get(id)
    if (isOpen)
      throw new RecordingError(
        'open',
        `${id} is still written: end its connection or turn recording off first`,
      )
    await rm(this.folderOf(id), { recursive: true, force: true })
  }

  /** Notes that no process writes any recording but those of taps: only one app at a time records to a profile. */
  async closeAll(): Promise<void> {
    const names = await namesIn(this.folder)
    for (const name of names) {
      const folder = path.join(this.folder, name)
      const manifest = ID.test(name) ? await readManifest(folder) : undefined
      if (manifest === undefined || manifest.closed === true || manifest.pid === process.pid) continue
      if (manifest.tap === true && isRunning(manifest.pid)) continue
      await writeManifest(folder, { ...manifest, closed: true }).catch(() => undefined)
    }
  }

  /**
   * Deletes what is over the limits, the oldest first: recordings that are neither kept nor open; then, if that is not
   * enough, the oldest segments of open ones. Returns how many bytes went.
   */
  async tidy({ bytes, days }: RetentionLimits, now = Date.now()): Promise<number> {
    const recordings = (await this.list()).filter(({ name }) => name === undefined).reverse()
    let total = recordings.reduce((sum, each) => sum + each.bytes, 0)
    let gone = 0
    for (const each of recordings) {
      const isOld = now - each.endedAt > days * DAY_MS
      if (each.isOpen || (total <= bytes && !isOld)) continue
      await rm(this.folderOf(each.id), { recursive: true, force: true })
      total -= each.bytes
      gone += each.bytes
    }
    for (const each of recordings) {
      if (total <= bytes) break
      if (!each.isOpen) continue
      const freed = await this.#deleteSegments(each.id, total - bytes)
      total -= freed
      gone += freed
    }
    return gone
  }

  /** Deletes the oldest segments of an open recording, but not the one that is written. */
  async #deleteSegments(id: string, wanted: number): Promise<number> {
    const folder = this.folderOf(id)
    const names = (await readdir(folder)).filter((name) => SEGMENT_FILE.test(name)).sort()
    let freed = 0
    for (const name of names.slice(0, -2)) {
      if (freed >= wanted) break
      const file = path.join(folder, name)
      const { size } = await stat(file)
      await rm(file, { force: true })
      await rm(indexFileOf(file), { force: true })
      freed += size
    }
    return freed
  }

  async #read(id: string): Promise<StoredRecording | undefined> {
    const folder = path.join(this.folder, id)
    try {
      const manifest = await readManifest(folder)
      if (manifest === undefined) return undefined
      let bytes = 0
      let endedAt = manifest.startedAt
      for (const name of await readdir(folder)) {
        const { size, mtimeMs } = await stat(path.join(folder, name))
        bytes += size
        if (SEGMENT_FILE.test(name)) endedAt = Math.max(endedAt, mtimeMs)
      }
      const { version: _version, pid, closed, tap: _tap, ...known } = manifest
      return { ...known, id, endedAt, bytes, isOpen: closed !== true && isRunning(pid) }
    } catch {
      // It was deleted meanwhile.
      return undefined
    }
  }
}

/** The names in a folder; empty if it does not exist. Rejects if it cannot be read. */
async function namesIn(folder: string): Promise<string[]> {
  try {
    return await readdir(folder)
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

function isRunning(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return error instanceof Error && 'code' in error && error.code === 'EPERM'
  }
}

/** A file name of any name. */
function fileName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').replace(/^[. ]+/, '')
  return `${plain.slice(0, 100) || 'recording'}.ndjson`
}
