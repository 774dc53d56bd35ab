import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { javascript } from '@codemirror/lang-javascript'
import { json } from '@codemirror/lang-json'
import { bracketMatching, indentOnInput, indentUnit } from '@codemirror/language'
import { lintKeymap } from '@codemirror/lint'
import { formatKeymap } from '@codemirror/lsp-client'
import { search, searchKeymap } from '@codemirror/search'
import { EditorState, type Extension } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLineGutter,
  highlightSpecialChars,
  keymap,
  type KeyBinding,
  lineNumbers,
} from '@codemirror/view'
import { isMac } from '../../controls/keys.ts'
import { cspNonce } from '../../csp/nonce.ts'
import { editorTheme } from '../../json/editor-look.ts'
import { completeByServer } from '../language/completion.ts'
import { isScript, type LanguageService } from '../language/language-service.ts'
import type { EditedDocument } from './document.ts'
import { foundProblems } from './found-problems.ts'
import { scriptLook } from './look.ts'
import { steadyCursor } from './steady-cursor.ts'
import { typeText } from '../../json/type-text.ts'
import { editorTextText } from './text.ts'

export type Told = {
  /** ⌘S. */
  readonly save: (document: EditedDocument) => void
  /** Something else is wrong in it now. */
  readonly problems: (document: EditedDocument, state: EditorState) => void
  /** A key or the pointer asked for it. */
  readonly symbol: (action: SymbolAction, view: EditorView, position: number) => void
}

/** What can be done with the name at a place of a script: F2, F12, Shift-F12. */
export type SymbolAction = 'rename' | 'definition' | 'references'

/** All that the editor of one document has. */
export function extensionsOf(
  document: EditedDocument,
  language: LanguageService | undefined,
  told: Told,
): Extension {
  const { file } = document
  const isEditable = document.readOnly === undefined
  const save = (): boolean => {
    if (isEditable) told.save(document)
    return true
  }
  return [
    look(editorTextText.extensions.textOf(file)),
    EditorState.readOnly.of(!isEditable),
    history(),
    indentOnInput(),
    closeBrackets(),
    search({ top: true }),
    syntaxOf(file),
    autocompletion({ override: isScript(file) ? [completeByServer] : [], maxRenderedOptions: 12 }),
    foundProblems((state) => told.problems(document, state)),
    isScript(file) && isEditable && language !== undefined ? language.extensionFor(file) : [],
    isScript(file) ? symbolKeys(told.symbol) : [],
    EditorView.domEventHandlers({
      beforeinput: typeText,
      focus: () => {
        language?.wake()
        return false
      },
    }),
    keymap.of([
      { key: 'Mod-s', run: save, preventDefault: true },
      ...formatKeymap,
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...lintKeymap.filter(({ key }) => key === 'F8'),
      ...searchKeymap,
      ...historyKeymap,
      ...defaultKeymap,
      // Escape, then Tab, goes on to the next control.
      indentWithTab,
    ]),
  ]
}

function symbolKeys(symbol: Told['symbol']): Extension {
  const key = (name: string, action: SymbolAction): KeyBinding => ({
    key: name,
    preventDefault: true,
    run: (view) => {
      symbol(action, view, view.state.selection.main.head)
      return true
    },
  })
  return [
    keymap.of([key('F2', 'rename'), key('F12', 'definition'), key('Shift-F12', 'references')]),
    EditorView.domEventHandlers({
      mousedown: ({ button, ctrlKey, metaKey, clientX, clientY }, view) => {
        if (button !== 0 || !(isMac ? metaKey : ctrlKey)) return false
        const position = view.posAtCoords({ x: clientX, y: clientY })
        if (position === null || view.state.wordAt(position) === null) return false
        symbol('definition', view, position)
        return true
      },
    }),
  ]
}

/** How text looks and is read out, whatever is done with it. */
export function look(label: string): Extension {
  return [
    cspNonce === undefined ? [] : EditorView.cspNonce.of(cspNonce),
    lineNumbers(),
    highlightActiveLineGutter(),
    highlightSpecialChars(),
    drawSelection(),
    steadyCursor,
    indentUnit.of('  '),
    bracketMatching(),
    // The first of two themes wins.
    scriptLook,
    editorTheme,
    EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false', tabindex: '0' }),
  ]
}

/** The language of a file by its name. */
export function syntaxOf(file: string): Extension {
  if (/\.jsonc?$/.test(file)) return json()
  const kind = /\.[cm]?([jt])s(x?)$/.exec(file)
  return kind === null ? [] : javascript({ typescript: kind[1] === 't', jsx: kind[2] === 'x' })
}
