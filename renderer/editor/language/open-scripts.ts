import { LSPPlugin, Workspace, type WorkspaceFile } from '@codemirror/lsp-client'
import { ChangeSet, type Text } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

class OpenScript implements WorkspaceFile {
  readonly uri: string
  readonly languageId: string
  version = 1
  doc: Text
  view: EditorView | undefined

  constructor(uri: string, languageId: string, view: EditorView) {
    this.uri = uri
    this.languageId = languageId
    this.doc = view.state.doc
    this.view = view
  }

  getView(): EditorView | null {
    return this.view ?? null
  }
}

/**
 * The scripts that the language server knows as open: those that have a tab, shown or not, so that what is typed in one
 * and not saved counts in the others.
 */
export class OpenScripts extends Workspace {
  override files: OpenScript[] = []

  override getFile(uri: string): OpenScript | null {
    return this.files.find((file) => file.uri === uri) ?? null
  }

  override syncFiles() {
    return this.files.flatMap((file) => {
      const plugin = file.view === undefined ? null : LSPPlugin.get(file.view)
      if (plugin === null || file.view === undefined || plugin.unsyncedChanges.empty) return []
      const update = { file, prevDoc: file.doc, changes: plugin.unsyncedChanges }
      file.doc = file.view.state.doc
      file.version += 1
      plugin.clear()
      return [update]
    })
  }

  override openFile(uri: string, languageId: string, view: EditorView): void {
    const known = this.getFile(uri)
    if (known === null) {
      const file = new OpenScript(uri, languageId, view)
      this.files = [...this.files, file]
      this.client.didOpen(file)
      return
    }
    known.view = view
    this.#catchUp(known, view.state.doc)
  }

  override closeFile(uri: string, view: EditorView): void {
    const file = this.getFile(uri)
    if (file?.view !== view) return
    // The last text is still to be sent, and the view goes on to another file.
    this.client.sync()
    file.view = undefined
  }

  /** A script without a view has another text now. */
  changed(uri: string, doc: Text): void {
    const file = this.getFile(uri)
    if (file?.view === undefined && file !== null) this.#catchUp(file, doc)
  }

  /** The tab of a script is closed. */
  release(uri: string): void {
    if (this.getFile(uri) === null) return
    this.files = this.files.filter((file) => file.uri !== uri)
    this.client.didClose(uri)
  }

  override connected(): void {
    for (const file of this.files) {
      if (file.view !== undefined) {
        file.doc = file.view.state.doc
        LSPPlugin.get(file.view)?.clear()
      }
      this.client.didOpen(file)
    }
  }

  #catchUp(file: OpenScript, doc: Text): void {
    if (file.doc.eq(doc)) return
    const all = ChangeSet.of({ from: 0, to: file.doc.length, insert: doc }, file.doc.length)
    file.doc = all.apply(file.doc)
    file.version += 1
    this.client.notification('textDocument/didChange', {
      textDocument: { uri: file.uri, version: file.version },
      contentChanges: [{ text: doc.toString() }],
    })
  }
}
