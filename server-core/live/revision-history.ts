import path from 'node:path'
import { definitionDifferences, type DefinitionDifference } from './differences/definition-differences.ts'
import type { KeptRevision } from './kept-revisions.ts'
import { LiveError } from './live-error.ts'
import type { ScriptRevision } from './live-state.ts'
import { relativePath } from './script-files.ts'
import type { ScriptSet } from './script-set.ts'
import { writeBack } from './write-back.ts'

/** How an entry differs between two revisions of its script; one in which it was not there has no definition. */
export type EntryDifferences = {
  readonly before?: object
  readonly after?: object
  readonly changes: readonly DefinitionDifference[]
}

/** What the scripts of a folder were in their last revisions, to look at and to go back to. */
export class RevisionHistory {
  readonly #folder: string
  readonly #scriptSet: Pick<ScriptSet, 'states' | 'kept'>

  /** @param folder absolute, without symbolic links */
  constructor(folder: string, scriptSet: Pick<ScriptSet, 'states' | 'kept'>) {
    this.#folder = folder
    this.#scriptSet = scriptSet
  }

  /** What is kept of a script, newest first; nothing of one that is not there. */
  list(file: string): readonly ScriptRevision[] {
    const kept = this.#scriptSet.kept(file)
    const own = path.join(this.#folder, file)
    return (kept?.revisions.list() ?? []).map(({ revision, at, error, sources, changedWhatClientsSee }) => ({
      revision,
      at,
      state: error === undefined ? ('loaded' as const) : ('broken' as const),
      ...(error !== undefined && { error }),
      answers: revision === kept?.answering,
      text: sources.get(own) ?? '',
      changedWhatClientsSee,
    }))
  }

  /**
   * How an entry differs between two revisions of its script; without `to`, from the one that answers. Throws a
   * `LiveError` for an entry or revision that is not kept.
   */
  differences(key: string, from: number, to?: number): EntryDifferences {
    const file = this.#fileOf(key, from)
    const answering = this.#scriptSet.kept(file)?.answering
    const before = this.#kept(file, from).definitions.get(key)
    const after = this.#kept(file, to ?? answering ?? from).definitions.get(key)
    return {
      ...(before !== undefined && { before }),
      ...(after !== undefined && { after }),
      changes: definitionDifferences(before, after),
    }
  }

  /**
   * Writes the sources of a revision back to the disk; returns the files that were written. What is outside of the folder
   * stays as it is. Rejects with a `LiveError`.
   */
  async backTo(file: string, revision: number): Promise<readonly string[]> {
    const { sources } = this.#kept(file, revision)
    const written: string[] = []
    for (const [source, text] of sources) {
      const relative = relativePath(this.#folder, source)
      const isOurs = !relative.startsWith('../') && !relative.split('/').includes('node_modules')
      if (text === undefined || !isOurs || path.isAbsolute(relative)) continue
      if (await writeBack(source, text)) written.push(relative)
    }
    return written
  }

  #kept(file: string, revision: number): KeptRevision {
    const kept = this.#scriptSet.kept(file)?.revisions.get(revision)
    if (kept !== undefined) return kept
    const message = `Revision ${revision} of ${file} is not kept; only the last ones of scripts that are there are.`
    throw new LiveError('unknown-revision', message)
  }

  /** The script that makes an entry, or made it in that revision. */
  #fileOf(key: string, revision: number): string {
    const states = this.#scriptSet.states()
    const makes = states.find(({ entries }) => entries.includes(key))
    const made = states.find(({ file }) =>
      this.#scriptSet.kept(file)?.revisions.get(revision)?.definitions.has(key),
    )
    const file = (makes ?? made)?.file
    if (file === undefined) throw new LiveError('unknown-entry', `No script makes ${key}.`)
    return file
  }
}
