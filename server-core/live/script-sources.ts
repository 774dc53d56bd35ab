import { Emitter } from '../protocol/emitter.ts'
import type { Amendment, ComposedRegistry, Source } from '../sources/compose.ts'
import type { RegistryView } from '../registry/entries.ts'
import type { AnsweredViews } from './answered-views.ts'
import type { Answering } from './call-log.ts'
import type { ScriptSet, ScriptSetChange } from './script-set.ts'

export type ScriptSourcesParts = {
  readonly composed: ComposedRegistry
  readonly views: AnsweredViews
  readonly scriptSet: Pick<ScriptSet, 'states' | 'revisionOf' | 'stopped'>
  readonly amend: (key: string) => Amendment | undefined
}

/** The scripts of a workspace as sources of its registry, each in the revision that answers. */
export class ScriptSources {
  readonly #parts: ScriptSourcesParts
  readonly #stopped = new Emitter()

  constructor(parts: ScriptSourcesParts) {
    this.#parts = parts
  }

  /** Serves what scripts answer with now, all at once. */
  place({ placed, removed }: ScriptSetChange): void {
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
    const { composed, scriptSet } = this.#parts
    scriptSet.stopped(file, reason)
    composed.batch(() => {
      this.#stopped.emit()
    })
  }

  #source(file: string, view: RegistryView, hostRevision: number): Source {
    const { views, scriptSet, amend } = this.#parts
    const answering = (): Answering => ({ file, revision: scriptSet.revisionOf(hostRevision)?.revision ?? 0 })
    return {
      id: file,
      origin: { kind: 'script', label: file, file },
      view: views.of(view, undefined, answering),
      amend,
      trouble: {
        failure: () =>
          scriptSet.states().find((state) => state.file === file && state.state === 'stopped')?.error,
        onChange: this.#stopped.listen,
      },
    }
  }
}
