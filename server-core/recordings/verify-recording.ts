import { open, readdir, stat } from 'node:fs/promises'
import path from 'node:path'
import { SEGMENT_FILE } from '../capture/recording/segment-sink.ts'
import { readRecording } from '../capture/recording/recording-reader.ts'

/** Problems of one file that are listed. */
const MOST = 20

export type Verified = { readonly frames: number; readonly problems: string[] }

/**
 * Reads every line of a recording, a file or a folder, and lists what is wrong. `repair` appends an end to a file that has
 * none, after cutting off a last line that was not written whole; nothing may write to it then.
 */
export async function verifyRecording(place: string, repair = false): Promise<Verified> {
  const isFolder = (await stat(place)).isDirectory()
  const names = isFolder ? (await readdir(place)).filter((name) => SEGMENT_FILE.test(name)).sort() : []
  const files = isFolder ? names.map((name) => path.join(place, name)) : [place]
  const problems: string[] = []
  let frames = 0
  for (const file of files) {
    const say = (problem: string): void => {
      if (problems.length < MOST) problems.push(isFolder ? `${path.basename(file)}: ${problem}` : problem)
    }
    for await (const entry of readRecording(file, { damage: 'report' })) {
      if (entry.type === 'frame') frames += 1
      else if (entry.type === 'damage') say(`line ${entry.line} cannot be read: ${entry.reason}`)
      else if (entry.type === 'gap')
        say(`${entry.frames} frames are missing from ${new Date(entry.from).toISOString()} on`)
      else if (entry.type === 'end' && !entry.closed) {
        if (repair) await close(file, entry.tornBytes)
        else
          say(
            entry.tornBytes > 0
              ? 'it ends within a line'
              : 'it has no end: it is still written, or its process was ended',
          )
      }
    }
  }
  return { frames, problems }
}

async function close(file: string, tornBytes: number): Promise<void> {
  const { size } = await stat(file)
  const handle = await open(file, 'r+')
  try {
    await handle.truncate(size - tornBytes)
    await handle.write('{"at":0,"end":{"frames":0,"shed":0}}\n', size - tornBytes)
    await handle.sync()
  } finally {
    await handle.close()
  }
}
