import { isolateHistory } from '@codemirror/commands'
import { ChangeSet, Text } from '@codemirror/state'
import type { TextEdit } from '../language/symbol-replies.ts'
import { offsetOf } from './found-problems.ts'
import type { EditedDocument, FileHost } from './document.ts'
import { ShortProperties, type NameKind } from './short-properties.ts'

/** What changing several files needs. */
export type FilesToChange = {
  readonly host: FileHost
  /** The document of a file that has a tab; undefined for others. */
  readonly open: (file: string) => Promise<EditedDocument> | undefined
  /** Saves a document; tells the user why if it cannot. */
  readonly save: (document: EditedDocument) => Promise<boolean>
}

export type Changed = {
  readonly files: readonly string[]
  /** Those that had something unsaved before, or could not be saved: they wait to be saved by the user. */
  readonly unsaved: readonly string[]
  /** Undoes it where nobody changed the file since; returns the files that were changed and stay as they are. */
  readonly undo: () => Promise<string[]>
}

export type RenamedName = { readonly before: string; readonly kind: NameKind }

type Step = {
  readonly file: string
  readonly before: string
  readonly after: string
  readonly changes: ChangeSet
  /** Undefined for a file that is not open. */
  readonly document: EditedDocument | undefined
  /** It is the disk's text that changes, so the disk has it afterwards. */
  readonly isSaved: boolean
  version: string | null
}

/**
 * Changes several files as one action: all of them or none. Files that are open change in their tabs, where undo knows of
 * it, and are saved unless something else in them is not; others are saved over the version that was read.
 *
 * @param edits by file
 * @param name what is at every place that is replaced
 * @throws Error with words for the user if something cannot be changed; nothing has changed then
 */
export async function changeFiles(
  edits: ReadonlyMap<string, readonly TextEdit[]>,
  name: RenamedName,
  files: FilesToChange,
): Promise<Changed> {
  const steps = await Promise.all([...edits].map(([file, ones]) => planned(file, ones, name, files)))
  requireAsRead(steps)
  const done: Step[] = []
  try {
    for (const step of steps) {
      if (step.document === undefined) await write(step, files.host)
      done.push(step)
    }
    // Somebody may have typed while that was written.
    requireAsRead(steps)
  } catch (error) {
    await undo(done, files)
    throw error
  }
  for (const { document, changes } of steps) {
    document?.dispatch({ changes, userEvent: 'rename', annotations: isolateHistory.of('full') })
  }
  // Together, so that who follows the disk sees as little as can be of a state between.
  const saved = await Promise.all(
    steps.map(
      async ({ document, isSaved }) => document === undefined || (isSaved && (await files.save(document))),
    ),
  )
  const unsaved = steps.filter((_, place) => saved[place] === false).map(({ file }) => file)
  return { files: steps.map(({ file }) => file), unsaved, undo: () => undo(steps, files) }
}

/** Throws if a document that is open has another text than the one that was read. */
function requireAsRead(steps: readonly Step[]): void {
  for (const { file, document, before } of steps) {
    if (document !== undefined && document.state.doc.toString() !== before) throw changedMeanwhile(file)
  }
}

async function planned(
  file: string,
  edits: readonly TextEdit[],
  name: RenamedName,
  { host, open }: FilesToChange,
): Promise<Step> {
  const document = await open(file)
  const { text, version, readOnly } =
    document === undefined
      ? await host.read({ file })
      : { text: document.state.doc.toString(), version: document.version, readOnly: document.readOnly }
  if (readOnly !== undefined) throw new Error(`Cannot change ${file}. ${readOnly} Nothing was changed.`)
  if (document?.facts.get().conflict !== undefined) {
    throw new Error(`${file} differs from the file on disk. Merge it first. Nothing was changed.`)
  }
  const doc = Text.of(text.split('\n'))
  const short = new ShortProperties(file, text)
  const specs = edits.map(({ range: { start, end }, newText }) => {
    const from = offsetOf(doc, start.line + 1, start.character + 1)
    const to = offsetOf(doc, end.line + 1, end.character + 1)
    if (doc.sliceString(from, to) !== name.before) throw changedMeanwhile(file)
    return { from, to, insert: short.renamed(from, name.before, newText, name.kind) }
  })
  const changes = ChangeSet.of(specs, doc.length)
  const isSaved = document?.facts.get().isUnsaved !== true
  return { file, before: text, after: changes.apply(doc).toString(), changes, document, isSaved, version }
}

async function write(step: Step, host: FileHost): Promise<void> {
  const { file, after, version } = step
  const saved = await host.save({ file, text: after, version })
  if (saved.state !== 'saved') throw changedMeanwhile(file)
  step.version = saved.version
}

async function undo(steps: readonly Step[], { host, open, save }: FilesToChange): Promise<string[]> {
  const kept: string[] = []
  for (const { file, before, after, isSaved, version, document: wasOpen } of steps) {
    // What cannot be read is not as it was left either, which saving finds.
    const document = await open(file)?.catch(() => undefined)
    if (document !== undefined) {
      if (document.state.doc.toString() !== after) kept.push(file)
      else {
        document.setText(before)
        if (isSaved && !(await save(document))) kept.push(file)
      }
      continue
    }
    const isAsLeft = wasOpen === undefined || wasOpen.state.doc.toString() === after
    const known = wasOpen === undefined ? version : wasOpen.version
    const saved = isAsLeft
      ? await host.save({ file, text: before, version: known }).catch(() => undefined)
      : undefined
    if (saved?.state !== 'saved') kept.push(file)
  }
  return kept
}

function changedMeanwhile(file: string): Error {
  return new Error(`${file} changed meanwhile. Nothing was changed. Try again.`)
}
