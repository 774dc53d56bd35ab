import { api } from '../host/api.ts'
import { leavingFiles, openBehind, openFile, openFiles, wantedPlace } from './open-files.ts'

const KEY = 'patchbay.editor.open'

/** The workspace whose tabs are there. */
let folder: string | undefined
let isKept = false

/**
 * Another workspace is open: the files of the one before are closed. What is unsaved in them comes back with it.
 */
export function leaveWorkspaceFiles(): void {
  folder = undefined
  // Of what has no tab nothing unsaved would be kept.
  leavingFiles.set(leavingFiles.get() + 1)
  wantedPlace.set(undefined)
  openFiles.set({ files: [], active: undefined })
}

/**
 * Brings back the tabs that this window had in a workspace before it was loaded again, and those of files with
 * something unsaved, whichever window it was typed in; keeps the tabs from now on. What was opened already stays.
 */
export async function openWorkspaceFiles(
  storage: Pick<Storage, 'getItem' | 'setItem'>,
  opened: string,
): Promise<void> {
  if (folder === opened) return
  folder = opened
  if (!isKept) openFiles.subscribe(() => keep(storage))
  isKept = true
  const { active } = openFiles.get()
  const kept = readKept(storage.getItem(KEY), opened)
  for (const file of kept.files) openBehind(file)
  const front = active ?? kept.active
  if (front !== undefined) openFile(front)
  // Those that were opened before it was known whose they are.
  keep(storage)
  const drafts = await api.editor.drafts()
  if (folder !== opened) return
  for (const { file } of drafts) openBehind(file)
}

/** Has the host keep what is unsaved in the workspace that is open, before another one takes its place. */
export async function keepUnsaved(): Promise<void> {
  if (openFiles.get().files.length === 0) return
  const { documents } = await import('./text/session.ts')
  await documents.drafts.flush()
}

function keep(storage: Pick<Storage, 'setItem'>): void {
  if (folder === undefined) return
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
