import { readFile, stat } from 'node:fs/promises'
import { replaceFile } from '../workspace/atomic-file.ts'
import { LiveError } from './live-error.ts'
import { messageOf } from '../protocol/error-message.ts'

/** Writes a file as it was; returns whether it was not like that already. Rejects with a `LiveError` (`write`). */
export async function writeBack(file: string, text: string): Promise<boolean> {
  try {
    const [now, mode] = await Promise.all([
      readFile(file, 'utf8').catch(() => undefined),
      stat(file).then(
        (stats) => stats.mode & 0o777,
        () => 0o644,
      ),
    ])
    if (now === text) return false
    await replaceFile(file, text, mode)
    return true
  } catch (error) {
    const detail = messageOf(error)
    throw new LiveError('write', `${file} could not be written: ${detail}`, { cause: error })
  }
}
