import { Observable, useObservable } from '../state/observable.ts'
import { pressesSoFar } from '../state/presses.ts'
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

/** Grows when another workspace is open, before the files of the one before are closed. */
export const leavingFiles = new Observable(0)

/** Where to place the cursor in a file. */
export type WantedPlace = {
  readonly file: string
  /** Undefined while it is still looked for. */
  readonly place: Place | undefined
  /** The focus goes there with it, unless the user is elsewhere by then. */
  readonly takesFocus: boolean
  /** How often the user had pressed something when this was wanted. */
  readonly presses: number
}

/**
 * Taken by the editor once it is known and the file is shown; nothing is left of it once something else is in front.
 */
export const wantedPlace = new Observable<WantedPlace | undefined>(undefined)

export function useOpenFiles(): OpenFiles {
  return useObservable(openFiles)
}

const justOpened = (file: string): OpenFile => ({ file, isUnsaved: false, isInConflict: false })

/** Brings a file to the front of the editor, and cursor and focus to a place in it; opens it if it is not open. */
export function openFile(file: string, place?: Place): void {
  const { files, active } = openFiles.get()
  if (!files.some((open) => open.file === file)) {
    const after = files.findIndex((open) => open.file === active)
    openFiles.set({
      files: files.toSpliced(after < 0 ? files.length : after + 1, 0, justOpened(file)),
      active: file,
    })
  } else if (active !== file) openFiles.set({ files, active: file })
  if (place !== undefined) wantedPlace.set({ file, place, takesFocus: true, presses: pressesSoFar() })
  else if (wantedPlace.get()?.file !== file) wantedPlace.set(undefined)
}

/**
 * Brings a file to the front, and the cursor to a place in it that is still looked for: if by then nothing else was
 * wanted and the user is not in the text already. The focus stays where it is.
 */
export async function openFileAt(file: string, sought: Promise<Place | undefined>): Promise<void> {
  openFile(file)
  const wanted: WantedPlace = { file, place: undefined, takesFocus: false, presses: pressesSoFar() }
  wantedPlace.set(wanted)
  const place = await sought
  if (wantedPlace.get() === wanted) wantedPlace.set(place === undefined ? undefined : { ...wanted, place })
}

/** Opens a tab for a file after the others; activates it only if it is the first. */
export function openInBackground(file: string): void {
  const { files, active } = openFiles.get()
  if (files.some((open) => open.file === file)) return
  openFiles.set({ files: [...files, justOpened(file)], active: active ?? file })
}

/** Closes the tab of a file, saved or not; its right neighbour comes to the front, else the left one. */
export function closeFile(file: string): void {
  const { files, active } = openFiles.get()
  const place = files.findIndex((open) => open.file === file)
  if (place < 0) return
  const kept = files.toSpliced(place, 1)
  if (wantedPlace.get()?.file === file) wantedPlace.set(undefined)
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
