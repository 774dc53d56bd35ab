import type { EditorView } from '@codemirror/view'
import { showToast } from '../../controls/toast.tsx'
import { api, hostSession } from '../../host/api.ts'
import { Observable } from '../../state/observable.ts'
import { openFile, openFiles } from '../open-files.ts'
import { Documents } from './documents.ts'
import { Drafts } from './drafts.ts'

/** The view, and the file that it shows. */
export const shownView = new Observable<{ readonly file: string; readonly view: EditorView } | undefined>(
  undefined,
)

/** The documents of this page. */
export const documents = new Documents(api.editor, new Drafts(api.editor, sessionStorage), showByUri)

openFiles.subscribe(() => documents.keepOpen())
// Where the system does not tell of changes, coming back from another program does.
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

/** Looks at files that others change, for as long as the connection lives; the next one begins anew. */
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

async function showByUri(uri: string): Promise<EditorView | null> {
  const file = documents.language?.fileOf(uri)
  if (file === undefined) {
    showToast({ title: 'It is defined outside of the workspace', detail: decodeURIComponent(uri) })
    return null
  }
  openFile(file)
  return new Promise((resolve) => {
    const look = (): void => {
      const shown = shownView.get()
      if (shown?.file !== file) return
      leave()
      resolve(shown.view)
    }
    const leave = shownView.subscribe(look)
    look()
  })
}
