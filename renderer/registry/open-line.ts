import { openFile } from '../editor/open-files.ts'
import type { EntryLine } from './entry-line.ts'
import { openPage, selectedKey, showFiles } from './registry-view.ts'

/** Shows where an entry is made: its file in the editor, or a page that says what it is. */
export function openLine(line: EntryLine): void {
  selectedKey.set(line.key)
  const { entry, script } = line
  if (script !== undefined) {
    const at = script.error?.at
    openScript(script.file, at?.file === script.file ? at : undefined)
  } else if (entry !== undefined) openPage({ kind: 'entry', key: entry.key })
}

/** Brings a file of the workspace to the front, and the cursor to a place in it. */
export function openScript(file: string, place?: { readonly line: number; readonly column: number }): void {
  showFiles()
  openFile(file, place === undefined ? undefined : { line: place.line, column: place.column })
}
