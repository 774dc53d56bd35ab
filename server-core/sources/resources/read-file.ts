import { countText } from '../../protocol/count-text.ts'
import { constants } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { ErrorCode, ProtocolError } from '../../protocol/errors.ts'
import { DEFAULT_LIMITS } from '../../protocol/limits.ts'
import { CompositionError } from '../composition-error.ts'
import { insideFolder, isMissing } from '../inside-folder.ts'
import { contentOfBytes, mediaTypeOf } from './media-type.ts'

export type ReadLimits = {
  readonly maximumBytes?: number | undefined
  readonly mimeType?: string | undefined
}

/**
 * The content of a file in a folder; undefined if there is none. Rejects with a `ProtocolError` for what leads out of the
 * folder, is not a file, or is larger than may be served.
 */
export async function readInside(folder: string, file: string, limits: ReadLimits) {
  const { maximumBytes = DEFAULT_LIMITS.sourceBodyBytes, mimeType = mediaTypeOf(file) } = limits
  try {
    const real = await insideFolder(folder, file)
    // Opening a pipe would wait for its other end.
    if (!(await stat(real)).isFile()) throw refused(`${file} is not a file`)
    const handle = await open(real, constants.O_RDONLY)
    try {
      const { size } = await handle.stat()
      if (size > maximumBytes) {
        throw refused(
          `${file} has ${countText(size)} bytes; ${countText(maximumBytes)} at most are served (maximumBytes)`,
        )
      }
      const bytes = Buffer.alloc(size)
      let filled = 0
      while (filled < size) {
        const { bytesRead } = await handle.read(bytes, filled, size - filled, filled)
        if (bytesRead === 0) break
        filled += bytesRead
      }
      return contentOfBytes(bytes.subarray(0, filled), mimeType)
    } finally {
      await handle.close()
    }
  } catch (error) {
    if (error instanceof CompositionError) throw refused(error.message)
    if (isMissing(error)) return undefined
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'EACCES' || code === 'EPERM') throw refused(`${file} may not be read`)
    throw error
  }
}

function refused(message: string): ProtocolError {
  return new ProtocolError(ErrorCode.internalError, message)
}
