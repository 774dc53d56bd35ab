import { MergeView } from '@codemirror/merge'
import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { EditorState } from '@codemirror/state'
import { EditorView, keymap } from '@codemirror/view'
import { useEffect, useRef } from 'react'
import { Button } from '../../controls/button.tsx'
import { typeText } from '../../json/type-text.ts'
import { TextBar } from './bars.tsx'
import { changeToText } from './change-to-text.ts'
import type { Conflict, EditedDocument } from './document.ts'
import { look, syntaxOf } from './extensions.ts'
import { mergeLook } from './merge-look.ts'
import { documents } from './session.ts'
import styles from './text.module.css'
import { editorTextText } from './text.ts'

interface MergePaneProps {
  document: EditedDocument
  conflict: Extract<Conflict, { kind: 'changed' }>
}

/**
 * The text on the disk beside the text here: each difference can be taken from the disk, and the right side is
 * what is saved. It is the document itself, so whatever is done here can be undone in the editor.
 */
export function MergePane({ document, conflict }: MergePaneProps) {
  const parent = useRef<HTMLDivElement>(null)
  const merge = useRef<MergeView | undefined>(undefined)
  const first = useRef(conflict)
  const save = (): void => {
    void documents.resolve(document, conflict, document.state.doc.toString())
  }
  const saving = useRef(save)

  useEffect(() => {
    saving.current = save
  })

  useEffect(() => {
    if (parent.current === null) return undefined
    const syntax = syntaxOf(document.file)
    const created = new MergeView({
      parent: parent.current,
      revertControls: 'a-to-b',
      renderRevertControl: takeButton,
      gutter: true,
      collapseUnchanged: { margin: 4, minSize: 8 },
      a: {
        doc: first.current.text,
        extensions: [
          look(editorTextText.mergePane.onDisk(document.file)),
          syntax,
          mergeLook,
          EditorState.readOnly.of(true),
        ],
      },
      b: {
        doc: document.state.doc,
        extensions: [
          look(editorTextText.mergePane.savedSide(document.file)),
          syntax,
          mergeLook,
          history(),
          keymap.of([
            {
              key: 'Mod-s',
              preventDefault: true,
              run: () => {
                saving.current()
                return true
              },
            },
            ...historyKeymap,
            ...defaultKeymap,
          ]),
          EditorView.domEventHandlers({ beforeinput: typeText }),
          EditorView.updateListener.of(({ docChanged, state }) => {
            if (docChanged) document.setText(state.doc.toString())
          }),
        ],
      },
    })
    merge.current = created
    created.b.focus()
    return () => {
      created.destroy()
      merge.current = undefined
    }
  }, [document])

  useEffect(() => {
    const disk = merge.current?.a
    const changes = disk === undefined ? undefined : changeToText(disk.state.doc, conflict.text)
    if (changes !== undefined) disk?.dispatch({ changes })
  }, [conflict])

  return (
    <>
      <TextBar
        tone="warn"
        icon="diff"
        title={editorTextText.mergePane.leftDiskRightVersion}
        detail={editorTextText.mergePane.mergeNote}
      >
        <Button onClick={() => document.merge(false)}>{editorTextText.mergePane.backToTheText}</Button>
        <Button tone="primary" keys="mod+s" onClick={save}>
          {editorTextText.mergePane.saveRightSide}
        </Button>
      </TextBar>
      <div ref={parent} className={styles.merge} />
    </>
  )
}

function takeButton(): HTMLElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.textContent = '⇝'
  button.title = editorTextText.mergePane.useDiskVersion
  button.setAttribute('aria-label', editorTextText.mergePane.useDiskVersion)
  return button
}
