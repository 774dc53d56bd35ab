import { randomBytes } from 'node:crypto'
import { copyFile, mkdir, open, rm } from 'node:fs/promises'
import path from 'node:path'
import type { Masks } from '../../capture/recording/frame-lines.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { messageOf } from '../../protocol/error-message.ts'
import { RecordingView } from '../recording-view.ts'
import { writeManifest } from '../store/recording-manifest.ts'
import { importForeign, isOwnFormat } from './import-foreign.ts'

const SEGMENT = '000001.ndjson'
const OWNER_FOLDER = 0o700
/** Bytes at the start of a file that say what it is. */
const FIRST_BYTES = 4_096

export type Importing = {
  /** The file. It stays. */
  readonly source: string
  /** Its name, for lists and errors. */
  readonly fileName: string
  /** The folder of all recordings. */
  readonly folder: string
  readonly redaction: Masks
}

/**
 * Adds a file to the recordings, kept by its name: a recording as it is, a file of another tool converted. A file that cannot
 * be read leaves nothing behind.
 *
 * @returns the id of the recording, and what is damaged, missing or left out
 * @throws RecordingError
 */
export async function addImported({
  source,
  fileName,
  folder: all,
  redaction,
}: Importing): Promise<{ id: string; problems: string[] }> {
  const stamp = new Date().toISOString().replaceAll(':', '-').replace('Z', '')
  const id = `imported-${stamp}-${randomBytes(3).toString('hex')}`
  const folder = path.join(all, id)
  try {
    const isOwn = isOwnFormat(await beginningOf(source, fileName))
    await mkdir(folder, { recursive: true, mode: OWNER_FOLDER })
    const target = path.join(folder, SEGMENT)
    const notes: string[] = []
    if (isOwn) await copyFile(source, target)
    else {
      const { format, notes: missing } = await importForeign(source, target, fileName, redaction)
      notes.push(...missing.map((note) => `${format}: ${note}`))
    }
    const view = await RecordingView.open(folder)
    const [first] = await view.read([0])
    await writeManifest(folder, {
      version: 1,
      serverId: `imported ${first?.connection.serverName ?? ''}`.slice(0, 200),
      serverName: first?.connection.serverName ?? '',
      side: first?.connection.side ?? 'client',
      startedAt: view.startedAt,
      pid: process.pid,
      closed: true,
      imported: true,
      name: fileName.replace(/\.(?:ndjson|jsonl|har|json|http)$/i, ''),
    })
    const ending = view.isClosed ? [] : ['it has no end: it may be truncated']
    return { id, problems: [...notes, ...view.problems, ...ending] }
  } catch (error) {
    await rm(folder, { recursive: true, force: true })
    if (!(error instanceof RecordingError)) throw error
    const reason = error.message.replaceAll(path.join(folder, SEGMENT), fileName)
    throw new RecordingError(error.code, reason, { cause: error })
  }
}

async function beginningOf(source: string, fileName: string): Promise<Buffer> {
  try {
    const handle = await open(source)
    try {
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(FIRST_BYTES), 0, FIRST_BYTES, 0)
      return buffer.subarray(0, bytesRead)
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw new RecordingError('unreadable', `${fileName} cannot be read: ${messageOf(error)}`, {
      cause: error,
    })
  }
}
