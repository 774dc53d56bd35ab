import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, indentUnit, syntaxHighlighting } from '@codemirror/language'
import { setDiagnostics } from '@codemirror/lint'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightSpecialChars,
  keymap,
  lineNumbers,
  type ViewUpdate,
} from '@codemirror/view'
import { memo, useEffect, useRef } from 'react'
import { cspNonce } from '../csp/nonce.ts'
import { editorTheme, jsonColours, markedLine, setMarkedLine } from './editor-look.ts'
import styles from './json-editor.module.css'
import type { EditorMark, JsonEditorProps } from './json-editor-props.ts'
import { typeText } from './type-text.ts'

const NO_MARKS: readonly EditorMark[] = []

/** `JsonEditor` by CodeMirror. Typed text stays; text from outside replaces only the part that differs. */
export default memo(function CodeMirrorJson(props: JsonEditorProps) {
  const { label, text, marks = NO_MARKS, markedOffset } = props
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | undefined>(undefined)
  const handlers = useRef(props)

  useEffect(() => {
    handlers.current = props
  })

  useEffect(() => {
    if (host.current === null) return undefined
    const created = new EditorView({
      parent: host.current,
      state: EditorState.create({
        doc: handlers.current.text,
        extensions: editorExtensions(label, {
          typed: (typed) => handlers.current.onTextChange(typed),
          cursor: (offset) => handlers.current.onCursor?.(offset),
          run: () => handlers.current.onRun?.(),
        }),
      }),
    })
    view.current = created
    return () => {
      created.destroy()
      view.current = undefined
    }
  }, [label])

  useEffect(() => {
    if (view.current !== undefined) replaceText(view.current, text)
  }, [text])

  useEffect(() => {
    const current = view.current
    if (current === undefined) return
    const length = current.state.doc.length
    const diagnostics = marks.map(({ from, to, message }) => ({
      from: Math.min(from, length),
      to: Math.min(Math.max(to, from), length),
      severity: 'error' as const,
      message,
    }))
    current.dispatch(setDiagnostics(current.state, diagnostics))
  }, [marks, text])

  useEffect(() => {
    view.current?.dispatch({ effects: setMarkedLine.of(markedOffset) })
  }, [markedOffset, text])

  return <div ref={host} className={styles.editor} />
})

type Told = { typed: (text: string) => void; cursor: (offset: number) => void; run: () => void }

function editorExtensions(label: string, told: Told): Extension {
  const run = (): boolean => {
    told.run()
    return true
  }
  return [
    ...(cspNonce === undefined ? [] : [EditorView.cspNonce.of(cspNonce)]),
    keymap.of([{ key: 'Mod-Enter', run }]),
    lineNumbers(),
    history(),
    drawSelection(),
    indentUnit.of('  '),
    indentOnInput(),
    bracketMatching(),
    json(),
    syntaxHighlighting(jsonColours),
    highlightSpecialChars({ addSpecialChars: HIDDEN, render: hiddenMark }),
    search({ top: true }),
    keymap.of([...defaultKeymap, ...historyKeymap, ...searchKeymap]),
    EditorView.domEventHandlers({ beforeinput: typeText }),
    markedLine,
    editorTheme,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
    EditorView.updateListener.of((update: ViewUpdate) => {
      const isOurs = update.transactions.some((transaction) => transaction.isUserEvent('replace.outside'))
      if (update.docChanged && !isOurs) told.typed(update.state.doc.toString())
      if (update.selectionSet && !isOurs) told.cursor(update.state.selection.main.head)
    }),
  ]
}

const HIDDEN = /[\u00a0\u2000-\u200f\u2028-\u202f\u205f-\u206f\u3000\u3164\ufeff]/gu

function hiddenMark(code: number, description: string | null): HTMLElement {
  const mark = document.createElement('span')
  mark.className = styles['hidden'] ?? ''
  mark.textContent = `U+${code.toString(16).toUpperCase().padStart(4, '0')}`
  if (description !== null) mark.title = description
  return mark
}

function replaceText(view: EditorView, text: string): void {
  const before = view.state.doc.toString()
  if (before === text) return
  let start = 0
  const shorter = Math.min(before.length, text.length)
  while (start < shorter && before.charCodeAt(start) === text.charCodeAt(start)) start += 1
  let end = 0
  while (
    end < shorter - start &&
    before.charCodeAt(before.length - 1 - end) === text.charCodeAt(text.length - 1 - end)
  ) {
    end += 1
  }
  view.dispatch({
    changes: { from: start, to: before.length - end, insert: text.slice(start, text.length - end) },
    userEvent: 'replace.outside',
  })
}
