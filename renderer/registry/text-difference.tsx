import { MergeView } from '@codemirror/merge'
import { javascript } from '@codemirror/lang-javascript'
import { EditorState, type Extension } from '@codemirror/state'
import { EditorView, lineNumbers } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { cspNonce } from '../csp/nonce.ts'
import { scriptLook } from '../editor/text/look.ts'
import { mergeLook } from '../editor/text/merge-look.ts'
import { editorTheme } from '../json/editor-look.ts'
import styles from './text-difference.module.css'
import { registryText } from './text.ts'

interface TextDifferenceProps {
  before: string
  after: string
  /** Its accessible name. */
  label: string
}

/** Two read-only texts side by side; long common parts are folded. */
export default function TextDifference({ before, after, label }: TextDifferenceProps) {
  const place = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (place.current === null) return undefined
    const view = new MergeView({
      a: { doc: before, extensions: [...LOOK, named(registryText.textDifference.before(label))] },
      b: { doc: after, extensions: [...LOOK, named(registryText.textDifference.after(label))] },
      parent: place.current,
      collapseUnchanged: { margin: 4, minSize: 8 },
      gutter: true,
    })
    return () => view.destroy()
  }, [before, after, label])
  return <div ref={place} className={styles.difference} role="group" aria-label={label} />
}

const LOOK: readonly Extension[] = [
  lineNumbers(),
  javascript({ typescript: true }),
  editorTheme,
  scriptLook,
  mergeLook,
  EditorState.readOnly.of(true),
  EditorView.cspNonce.of(cspNonce ?? ''),
]

function named(label: string): Extension {
  return EditorView.contentAttributes.of({ 'aria-label': label, tabindex: '0' })
}
