import { EditorState, Text, type Extension, type StateEffect, type TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'
import type { Draft, FileText, Saved } from '../../../server-core/host/contract/editor.ts'
import { SerialQueue } from '../../../server-core/protocol/serial-queue.ts'
import { Observable } from '../../state/observable.ts'
import { changeToText } from './change-to-text.ts'

/** What a document needs of the host. */
export type FileHost = {
  read(input: { file: string }): Promise<FileText>
  save(input: { file: string; text: string; version: string | null }): Promise<Saved>
}

/** What somebody else made of the file since it was read. */
export type Conflict =
  { readonly kind: 'changed'; readonly text: string; readonly version: string } | { readonly kind: 'gone' }

/** What is known of a document beside its text. */
export type Facts = {
  readonly isUnsaved: boolean
  readonly isSaving: boolean
  readonly conflict: Conflict | undefined
  /** The two texts of a conflict are shown beside each other. */
  readonly isMerging: boolean
}

/** Changes that did not come from the keyboard of this window. */
export const FROM_OUTSIDE = 'replace.outside'

/**
 * One file that is edited: its text with the history of undo, what of it is on the disk, and whether somebody else
 * changed that. It lives as long as its tab, whether it is shown or not.
 */
export class EditedDocument {
  readonly file: string
  readonly readOnly: string | undefined
  readonly facts: Observable<Facts>
  /** Grows with every change of the text. */
  readonly changes = new Observable(0)
  /** Puts the scroll position back that it had when it was last shown. */
  scroll: StateEffect<unknown> | undefined
  readonly #host: FileHost
  #state: EditorState
  #view: EditorView | undefined
  /** The text that the disk has, in `#version`. */
  #saved: Text
  #version: string | null
  readonly #saves = new SerialQueue()

  /**
   * @param onDisk undefined for a file that is not there any more
   * @param extensionsOf makes what the editor of this document has
   */
  constructor(
    file: string,
    onDisk: FileText | undefined,
    host: FileHost,
    extensionsOf: (document: EditedDocument) => Extension,
  ) {
    this.file = file
    this.readOnly = onDisk?.readOnly
    const conflict = onDisk === undefined ? ({ kind: 'gone' } as const) : undefined
    this.facts = new Observable<Facts>({
      isUnsaved: conflict !== undefined,
      isSaving: false,
      conflict,
      isMerging: false,
    })
    this.#host = host
    this.#version = onDisk?.version ?? null
    this.#state = EditorState.create({ doc: onDisk?.text ?? '', extensions: extensionsOf(this) })
    this.#saved = this.#state.doc
  }

  get state(): EditorState {
    return this.#state
  }

  /** The version that is edited; null for a file that did not exist. */
  get version(): string | null {
    return this.#version
  }

  /** The view that shows it; it reports its changes by `took`. */
  attach(view: EditorView): void {
    this.#view = view
  }

  detach(): void {
    this.#view = undefined
  }

  /** The view has a new state. */
  took(state: EditorState): void {
    const isChanged = state.doc !== this.#state.doc
    this.#state = state
    if (!isChanged) return
    this.#update({})
    this.changes.set(this.changes.get() + 1)
  }

  /** Changes it, shown or not. */
  dispatch(change: TransactionSpec): void {
    if (this.#view !== undefined) this.#view.dispatch(change)
    else this.took(this.#state.update(change).state)
  }

  /** Makes it this text, as one change. */
  setText(text: string): void {
    const changes = changeToText(this.#state.doc, text)
    if (changes !== undefined) this.dispatch({ changes, userEvent: FROM_OUTSIDE })
  }

  /** Puts what was typed earlier over what is on the disk; it can be undone. */
  takeDraft({ text, version }: Pick<Draft, 'text' | 'version'>): void {
    if (this.#version !== null && version !== this.#version) {
      this.#update({ conflict: { kind: 'changed', text: this.#saved.toString(), version: this.#version } })
      this.#version = version
    }
    this.setText(text)
  }

  /** Shows what is on the disk beside what is here, or goes back to the text. */
  merge(isMerging: boolean): void {
    this.#update({ isMerging })
  }

  /** Writes it. Where somebody else changed the file nothing is written, and `facts` say so. */
  save(): Promise<Saved['state']> {
    return this.#saves.run(() => this.#save())
  }

  /** Looks at the disk again: takes over what is new there, unless something unsaved is here. */
  async look(): Promise<void> {
    await this.#saves.idle()
    let onDisk: FileText
    try {
      onDisk = await this.#host.read({ file: this.file })
    } catch (error) {
      if (!isMissing(error)) throw error
      if (this.#version !== null) this.#update({ conflict: { kind: 'gone' } })
      return
    }
    const { text, version } = onDisk
    if (version === this.#version) {
      this.#update({ conflict: undefined })
    } else if (!this.facts.get().isUnsaved || this.#state.doc.toString() === text) {
      this.setText(text)
      this.#settle(version, this.#state.doc)
    } else this.#update({ conflict: { kind: 'changed', text, version } })
  }

  /** Ends a conflict: `text` is what is wanted, and it is saved over what is on the disk now. */
  async resolve(conflict: Conflict, text: string): Promise<Saved['state']> {
    this.setText(text)
    if (conflict.kind === 'gone') {
      this.#version = null
    } else {
      this.#version = conflict.version
      this.#saved = Text.of(conflict.text.split('\n'))
    }
    this.#update({ conflict: undefined })
    return this.save()
  }

  async #save(): Promise<Saved['state']> {
    const { doc } = this.#state
    this.#update({ isSaving: true })
    try {
      const outcome = await this.#host.save({ file: this.file, text: doc.toString(), version: this.#version })
      if (outcome.state === 'saved') this.#settle(outcome.version, doc)
      else if (outcome.state === 'gone') this.#update({ conflict: { kind: 'gone' } })
      else {
        const { text, version } = outcome
        this.#update({ conflict: { kind: 'changed', text, version }, isMerging: true })
      }
      return outcome.state
    } finally {
      this.#update({ isSaving: false })
    }
  }

  #settle(version: string, doc: Text): void {
    this.#version = version
    this.#saved = doc
    this.#update({ conflict: undefined })
  }

  #update(change: Partial<Omit<Facts, 'isUnsaved'>>): void {
    const before = this.facts.get()
    const changed = { ...before, ...change }
    const next = {
      ...changed,
      isUnsaved: this.#version === null || !this.#state.doc.eq(this.#saved),
      isMerging: changed.isMerging && changed.conflict?.kind === 'changed',
    }
    if (
      next.isUnsaved !== before.isUnsaved ||
      next.isSaving !== before.isSaving ||
      next.isMerging !== before.isMerging ||
      next.conflict !== before.conflict
    ) {
      this.facts.set(next)
    }
  }
}

/** Returns whether the host says that there is no such file. */
export function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'NOT_FOUND'
}
