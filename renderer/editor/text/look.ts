import { HighlightStyle, syntaxHighlighting } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'
import { tags } from '@lezer/highlight'

const colours = HighlightStyle.define([
  {
    tag: [tags.keyword, tags.modifier, tags.operatorKeyword, tags.self, tags.null],
    color: 'var(--code-keyword)',
  },
  { tag: [tags.string, tags.special(tags.string), tags.regexp], color: 'var(--code-string)' },
  { tag: [tags.number, tags.bool], color: 'var(--code-number)' },
  { tag: [tags.propertyName, tags.attributeName], color: 'var(--code-key)' },
  { tag: [tags.typeName, tags.className, tags.namespace], color: 'var(--code-literal)' },
  { tag: tags.comment, color: 'var(--code-comment)' },
  { tag: [tags.punctuation, tags.bracket, tags.operator, tags.separator], color: 'var(--code-punct)' },
  { tag: [tags.heading, tags.strong], fontWeight: 'var(--w-strong)' },
  { tag: tags.emphasis, fontStyle: 'italic' },
])

const reason = {
  boxSizing: 'border-box',
  position: 'sticky',
  left: 'var(--reason-left, 0)',
  // The width of the view, in which it stays while the code scrolls sideways; `steadyReasons` sets it.
  maxWidth: 'var(--reason-width, 100%)',
  overflowWrap: 'anywhere',
  display: 'flex',
  gap: 'var(--s-8)',
  alignItems: 'flex-start',
  margin: '0',
  padding: '3px var(--s-12) 3px var(--s-8)',
  font: 'var(--t-small)/18px var(--font-ui)',
  whiteSpace: 'pre-wrap',
  color: 'var(--text-1)',
}

/** What scripts have beyond the look that every editor has. */
export const scriptLook: Extension = [
  syntaxHighlighting(colours),
  EditorView.theme({
    '.cm-content:focus-visible': { outline: 'none' },
    // The text lies over an outline of what holds it, so the ring of the focus is drawn over the text.
    '&.cm-focused': { outline: 'none' },
    '&.cm-focused::after': {
      content: '""',
      position: 'absolute',
      inset: '0',
      boxShadow: 'inset 0 0 0 var(--focus-width) var(--focus-colour)',
      pointerEvents: 'none',
      zIndex: '250',
    },
    '.cm-lineNumbers .cm-gutterElement': { minWidth: '44px', padding: '0 16px 0 0' },
    '.cm-activeLine': { backgroundColor: 'transparent' },
    '.cm-activeLineGutter': { backgroundColor: 'transparent', color: 'var(--text-1)' },
    '.cm-wrongLine-error': { backgroundColor: 'var(--error-soft)' },
    '.cm-wrongLine-warning': { backgroundColor: 'var(--warn-soft)' },
    '.cm-gutterElement.cm-wrongNumber-error': {
      backgroundColor: 'var(--error-soft)',
      boxShadow: 'inset 3px 0 0 var(--error)',
    },
    '.cm-gutterElement.cm-wrongNumber-warning': {
      backgroundColor: 'var(--warn-soft)',
      boxShadow: 'inset 3px 0 0 var(--warn)',
    },
    '.cm-reason-error': {
      ...reason,
      backgroundColor: 'var(--error-soft)',
      borderLeft: '1px solid var(--error)',
    },
    '.cm-reason-warning': {
      ...reason,
      backgroundColor: 'var(--warn-soft)',
      borderLeft: '1px solid var(--warn)',
    },
    '.cm-reason .ic': { marginTop: '1px' },
    '.cm-reason-error .ic': { color: 'var(--error)' },
    '.cm-reason-warning .ic': { color: 'var(--warn)' },
    '.cm-reasonText': { flex: '1', minWidth: '0' },
    '.cm-reasonMore': {
      flex: 'none',
      color: 'var(--accent)',
      font: 'inherit',
      textDecoration: 'underline',
    },
    '.cm-reasonSource': { color: 'var(--text-2)' },
    '.cm-lintRange-warning': {
      backgroundImage: 'none',
      textDecoration: 'underline wavy var(--warn) 1px',
      textUnderlineOffset: '3px',
    },
    '.cm-lintRange-hint, .cm-lintRange-info': { backgroundImage: 'none' },
    '.cm-unnecessary, .cm-unnecessary span': { color: 'var(--text-3)' },
    '.cm-lintPoint::after': { display: 'none' },
    '.cm-tooltip': { overflow: 'hidden', maxWidth: '640px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul': {
      fontFamily: 'var(--font-mono)',
      fontSize: 'var(--t-code)',
      // All that is drawn of the list fits, so nothing of it needs to be scrolled.
      maxHeight: 'none',
      overflow: 'hidden',
    },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li': { padding: '1px var(--s-8)', lineHeight: '20px' },
    '.cm-tooltip.cm-tooltip-autocomplete > ul > li[aria-selected]': {
      backgroundColor: 'var(--surface-selected)',
      color: 'var(--text-1)',
    },
    '.cm-completionMatchedText': { textDecoration: 'none', color: 'var(--accent)' },
    '.cm-completionDetail': { color: 'var(--text-3)', fontStyle: 'normal', marginLeft: 'var(--s-12)' },
    '.cm-completionIcon': { opacity: '1', color: 'var(--text-3)' },
    '.cm-tooltip.cm-completionInfo': {
      padding: 'var(--s-6) var(--s-8)',
      maxHeight: '240px',
      overflow: 'auto',
    },
    '.cm-lsp-documentation': { padding: 'var(--s-6) var(--s-8)', maxHeight: '260px', overflow: 'auto' },
    '.cm-completionInfo .cm-lsp-documentation': { padding: '0' },
    '.cm-lsp-documentation pre, .cm-lsp-signature': {
      fontFamily: 'var(--font-mono)',
      fontSize: 'var(--t-code)',
      whiteSpace: 'pre-wrap',
    },
    '.cm-lsp-signature-tooltip .cm-lsp-active-parameter': { color: 'var(--accent)' },
    '.cm-tooltip-lint': { padding: 'var(--s-4) 0' },
    '.cm-diagnostic': { padding: '2px var(--s-8)', borderLeft: '3px solid var(--line-strong)' },
    '.cm-panel.cm-search': { padding: 'var(--s-6) var(--s-8)', fontSize: 'var(--t-small)' },
    '.cm-panel.cm-search label': { fontSize: 'var(--t-small)' },
    '.cm-panel.cm-search [name=close]': { color: 'var(--text-2)', fontSize: '18px', top: 'var(--s-6)' },
    '.cm-dialog label': { fontSize: 'var(--t-small)' },
    '.cm-foldPlaceholder': {
      backgroundColor: 'var(--surface-active)',
      color: 'var(--text-2)',
      border: '0',
      padding: '0 var(--s-4)',
    },
  }),
]
