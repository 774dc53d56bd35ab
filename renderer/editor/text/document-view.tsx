import { formatDocument } from '@codemirror/lsp-client'
import { openSearchPanel } from '@codemirror/search'
import { EditorView } from '@codemirror/view'
import { useEffect, useRef, useState } from 'react'
import { useObservable } from '../../state/observable.ts'
import { pressesSoFar } from '../../state/presses.ts'
import type { ScriptFault } from '../editor-props.ts'
import { isScript } from '../language/language-service.ts'
import { wantedPlace } from '../open-files.ts'
import { shownText, type TextCommand } from '../shown-text.ts'
import { ConflictBar, LanguageBar, ReadOnlyBar } from './bars.tsx'
import type { EditedDocument } from './document.ts'
import { offsetOf, setFound } from './found-problems.ts'
import { MergePane } from './merge-pane.tsx'
import { documents, symbols } from './session.ts'
import styles from './text.module.css'

interface DocumentViewProps {
  document: EditedDocument
  faults: readonly ScriptFault[]
}

/** The editor of a document, and above it what there is to say of the file. */
export function DocumentView({ document, faults }: DocumentViewProps) {
  const { conflict, isMerging } = useObservable(document.facts)
  const [hasMerged, setMerged] = useState(false)
  if (isMerging && !hasMerged) setMerged(true)

  return (
    <>
      {document.readOnly !== undefined && <ReadOnlyBar reason={document.readOnly} />}
      {conflict !== undefined && !isMerging && <ConflictBar document={document} conflict={conflict} />}
      {isScript(document.file) && documents.language !== undefined && (
        <LanguageBar language={documents.language} />
      )}
      {isMerging && conflict?.kind === 'changed' ? (
        <MergePane document={document} conflict={conflict} />
      ) : (
        <TextView document={document} faults={faults} takesFocus={hasMerged} />
      )}
    </>
  )
}

interface TextViewProps extends DocumentViewProps {
  /** The focus was in what it comes after. */
  takesFocus: boolean
}

/** One view for all documents: each comes back with its undo, its cursor and where it was scrolled to. */
function TextView({ document, faults, takesFocus }: TextViewProps) {
  const parent = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const shown = useRef(document)
  const focusAtFirst = useRef(takesFocus)
  const revealed = useRef('')
  const wanted = useObservable(wantedPlace)

  useEffect(() => {
    if (parent.current === null) return undefined
    const created = new EditorView({
      parent: parent.current,
      state: shown.current.state,
      dispatchTransactions: (transactions, target) => {
        target.update(transactions)
        shown.current.took(target.state)
      },
    })
    view.current = created
    if (focusAtFirst.current) created.focus()
    return () => {
      leave(shown.current, created)
      created.destroy()
      view.current = undefined
    }
  }, [])

  useEffect(() => {
    const current = view.current
    if (current === undefined) return undefined
    if (current.state !== document.state) {
      const hadFocus = current.hasFocus
      // To be asked for a place, the view first measures what waits for it: later, what floats over this text would be
      // looked for in the next one, which may be shorter.
      current.lineBlockAtHeight(0)
      shown.current = document
      current.setState(document.state)
      if (hadFocus) current.focus()
    }
    shown.current = document
    document.attach(current)
    if (document.scroll !== undefined) current.dispatch({ effects: document.scroll })
    return () => leave(document, current)
  }, [document])

  useEffect(() => {
    const { doc } = document.state
    const found = faults
      .filter(({ file }) => file === document.file)
      .map(({ line, column, message, kind }) => {
        const from = offsetOf(doc, line, column)
        const { to } = doc.lineAt(from)
        return { from, to: Math.max(from, to), severity: 'error' as const, message, source: kind }
      })
    document.dispatch({ effects: setFound.of({ by: 'loading', found }) })

    // A save that could not be loaded shows where, unless the user already types on.
    const [first] = found
    const failure = first === undefined ? '' : `${document.file} ${first.from} ${first.message}`
    const isNew = failure !== '' && failure !== revealed.current
    revealed.current = failure
    const current = view.current
    if (first === undefined || !isNew || current === undefined) return
    if (document.facts.get().isUnsaved || isInSight(current, first.from)) return
    current.dispatch({ effects: EditorView.scrollIntoView(first.from, { y: 'center' }) })
  }, [document, faults])

  useEffect(() => {
    const current = view.current
    if (wanted?.file !== document.file || wanted.place === undefined || current === undefined) return
    wantedPlace.set(undefined)
    const wentOn = pressesSoFar() !== wanted.presses
    // The cursor stays where somebody types.
    if (wentOn && current.hasFocus) return
    const anchor = offsetOf(document.state.doc, wanted.place.line, wanted.place.column)
    current.dispatch({
      selection: { anchor },
      effects: EditorView.scrollIntoView(anchor, { y: 'center' }),
      userEvent: 'select',
    })
    const isElsewhere = wentOn && globalThis.document.activeElement !== globalThis.document.body
    if (wanted.takesFocus && !isElsewhere) current.focus()
  }, [document, wanted])

  useEffect(() => {
    const save = (): Promise<boolean> => documents.save(document)
    const run = (command: TextCommand): void => {
      const target = view.current
      if (target === undefined) return
      if (command === 'save') void save()
      else COMMANDS[command](target)
    }
    const text = { file: document.file, isScript: isScript(document.file), run, save }
    shownText.set(text)
    return () => {
      if (shownText.get() === text) shownText.set(undefined)
    }
  }, [document])

  return <div ref={parent} className={styles.text} />
}

/** Whether the line of a position is inside the visible part of the editor. */
function isInSight(view: EditorView, position: number): boolean {
  const { top, bottom } = view.lineBlockAt(position)
  const { scrollTop, clientHeight } = view.scrollDOM
  return top >= scrollTop && bottom <= scrollTop + clientHeight
}

const COMMANDS: Readonly<Record<Exclude<TextCommand, 'save'>, (view: EditorView) => void>> = {
  format: (view) => void formatDocument(view),
  find: (view) => void openSearchPanel(view),
  rename: (view) => void symbols.run('rename', view, view.state.selection.main.head),
  definition: (view) => void symbols.run('definition', view, view.state.selection.main.head),
  references: (view) => void symbols.run('references', view, view.state.selection.main.head),
  focus: (view) => view.focus(),
}

/** The view goes on to another document, or away. */
function leave(document: EditedDocument, view: EditorView): void {
  documents.language?.sync()
  document.scroll = view.scrollSnapshot()
  document.detach()
}
