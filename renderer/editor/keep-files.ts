import { api } from '../host/api.ts'
import { openFile, openFiles } from './open-files.ts'

const KEY = 'patchbay.editor.open'

let folder: string | undefined

/**
 * Brings back the tabs that this window had in a workspace before it was loaded again, and those of files with
 * something unsaved, whichever window it was typed in; keeps the tabs from now on. The files of the workspace that was
 * open before are closed; what is unsaved in them comes back with it.
 */
export async function openWorkspaceFiles(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  opened: string,
): Promise<void> {
  if (folder === opened) return
  const before = folder
  folder = opened
  if (before === undefined) openFiles.subscribe(() => keep(storage))
  else {
    const { documents } = await import('./text/session.ts')
    // Of what has no tab nothing unsaved would be kept.
    documents.forget()
    openFiles.set({ files: [], active: undefined })
  }
  const { active } = openFiles.get()
  const kept = readKept(storage.getItem(KEY), opened)
  for (const file of kept.files) openFile(file)
  const front = active ?? kept.active
  if (front !== undefined) openFile(front)
  for (const { file } of await api.editor.drafts()) {
    const shown = openFiles.get().active
    openFile(file)
    if (shown !== undefined) openFile(shown)
  }
}

/** Has the host keep what is unsaved in the workspace that is open, before another one takes its place. */
export async function keepUnsaved(): Promise<void> {
  if (openFiles.get().files.length === 0) return
  const { documents } = await import('./text/session.ts')
  await documents.drafts.flush()
}

function keep(storage: Pick<Storage, 'setItem'>): void {
  const { files, active } = openFiles.get()
  storage.setItem(KEY, JSON.stringify({ folder, files: files.map(({ file }) => file), active }))
}

function readKept(text: string | null, opened: string): { files: string[]; active: string | undefined } {
  try {
    const kept: unknown = text === null ? undefined : JSON.parse(text)
    const isOfThis = typeof kept === 'object' && kept !== null && 'folder' in kept && kept.folder === opened
    if (!isOfThis || !('files' in kept) || !Array.isArray(kept.files)) return { files: [], active: undefined }
    const files = kept.files.filter((file): file is string => typeof file === 'string')
    const active = 'active' in kept && typeof kept.active === 'string' ? kept.active : undefined
    return { files, active: active !== undefined && files.includes(active) ? active : undefined }
  } catch {
    return { files: [], active: undefined }
  }
}
