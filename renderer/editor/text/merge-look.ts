import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Differences in the tokens of the window. */
export const mergeLook: Extension = EditorView.theme({
  '&': { height: 'auto' },
  '.cm-changedLine': { backgroundColor: 'var(--accent-soft)' },
  '&.cm-merge-a .cm-changedLine, .cm-deletedChunk': { backgroundColor: 'var(--warn-soft)' },
  '&.cm-merge-a .cm-changedText': { background: 'none', textDecoration: 'underline 2px var(--warn)' },
  '&.cm-merge-b .cm-changedText': { background: 'none', textDecoration: 'underline 2px var(--accent)' },
  '&.cm-merge-a .cm-changedLineGutter': { background: 'var(--warn)' },
  '&.cm-merge-b .cm-changedLineGutter': { background: 'var(--accent)' },
  '.cm-collapsedLines': {
    background: 'var(--surface-panel)',
    color: 'var(--text-2)',
    fontFamily: 'var(--font-ui)',
    fontSize: 'var(--t-small)',
  },
})
