import type { FileText } from '../../../server-core/host/contract/editor.ts'
import { showFailure } from '../../controls/toast.tsx'
import { isScript, LanguageService } from '../language/language-service.ts'
import { changeOpenFile, openFiles } from '../open-files.ts'
import { setProblems } from '../problems.ts'
import { EditedDocument, isMissing, type Conflict } from './document.ts'
import type { Drafts } from './drafts.ts'
import type { EditorHost } from './editor-host.ts'
import { extensionsOf, type Told } from './extensions.ts'
import { problemsOf } from './found-problems.ts'
import { editorTextText } from './text.ts'

/**
 * The documents of the files that have a tab, by file. They outlive the page that shows them, so going to another page
 * of the window loses neither text nor undo.
 */
export class Documents {
  readonly drafts: Drafts
  readonly #host: EditorHost
  readonly #symbol: Told['symbol']
  readonly #documents = new Map<string, Promise<EditedDocument>>()
  #language: LanguageService | undefined
  #workspace: Promise<{ folder: string; uri: string }> | undefined

  /** @param symbol does something with the symbol at a place of a script */
  constructor(host: EditorHost, drafts: Drafts, symbol: Told['symbol']) {
    this.#host = host
    this.#symbol = symbol
    this.drafts = drafts
  }

  /** TypeScript's language server, once a script was opened. */
  get language(): LanguageService | undefined {
    return this.#language
  }

  /** The document of a file that is open; read at the first time. Rejects with why it cannot be read. */
  open(file: string): Promise<EditedDocument> {
    const known = this.#documents.get(file)
    if (known !== undefined) return known
    const opening = this.#read(file)
    this.#documents.set(file, opening)
    opening.catch(() => {
      // The next look at it tries again.
      if (this.#documents.get(file) === opening) this.#documents.delete(file)
    })
    return opening
  }

  /** The document of a file that has a tab; undefined for others. */
  ofTab(file: string): Promise<EditedDocument> | undefined {
    return openFiles.get().files.some((open) => open.file === file) ? this.open(file) : undefined
  }

  /** Forgets those that have no tab any more. */
  keepOpen(): void {
    const open = new Set(openFiles.get().files.map(({ file }) => file))
    for (const file of this.#documents.keys()) {
      if (open.has(file)) continue
      this.#documents.delete(file)
      this.#language?.closed(file)
      setProblems(file, undefined)
    }
  }

  /** Saves a document; tells why if it cannot be. */
  async save(document: EditedDocument): Promise<boolean> {
    try {
      return (await document.save()) === 'saved'
    } catch (error) {
      showFailure(editorTextText.documents.couldNotSave(document.file), error)
      return false
    }
  }

  /** Ends a conflict with this text; tells why if that cannot be saved. */
  async resolve(document: EditedDocument, conflict: Conflict, text: string): Promise<void> {
    try {
      await document.resolve(conflict, text)
    } catch (error) {
      showFailure(editorTextText.documents.couldNotSave(document.file), error)
    }
  }

  /** Looks at the disk again for files that changed there; for all without names. */
  async look(files?: readonly string[]): Promise<void> {
    const wanted = files === undefined ? [...this.#documents.keys()] : files
    await Promise.all(
      wanted.map(async (file) => {
        const document = await this.#documents.get(file)?.catch(() => undefined)
        // What cannot be read just now is read when it is saved or shown.
        await document?.look().catch(() => undefined)
      }),
    )
  }

  /** Another workspace is open, or the same one again: nothing that is open belongs to it. */
  forget(): void {
    this.drafts.forget()
    for (const file of this.#documents.keys()) setProblems(file, undefined)
    this.#documents.clear()
    this.#language?.close()
    this.#language = undefined
    this.#workspace = undefined
  }

  async #read(file: string): Promise<EditedDocument> {
    const { folder } = await this.#opened()
    const [onDisk, drafts, language] = await Promise.all([
      this.#onDisk(file),
      this.drafts.all(folder),
      isScript(file) ? this.#languageService() : undefined,
    ])
    const draft = drafts.get(file)
    if (onDisk === undefined && draft === undefined)
      throw new Error(`The workspace contains no file ${file}.`)
    const document = new EditedDocument(file, onDisk, this.#host, (made) =>
      extensionsOf(made, language, {
        save: (each) => void this.save(each),
        problems: (each, state) => setProblems(each.file, problemsOf(state)),
        symbol: this.#symbol,
      }),
    )
    if (draft !== undefined) document.takeDraft(draft)
    this.#follow(document)
    return document
  }

  #follow(document: EditedDocument): void {
    const { file, facts } = document
    const note = (): void => {
      const { isUnsaved, conflict } = facts.get()
      changeOpenFile(file, { isUnsaved, isInConflict: conflict !== undefined })
    }
    const keep = (): void => {
      if (!this.#documents.has(file)) return
      this.drafts.changed(file, () =>
        facts.get().isUnsaved && this.#documents.has(file)
          ? { text: document.state.doc.toString(), version: document.version }
          : undefined,
      )
    }
    note()
    if (facts.get().isUnsaved) keep()
    facts.subscribe(() => {
      note()
      keep()
    })
    document.changes.subscribe(() => {
      keep()
      this.#language?.changed(file, document.state.doc)
    })
  }

  async #onDisk(file: string): Promise<FileText | undefined> {
    try {
      return await this.#host.read({ file })
    } catch (error) {
      if (isMissing(error)) return undefined
      throw error
    }
  }

  async #languageService(): Promise<LanguageService> {
    const { uri } = await this.#opened()
    this.#language ??= new LanguageService(this.#host.languageServer, uri)
    return this.#language
  }

  #opened(): Promise<{ folder: string; uri: string }> {
    if (this.#workspace !== undefined) return this.#workspace
    const asking = this.#host.files()
    this.#workspace = asking
    asking.catch(() => {
      // The next file that is opened asks again.
      if (this.#workspace === asking) this.#workspace = undefined
    })
    return asking
  }
}
