import { StateEffect, StateField, type Extension, type Range } from '@codemirror/state'
import { Decoration, EditorView, type DecorationSet } from '@codemirror/view'
import { tagHighlighter, tags } from '@lezer/highlight'

/** The colours of JSON, by the classes that the whole window uses. */
export const jsonColours = tagHighlighter([
  { tag: tags.propertyName, class: 'j-k' },
  { tag: tags.string, class: 'j-s' },
  { tag: tags.number, class: 'j-n' },
  { tag: [tags.bool, tags.null], class: 'j-l' },
  { tag: [tags.punctuation, tags.separator, tags.brace, tags.squareBracket], class: 'j-p' },
])

/** Marks the line of a place in the text, or none. */
export const setMarkedLine = StateEffect.define<number | undefined>()

const marked = Decoration.line({ class: 'cm-marked' })

export const markedLine: Extension = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update(lines, transaction) {
    let next = lines.map(transaction.changes)
    for (const effect of transaction.effects) {
      if (!effect.is(setMarkedLine)) continue
      const ranges: Range<Decoration>[] = []
      if (effect.value !== undefined) {
        const place = Math.min(effect.value, transaction.newDoc.length)
        ranges.push(marked.range(transaction.newDoc.lineAt(place).from))
      }
      next = Decoration.set(ranges)
    }
    return next
  },
  provide: (field) => EditorView.decorations.from(field),
})

/** The editor in the window's own tokens, so that it follows the theme by itself. */
export const editorTheme: Extension = EditorView.theme({
  '&': { height: '100%', backgroundColor: 'var(--surface-data)', color: 'var(--text-1)' },
  '&.cm-focused': { outline: 'var(--focus-width) solid var(--focus-colour)', outlineOffset: '-2px' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--t-code)',
    lineHeight: 'var(--lh-code)',
    overflow: 'auto',
  },
  '.cm-content': { padding: 'var(--s-6) 0', caretColor: 'var(--text-1)' },
  '.cm-line': { padding: '0 var(--s-8) 0 0' },
  '.cm-gutters': { backgroundColor: 'var(--surface-data)', color: 'var(--text-3)', border: '0' },
  '.cm-lineNumbers .cm-gutterElement': { minWidth: '34px', padding: '0 12px 0 0' },
  '.cm-marked': { backgroundColor: 'var(--accent-soft)' },
  '.cm-cursor, .cm-dropCursor': { borderLeftColor: 'var(--text-1)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground': {
    backgroundColor: 'var(--surface-selected)',
  },
  '&.cm-focused .cm-matchingBracket': { backgroundColor: 'var(--surface-active)', color: 'inherit' },
  '&.cm-focused .cm-nonmatchingBracket': { backgroundColor: 'var(--error-soft)', color: 'inherit' },
  '.cm-lintRange-error': {
    backgroundImage: 'none',
    textDecoration: 'underline wavy var(--error) 1px',
    textUnderlineOffset: '3px',
  },
  '.cm-tooltip': {
    backgroundColor: 'var(--surface-overlay)',
    color: 'var(--text-1)',
    border: '0',
    borderRadius: 'var(--r-3)',
    boxShadow: 'var(--shadow-pop)',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--t-small)',
  },
  '.cm-diagnostic-error': { borderLeft: '3px solid var(--error)' },
  '.cm-panels': { backgroundColor: 'var(--surface-overlay)', color: 'var(--text-1)' },
  '.cm-panels.cm-panels-top': { borderBottom: '1px solid var(--line)' },
  '.cm-textfield': {
    backgroundColor: 'var(--surface-data)',
    border: '1px solid var(--line)',
    borderBottomColor: 'var(--line-control)',
  },
  '.cm-button': {
    backgroundImage: 'none',
    backgroundColor: 'var(--surface-panel)',
    border: '1px solid var(--line-strong)',
  },
  '.cm-searchMatch': { backgroundColor: 'var(--warn-soft)', outline: '1px solid var(--warn)' },
  '.cm-searchMatch-selected': { backgroundColor: 'var(--accent-soft)' },
})
