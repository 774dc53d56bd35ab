import { lazy, Suspense } from 'react'
import type { JsonEditorProps } from './json-editor-props.ts'
import styles from './json-editor.module.css'

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
