import { api } from '../host/api.ts'
import { openFile, openFiles } from './open-files.ts'

const KEY = 'patchbay.editor.open'

let isKeeping = false

/**
 * Brings back the tabs that this window had before it was loaded again, and those of files with something unsaved,
 * whichever window it was typed in; keeps the tabs from now on. Once in the life of the page.
 */
export async function keepFiles(storage: Pick<Storage, 'getItem' | 'setItem'>): Promise<void> {
  if (isKeeping) return
  isKeeping = true
  const before = openFiles.get()
  const kept = readKept(storage.getItem(KEY))
  for (const file of kept.files) openFile(file)
  const front = before.active ?? kept.active
  if (front !== undefined) openFile(front)
  openFiles.subscribe(() => {
    const { files, active } = openFiles.get()
    storage.setItem(KEY, JSON.stringify({ files: files.map(({ file }) => file), active }))
  })
  for (const { file } of await api.editor.drafts()) {
    const { active } = openFiles.get()
    openFile(file)
    if (active !== undefined) openFile(active)
  }
}

function readKept(text: string | null): { files: string[]; active: string | undefined } {
  try {
    const kept: unknown = text === null ? undefined : JSON.parse(text)
    if (typeof kept !== 'object' || kept === null || !('files' in kept) || !Array.isArray(kept.files)) {
      return { files: [], active: undefined }
    }
    const files = kept.files.filter((file): file is string => typeof file === 'string')
    const active = 'active' in kept && typeof kept.active === 'string' ? kept.active : undefined
    return { files, active: active !== undefined && files.includes(active) ? active : undefined }
  } catch {
    return { files: [], active: undefined }
  }
}
