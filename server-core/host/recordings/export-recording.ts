import { mkdir, open } from 'node:fs/promises'
import path from 'node:path'
import { messageOf } from '../../protocol/error-message.ts'
import { exportCurl } from '../../recordings/formats/curl-list.ts'
import { exportHar } from '../../recordings/formats/har-export.ts'
import { exportOtlp } from '../../recordings/formats/otlp-export.ts'
import { writeRecordingPage } from '../../recordings/page/recording-page.ts'
import type { RecordingView } from '../../recordings/recording-view.ts'
import { joinSegments } from '../../recordings/store/join-segments.ts'
import { EXPORT_ENDINGS, type ExportFormat } from '../contract/recordings.ts'
import { HostError } from '../host-error.ts'

const OWNER_ONLY = 0o600
const MOST_NUMBERS = 10_000

type Exporting = {
  readonly place: string
  readonly name: string
  /** The folder of the new file. */
  readonly into: string
  readonly format: ExportFormat
  readonly open: () => Promise<RecordingView>
}

/** Writes a recording to a new file. No file is written over. Returns what the format left out, in words. */
export async function exportRecording({
  place,
  name,
  into,
  format,
  open: openView,
}: Exporting): Promise<{ file: string; notes: string[] }> {
  try {
    await mkdir(into, { recursive: true })
    const file = await claimFile(into, plainName(name), EXPORT_ENDINGS[format], format !== 'ndjson')
    switch (format) {
      case 'html':
        await writeRecordingPage(place, file, { title: name })
        return { file, notes: [] }
      case 'ndjson':
        return { file: await joinSegments(place, file), notes: [] }
      case 'har':
        return { file, notes: await exportHar(await openView(), file) }
      case 'otlp':
        return { file, notes: await exportOtlp(await openView(), file) }
      case 'curl':
        return { file, notes: await exportCurl(await openView(), file) }
    }
  } catch (error) {
    if (error instanceof HostError) throw error
    throw new HostError('REFUSED', `The recording could not be exported to ${into}: ${messageOf(error)}`, {
      cause: error,
    })
  }
}

/** The path of a file that no other program has; it is made, unless what writes it finds a free name by itself. */
async function claimFile(folder: string, name: string, ending: string, make: boolean): Promise<string> {
  if (!make) return path.join(folder, `${name}.${ending}`)
  for (let number = 1; number < MOST_NUMBERS; number += 1) {
    const file = path.join(folder, `${name}${number === 1 ? '' : `-${number}`}.${ending}`)
    try {
      const handle = await open(file, 'wx', OWNER_ONLY)
      await handle.close()
      return file
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EEXIST')) throw error
    }
  }
  throw new HostError('ALREADY_EXISTS', `${folder} has too many files named ${name}.${ending}.`)
}

function plainName(name: string): string {
  const plain = name.replaceAll(/[^\p{L}\p{N} ._-]/gu, '-').replace(/^[. ]+/, '')
  return plain.slice(0, 100) || 'recording'
}
