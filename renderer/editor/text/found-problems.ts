import { linter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import {
  StateEffect,
  StateField,
  type ChangeDesc,
  type EditorState,
  type Extension,
  type Text,
} from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import type { Problem } from '../problems.ts'
import { reasons } from './reasons.ts'
import { steadyReasons } from './steady-reasons.ts'

type Finder = 'language' | 'loading'

/** A problem at a position of the text. */
export type FoundProblem = Diagnostic & {
  /** The text cannot be parsed there. */
  readonly isSyntax?: boolean
}

/** Replaces all that one finder found. Positions are those of the text as it is. */
export const setFound = StateEffect.define<{ readonly by: Finder; readonly found: readonly FoundProblem[] }>()

type Found = Readonly<Record<Finder, readonly FoundProblem[]>>
const NOTHING: Found = { language: [], loading: [] }

const foundField = StateField.define<Found>({
  create: () => NOTHING,
  update(found, transaction) {
    let next = found
    if (transaction.docChanged && found !== NOTHING) {
      next = {
        language: moved(found.language, transaction.changes),
        // What loading found is about the text that was loaded; it goes with the next revision.
        loading: moved(found.loading, transaction.changes),
      }
    }
    for (const effect of transaction.effects) {
      if (effect.is(setFound)) next = { ...next, [effect.value.by]: effect.value.found }
    }
    return next
  },
})

function moved(found: readonly FoundProblem[], changes: ChangeDesc): readonly FoundProblem[] {
  return found.map((one) => {
    const from = changes.mapPos(one.from, 1)
    return { ...one, from, to: Math.max(from, changes.mapPos(one.to, -1)) }
  })
}

/**
 * All problems in the order of the text, each once: loading and the language server find much the same. While the text
 * has a syntax error, type errors are left out, because most of them only follow from it.
 */
function allFound(state: EditorState): Diagnostic[] {
  const { language, loading } = state.field(foundField)
  const lineOf = (position: number): number => state.doc.lineAt(Math.min(position, state.doc.length)).number
  const known = new Set(language.map(({ from, message }) => `${lineOf(from)} ${message}`))
  const more = loading.filter(({ from, message }) => !known.has(`${lineOf(from)} ${message}`))
  const all = [...language, ...more].toSorted((one, other) => one.from - other.from)
  if (!language.some(({ isSyntax }) => isSyntax === true)) return all
  return all.filter((one) => one.severity !== 'error' || one.isSyntax === true || loading.includes(one))
}

/** What was found, for those who list it. */
export function problemsOf(state: EditorState): Problem[] {
  return allFound(state).map(({ from, severity, message, source }) => {
    const { number, from: start } = state.doc.lineAt(Math.min(from, state.doc.length))
    return { line: number, column: from - start + 1, severity, message, source }
  })
}

/** The offset of a place that counts from 1; the nearest one where the text has no such place. */
export function offsetOf(doc: Text, line: number, column: number): number {
  const { from, length } = doc.line(Math.min(Math.max(1, line), doc.lines))
  return from + Math.min(Math.max(0, column - 1), length)
}

/**
 * Marks what was found in the text and shows why under its line.
 *
 * @param changed told whenever something else is found
 */
export function foundProblems(changed: (state: EditorState) => void): Extension {
  return [
    foundField,
    reasons,
    steadyReasons,
    // Errors and warnings say why under their line, so only hints need the pointer.
    linter(null, {
      tooltipFilter: (found) => found.filter(({ severity }) => severity === 'hint' || severity === 'info'),
    }),
    EditorView.updateListener.of(({ view, startState, state, transactions }) => {
      if (!transactions.some(({ effects }) => effects.some((effect) => effect.is(setFound)))) return
      if (startState.field(foundField) === state.field(foundField)) return
      view.dispatch(setDiagnostics(view.state, allFound(view.state)))
      changed(view.state)
    }),
  ]
}
