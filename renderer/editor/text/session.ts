import { api, hostSession } from '../../host/api.ts'
import { leavingFiles, openFiles } from '../open-files.ts'
import { Documents } from './documents.ts'
import { Drafts } from './drafts.ts'
import { Symbols } from './symbols.ts'

/** The documents of this page. */
export const documents: Documents = new Documents(
  api.editor,
  new Drafts(api.editor, sessionStorage),
  (action, view, position) => void symbols.run(action, view, position),
)

/** What can be done with names in scripts. */
export const symbols = new Symbols(api.editor, documents)

leavingFiles.subscribe(() => documents.forget())
openFiles.subscribe(() => documents.keepOpen())
// Where the system does not report changes, coming back from another program does.
globalThis.addEventListener('focus', () => void documents.look())
globalThis.addEventListener('pagehide', () => documents.drafts.leave())
globalThis.addEventListener('beforeunload', (event) => {
  // Where there is no room to keep what was typed, the browser asks before it is lost.
  if (!documents.drafts.leave()) event.preventDefault()
})
hostSession.opened.subscribe(() => {
  documents.language?.wake()
  void followDisk()
})
void followDisk()

/** Looks at files that others change, for as long as the connection lives; the next one begins again. */
async function followDisk(): Promise<void> {
  try {
    const changes = await api.editor.watch()
    // What changed before the watching began is seen now.
    void documents.look()
    for await (const { files } of changes) void documents.look(files)
  } catch {
    // The connection is lost, which the whole window says.
  }
}
