import type { Amendment, ComposedRegistry, Source } from '../composition/compose.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { AnsweredViews } from './answered-views.ts'
import type { Answering } from './call-log.ts'
import type { ScriptShelf, ShelfChange } from './script-shelf.ts'

export type ScriptSourcesParts = {
  readonly composed: ComposedRegistry
  readonly views: AnsweredViews
  readonly shelf: Pick<ScriptShelf, 'states' | 'revisionOf' | 'stopped'>
  readonly amend: (key: string) => Amendment | undefined
}

/** The scripts of a workspace as sources of its registry, each in the revision that answers. */
export class ScriptSources {
  readonly #parts: ScriptSourcesParts
  readonly #troubled = new Set<() => void>()

  constructor(parts: ScriptSourcesParts) {
    this.#parts = parts
  }

  /** Serves what scripts answer with now, all at once. */
  place({ placed, removed }: ShelfChange): void {
    const { composed } = this.#parts
    composed.batch(() => {
      for (const file of removed) composed.remove(file)
      for (const { file, loaded } of placed) {
        if (loaded.config === undefined) composed.replace(this.#source(file, loaded.view, loaded.revision))
      }
    })
  }

  /** A script was switched off after crashes, or runs again. */
  stopped(file: string, reason: string | undefined): void {
    const { composed, shelf } = this.#parts
    shelf.stopped(file, reason)
    composed.batch(() => {
      for (const listener of [...this.#troubled]) listener()
    })
  }

  #source(file: string, view: RegistryView, hostRevision: number): Source {
    const { views, shelf, amend } = this.#parts
    const answering = (): Answering => ({ file, revision: shelf.revisionOf(hostRevision)?.revision ?? 0 })
    return {
      id: file,
      origin: { kind: 'script', label: file, file },
      view: views.of(view, undefined, answering),
      amend,
      trouble: {
        failure: () =>
          shelf.states().find((state) => state.file === file && state.state === 'stopped')?.error,
        onChange: (listener) => {
          this.#troubled.add(listener)
          return () => void this.#troubled.delete(listener)
        },
      },
    }
  }
}
