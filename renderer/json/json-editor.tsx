import { lazy, Suspense } from 'react'
import styles from './json-editor.module.css'

/** A message at a place in the text. */
export type EditorMark = { readonly from: number; readonly to: number; readonly message: string }

export interface JsonEditorProps {
  /** Its accessible name. */
  label: string
  text: string
  onTextChange: (text: string) => void
  /** Mod-Enter. */
  onRun?: (() => void) | undefined
  marks?: readonly EditorMark[]
  /** The line of this place is marked: where the focused field of the form stands. */
  markedOffset?: number | undefined
  /** The place of the cursor, when it moves. */
  onCursor?: ((offset: number) => void) | undefined
}

/** Characters of the text that are shown until the editor is loaded. */
const MOST_SHOWN = 20_000

/** Loads the editor, which is a fifth of the window's code, after the window was drawn first. */
export const loadJsonEditor = () => import('./code-mirror-json.tsx')

const CodeMirrorJson = lazy(loadJsonEditor)

/** Edits JSON text. Until the editor is loaded, it shows the text. */
export function JsonEditor(props: JsonEditorProps) {
  return (
    <Suspense
      fallback={
        <pre className={styles.waiting} aria-busy="true" aria-label={props.label}>
          {props.text.slice(0, MOST_SHOWN)}
        </pre>
      }
    >
      <CodeMirrorJson {...props} />
    </Suspense>
  )
}
