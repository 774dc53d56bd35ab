import { realpath, stat } from 'node:fs/promises'
import { systemCode } from '../workspace/storage-error.ts'
import { LiveError } from './live-error.ts'

/** Where the folder of a workspace really is. Rejects with a `LiveError` (`no-folder`) if there is none. */
export async function workspaceFolder(folder: string): Promise<string> {
  let isFolder: boolean
  try {
    isFolder = (await stat(folder)).isDirectory()
  } catch (error) {
    const code = systemCode(error) ?? String(error)
    const message = `${folder} cannot be opened (${code}); "patchbay init" makes a workspace.`
    throw new LiveError('no-folder', message, { cause: error })
  }
  if (!isFolder) throw new LiveError('no-folder', `${folder} is a file; a workspace is a folder.`)
  return realpath(folder)
}
