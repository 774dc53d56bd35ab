import { open, readdir } from 'node:fs/promises'
import path from 'node:path'
import { createRecordingFile } from '../../capture/recording/recording-file.ts'
import { LineCutter } from '../../capture/recording/line-cutter.ts'
import { RecordingError } from '../../capture/recording/recording-error.ts'
import { LINE_BYTES } from '../../capture/recording/recording-reader.ts'
import { SEGMENT_FILE } from '../../capture/recording/segment-sink.ts'

const LF = Buffer.from('\n')
const CONTINUED = /^\{"at":-?\d{1,15},"continued":/
const BATCH_BYTES = 1024 * 1024

/**
 * Writes the segments of a recording to one new file, with every line as it is. An existing file stays, and the new one
 * gets a number. Returns the path of the file.
 */
export async function joinSegments(folder: string, file: string): Promise<string> {
  const names = (await readdir(folder)).filter((name) => SEGMENT_FILE.test(name)).sort()
  if (names.length === 0) throw new RecordingError('no-recording', `${folder} has no segments`)
  let output: Awaited<ReturnType<typeof createRecordingFile>> | undefined
  let position = 0
  const write = async (pieces: readonly Uint8Array[]): Promise<void> => {
    let bytes = Buffer.concat(pieces)
    while (bytes.length > 0 && output !== undefined) {
      const written = await output.sink.write([bytes], position)
      position += written
      bytes = bytes.subarray(written)
    }
  }
  for (const name of names) {
    for await (const lines of batchesOf(path.join(folder, name))) {
      const kept = lines.filter((line) => !CONTINUED.test(line.toString('latin1', 0, 60)))
      const [header] = kept
      if (header?.toString('latin1', 0, 10) === '{"format":') {
        kept.shift()
        if (output === undefined) {
          const first = Buffer.from(`${withoutSegment(header)}\n`)
          await mkdirOf(file)
          output = await createRecordingFile(file, first)
          position = first.length
        }
      }
      await write(kept.flatMap((line) => [line, LF]))
    }
  }
  if (output === undefined)
    throw new RecordingError('no-recording', `${folder} is not a recording of Patchbay`)
  await output.sink.close()
  return output.path
}

async function mkdirOf(file: string): Promise<void> {
  const { mkdir } = await import('node:fs/promises')
  await mkdir(path.dirname(path.resolve(file)), { recursive: true })
}

async function* batchesOf(file: string): AsyncGenerator<Buffer[]> {
  const handle = await open(file)
  const cutter = new LineCutter(LINE_BYTES)
  for await (const chunk of handle.createReadStream({ highWaterMark: BATCH_BYTES }))
    yield cutter.push(chunk as Buffer).flatMap(({ bytes }) => bytes ?? [])
}

function withoutSegment(header: Buffer): string {
  const value: unknown = JSON.parse(header.toString())
  return JSON.stringify({ ...(value as object), segment: undefined })
}
