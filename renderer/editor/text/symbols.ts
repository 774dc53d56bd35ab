import { LSPPlugin } from '@codemirror/lsp-client'
import type { EditorView } from '@codemirror/view'
import { showFailure, showToast } from '../../controls/toast.tsx'
import { pressesSoFar } from '../../state/presses.ts'
import { counted } from '../../text/measures.ts'
import { fileDialog, type Reference } from '../file-dialogs.ts'
import { locationsSchema, workspaceEditSchema, type TextEdit } from '../language/symbol-replies.ts'
import { openFile } from '../open-files.ts'
import { changeFiles } from './change-files.ts'
import type { FileHost } from './document.ts'
import type { Documents } from './documents.ts'
import type { SymbolAction } from './extensions.ts'
import { ShortProperties, type NameKind } from './short-properties.ts'
import { editorTextText } from './text.ts'

/** Places that are listed of one symbol. */
const MOST = 500
/** Milliseconds for which taking a renaming back is offered. */
const UNDO_MS = 20_000

const FAILED: Readonly<Record<SymbolAction, string>> = {
  rename: editorTextText.symbols.cannotRenameIt,
  definition: editorTextText.symbols.couldNotFindDefinition,
  references: editorTextText.symbols.couldNotFindReferences,
}

/** What can be done with the name at a place of a script, by the language server. */
export class Symbols {
  readonly #host: FileHost
  readonly #documents: Documents

  constructor(host: FileHost, documents: Documents) {
    this.#host = host
    this.#documents = documents
  }

  /** Does it, and tells why if it cannot. Never rejects. */
  async run(action: SymbolAction, view: EditorView, position: number): Promise<void> {
    const presses = pressesSoFar()
    // What the user goes on with makes an answer that comes after it worthless.
    const isWanted = (): boolean => pressesSoFar() === presses
    const word = view.state.wordAt(position)
    const plugin = LSPPlugin.get(view)
    if (plugin === null || this.#documents.language?.state.get().status !== 'running') {
      showToast({
        title: FAILED[action],
        detail: editorTextText.symbols.languageServerStopped,
        tone: 'warn',
      })
    } else if (word === null) {
      showToast({ title: FAILED[action], detail: editorTextText.symbols.noSymbol })
    } else {
      const symbol = view.state.sliceDoc(word.from, word.to)
      try {
        if (action === 'rename') await this.#askName(plugin, symbol, word.from, isWanted)
        else if (action === 'definition') await this.#goToDefinition(plugin, word.from, isWanted)
        else await this.#list(plugin, symbol, word.from, isWanted)
      } catch (error) {
        showFailure(FAILED[action], error)
      }
    }
  }

  async #goToDefinition(plugin: LSPPlugin, position: number, isWanted: () => boolean): Promise<void> {
    const found = await ask(plugin, 'definition', position)
    if (!isWanted()) return
    const [first] = locationsSchema.parse(found)
    if (first === undefined) {
      showToast({ title: FAILED.definition })
      return
    }
    const file = this.#fileOf(first.uri)
    const { line, character } = first.range.start
    if (file !== undefined) openFile(file, { line: line + 1, column: character + 1 })
    else showToast({ title: editorTextText.symbols.definedOutsideTheWorkspace, detail: shownUri(first.uri) })
  }

  async #list(plugin: LSPPlugin, symbol: string, position: number, isWanted: () => boolean): Promise<void> {
    const more = { context: { includeDeclaration: true } }
    const found = locationsSchema.parse(await ask(plugin, 'references', position, more))
    const texts = new Map<string, Promise<readonly string[]>>()
    const references: Reference[] = []
    for (const { uri, range } of found.slice(0, MOST)) {
      const file = this.#fileOf(uri)
      if (file === undefined) continue
      const lines = texts.get(file) ?? this.#linesOf(file)
      texts.set(file, lines)
      const text = (await lines)[range.start.line] ?? ''
      references.push({ file, line: range.start.line + 1, column: range.start.character + 1, text })
    }
    if (!isWanted()) return
    if (references.length === 0) showToast({ title: FAILED.references })
    else fileDialog.set({ kind: 'references', symbol, references })
  }

  async #askName(
    plugin: LSPPlugin,
    symbol: string,
    position: number,
    isWanted: () => boolean,
  ): Promise<void> {
    const { doc } = plugin.view.state
    const kind = new ShortProperties(this.#fileOf(plugin.uri) ?? '', doc.toString()).kindAt(position)
    if (kind === 'both') {
      const detail = editorTextText.symbols.ambiguousSymbol(symbol)
      showToast({ title: FAILED.rename, detail })
      return
    }
    // It says why a name cannot be changed before anybody thinks of another one.
    const found = await ask(plugin, 'prepareRename', position)
    // Another text may have come from the disk, in which the name stands elsewhere.
    if (!isWanted() || plugin.view.state.doc !== doc) return
    if (found === null) {
      showToast({ title: FAILED.rename, detail: editorTextText.symbols.cannotBeRenamed(symbol) })
      return
    }
    const rename = async (to: string): Promise<void> => {
      if (to === symbol) return
      await this.#rename(plugin, symbol, kind, position, to)
    }
    fileDialog.set({ kind: 'symbol', symbol, rename })
  }

  async #rename(
    plugin: LSPPlugin,
    symbol: string,
    kind: NameKind,
    position: number,
    to: string,
  ): Promise<void> {
    const edits = workspaceEditSchema.parse(await ask(plugin, 'rename', position, { newName: to }))
    if (edits.size === 0) throw new Error(`${symbol} cannot be renamed.`)
    const byFile = new Map<string, readonly TextEdit[]>()
    for (const [uri, ones] of edits) {
      const file = this.#fileOf(uri)
      if (file === undefined) {
        throw new Error(
          `${symbol} is also used outside the workspace, in ${shownUri(uri)}. Nothing was changed.`,
        )
      }
      byFile.set(file, ones)
    }
    const documents = this.#documents
    const { files, unsaved, undo } = await changeFiles(
      byFile,
      { before: symbol, kind },
      {
        host: this.#host,
        open: (file) => documents.ofTab(file),
        save: (document) => documents.save(document),
      },
    )
    const where = files.length === 1 ? files[0] : counted(files.length, 'file')
    showToast({
      title: `Renamed ${symbol} to ${to} in ${where}`,
      ...(unsaved.length > 0 && { detail: editorTextText.symbols.notSavedYet(unsaved.join(', ')) }),
      timeoutMs: UNDO_MS,
      action: {
        label: editorTextText.symbols.undo,
        onClick: () =>
          void undo().then((kept) => {
            if (kept.length === 0) return
            showToast({
              title: editorTextText.symbols.couldNotUndoAll,
              detail: editorTextText.symbols.changedSinceThereforeNot(kept.join(', ')),
              tone: 'warn',
            })
          }),
      },
    })
  }

  #fileOf(uri: string): string | undefined {
    return this.#documents.language?.fileOf(uri)
  }

  async #linesOf(file: string): Promise<readonly string[]> {
    const document = await this.#documents.ofTab(file)
    const text = document?.state.doc.toString() ?? (await this.#host.read({ file })).text
    return text.split('\n')
  }
}

/** Asks about the name at a place, after sending the server the text so far. */
function ask(plugin: LSPPlugin, what: string, position: number, more: object = {}): Promise<unknown> {
  const { client, uri } = plugin
  client.sync()
  const params = { textDocument: { uri }, position: plugin.toPosition(position), ...more }
  return client.request(`textDocument/${what}`, params).catch((reason: unknown) => {
    // What the server answers with is not an Error.
    const { message } = reason as { message?: unknown }
    throw typeof message === 'string' ? new Error(message) : reason
  })
}

function shownUri(uri: string): string {
  return decodeURIComponent(uri.replace(/^file:\/\//, ''))
}
