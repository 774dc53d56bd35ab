import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { Place } from '../editor/editor-props.ts'
import { openFile, openFileAt } from '../editor/open-files.ts'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { linesOf, type EntryLine } from './entry-line.ts'
import { placeInSource } from './place-in-source.ts'
import { openPage, selectedKey, showFiles } from './registry-view.ts'

/** Shows the definition of an entry: its place in a file of the editor, or its page. */
export function openLine(line: EntryLine): void {
  selectedKey.set(line.key)
  const { entry, script } = line
  if (script !== undefined) {
    const at = script.error?.at
    if (at?.file === script.file) openScript(script.file, at)
    else if (entry === undefined) openScript(script.file)
    else openSource(entry, script.file)
  } else if (entry !== undefined) openPage({ kind: 'entry', key: line.key })
}

/** Opens a file of the workspace with the cursor at a place. */
export function openScript(file: string, place?: Place): void {
  showFiles()
  openFile(file, place)
}

/** Opens the source file of an entry at its definition, without moving the focus. */
export function openSource(entry: RegistryEntry, file: string): void {
  showFiles()
  const read = api.editor.read({ file }).then(
    ({ text }) => placeInSource(text, entry),
    // The editor shows why a file cannot be read, in its place.
    () => undefined,
  )
  void openFileAt(file, read)
}

let stopWaiting = (): void => {}

/**
 * Does something with a line of the table once the host lists it: a new entry is served a moment later. Given
 * up when the user selects something else, or makes something else.
 */
export function whenListed(isIt: (line: EntryLine) => boolean, act: (line: EntryLine) => void): void {
  stopWaiting()
  const look = (): void => {
    const state = live.parts.registry.get()
    const line = state === undefined ? undefined : linesOf(state, new Map()).find(isIt)
    if (line === undefined) return
    stopWaiting()
    act(line)
  }
  const leave = [live.parts.registry.subscribe(look), selectedKey.subscribe(() => stopWaiting())]
  stopWaiting = () => {
    for (const stop of leave) stop()
    stopWaiting = () => {}
  }
  look()
}
