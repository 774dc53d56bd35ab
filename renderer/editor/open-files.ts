import { Observable, useObservable } from '../state/observable.ts'
import type { Place } from './editor-props.ts'

/** A file of the workspace that has a tab. */
export type OpenFile = {
  /** Its path from the folder of the workspace on. */
  readonly file: string
  /** What was typed is not saved yet. */
  readonly isUnsaved: boolean
  /** The file on the disk is no longer the one that was typed over. */
  readonly isInConflict: boolean
}

export type OpenFiles = { readonly files: readonly OpenFile[]; readonly active: string | undefined }

/** The files that are open in the editor, in the order of their tabs. */
export const openFiles = new Observable<OpenFiles>({ files: [], active: undefined })

/** Where the cursor shall go; the focus goes there with it unless it is to stay where the user is. */
type WantedPlace = Place & { readonly keepsFocus?: boolean }

/** Where the cursor shall go in a file, told by `openFile` and taken by the editor once the file is shown. */
export const wantedPlace = new Observable<(WantedPlace & { readonly file: string }) | undefined>(undefined)

export function useOpenFiles(): OpenFiles {
  return useObservable(openFiles)
}

/** Brings a file to the front of the editor, and the cursor to a place in it; opens it if it is not open. */
export function openFile(file: string, place?: WantedPlace): void {
  const { files, active } = openFiles.get()
  if (!files.some((open) => open.file === file)) {
    const after = files.findIndex((open) => open.file === active)
    const opened: OpenFile = { file, isUnsaved: false, isInConflict: false }
    openFiles.set({ files: files.toSpliced(after < 0 ? files.length : after + 1, 0, opened), active: file })
  } else if (active !== file) openFiles.set({ files, active: file })
  if (place !== undefined) wantedPlace.set({ file, ...place })
}

/** Closes the tab of a file, saved or not; its right neighbour comes to the front, else the left one. */
export function closeFile(file: string): void {
  const { files, active } = openFiles.get()
  const place = files.findIndex((open) => open.file === file)
  if (place < 0) return
  const kept = files.toSpliced(place, 1)
  openFiles.set({
    files: kept,
    active: active === file ? (kept[place] ?? kept[place - 1])?.file : active,
  })
}

/** Changes what is known of an open file. */
export function changeOpenFile(file: string, change: Partial<Omit<OpenFile, 'file'>>): void {
  const { files, active } = openFiles.get()
  const known = files.find((open) => open.file === file)
  if (known === undefined) return
  const changed = { ...known, ...change }
  if (changed.isUnsaved === known.isUnsaved && changed.isInConflict === known.isInConflict) return
  openFiles.set({ files: files.map((open) => (open === known ? changed : open)), active })
}

/** The file of a tab has another name now. */
export function renameOpenFile(file: string, to: string): void {
  const { files, active } = openFiles.get()
  openFiles.set({
    files: files.map((open) => (open.file === file ? { ...open, file: to } : open)),
    active: active === file ? to : active,
  })
}
