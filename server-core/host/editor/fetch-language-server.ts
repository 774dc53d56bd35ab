import { DownloadError, installPinned } from '../../downloads/install-pinned.ts'
import { installedPackage, PINNED } from '../../downloads/pinned-package.ts'
import { HostError } from '../host-error.ts'
import { typescriptDownload } from './typescript-program.ts'

/** What would be fetched; null if there is nothing to fetch. */
export function offeredLanguageServer(): { version: string; size: string; folder: string } | null {
  const pinned = typescriptDownload()
  if (pinned === undefined || installedPackage(pinned) !== undefined) return null
  const { version, folder } = pinned
  return { version, folder, size: PINNED.typescript.size }
}

/** Fetches the language server. @throws HostError if that is not possible */
export async function fetchLanguageServer(signal?: AbortSignal): Promise<void> {
  const pinned = typescriptDownload()
  if (pinned === undefined) return
  try {
    await installPinned(pinned, signal)
  } catch (cause) {
    if (!(cause instanceof DownloadError)) throw cause
    throw new HostError('NO_LANGUAGE_SERVER', cause.message, { cause })
  }
}
