import { z } from 'zod'
import { api } from '../host/api.ts'
import { Persisted } from '../state/persisted.ts'
import { leavingFiles, openInBackground, openFile, openFiles, wantedPlace } from './open-files.ts'
import { editorText } from './text.ts'

const storedSchema = z.object({
  folder: z.string(),
  files: z.array(z.string()),
  active: z.string().optional(),
})
const stored = new Persisted({
  key: 'patchbay.editor.open',
  name: editorText.keepFiles.openFiles,
  schema: storedSchema,
  maxLength: 500_000,
  part: { name: 'files' },
})

/** The workspace whose tabs are there. */
let folder: string | undefined
let isKept = false

/**
 * Another workspace is open: the files of the one before are closed. What is unsaved in them comes back with it.
 */
export function leaveWorkspaceFiles(): void {
  stored.flush()
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
export async function openWorkspaceFiles(opened: string): Promise<void> {
  if (folder === opened) return
  folder = opened
  if (!isKept) openFiles.subscribe(keep)
  isKept = true
  const { active } = openFiles.get()
  const kept = keptOf(opened)
  for (const file of kept.files) openInBackground(file)
  const front = active ?? kept.active
  if (front !== undefined) openFile(front)
  // Those that were opened before it was known whose they are.
  keep()
  const drafts = await api.editor.drafts()
  if (folder !== opened) return
  for (const { file } of drafts) openInBackground(file)
}

/** Has the host keep what is unsaved in the workspace that is open, before another one takes its place. */
export async function keepUnsaved(): Promise<void> {
  if (openFiles.get().files.length === 0) return
  const { documents } = await import('./text/session.ts')
  await documents.drafts.flush()
}

function keep(): void {
  stored.saveSoon(() => {
    if (folder === undefined) return undefined
    const { files, active } = openFiles.get()
    return { folder, files: files.map(({ file }) => file), active }
  })
}

function keptOf(opened: string): { files: readonly string[]; active: string | undefined } {
  const kept = stored.load()
  if (kept?.folder !== opened) return { files: [], active: undefined }
  const { files, active } = kept
  return { files, active: active !== undefined && files.includes(active) ? active : undefined }
}
