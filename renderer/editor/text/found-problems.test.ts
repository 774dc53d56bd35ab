import { EditorState } from '@codemirror/state'
import { expect, it } from 'vitest'
import { foundProblems, offsetOf, problemsOf, setFound } from './found-problems.ts'

const problem = (from: number, message: string) =>
  ({ from, to: from + 1, severity: 'error', message, source: 'ts' }) as const
const begun = EditorState.create({ doc: 'one\ntwo\nthree', extensions: foundProblems(() => undefined) })

it('lists what both found, each once, in the order of the text, and moves it with the text', () => {
  let { state } = begun.update({
    effects: [
      setFound.of({ by: 'language', found: [problem(8, 'late'), problem(4, 'both')] }),
      setFound.of({ by: 'loading', found: [problem(5, 'both'), problem(0, 'first')] }),
    ],
  })
  const shown = (): string[] =>
    problemsOf(state).map(({ line, column, message }) => `${line}:${column} ${message}`)
  expect(shown()).toEqual(['1:1 first', '2:1 both', '3:1 late'])
  state = state.update({ changes: { from: 0, insert: '\n' } }).state
  expect(shown()).toEqual(['2:1 first', '3:1 both', '4:1 late'])
  state = state.update({ effects: setFound.of({ by: 'language', found: [] }) }).state
  expect(shown()).toEqual(['2:1 first', '3:2 both'])
  state = state.update({ changes: { from: 0, to: state.doc.length } }).state
  expect(shown()).toEqual(['1:1 both', '1:1 first'])
})

it('leaves out type errors while the text has a syntax error', () => {
  const typeError = problem(0, 'a type error')
  const syntax = { ...problem(8, 'expected ,'), isSyntax: true }
  const notLoaded = problem(9, 'not loaded')
  const warning = { ...problem(4, 'unused'), severity: 'warning' as const }
  const { state } = begun.update({
    effects: [
      setFound.of({ by: 'language', found: [typeError, warning, syntax] }),
      setFound.of({ by: 'loading', found: [notLoaded] }),
    ],
  })
  expect(problemsOf(state).map(({ message }) => message)).toEqual(['unused', 'expected ,', 'not loaded'])
  const fixed = state.update({ effects: setFound.of({ by: 'language', found: [typeError, warning] }) }).state
  expect(problemsOf(fixed).map(({ message }) => message)).toContain('a type error')
})

it.each([
  [1, 1, 0],
  [2, 3, 6],
  [2, 99, 7],
  [99, 1, 8],
  [0, 0, 0],
])('finds the place %i:%i', (line, column, offset) => {
  expect(offsetOf(begun.doc, line, column)).toBe(offset)
})
