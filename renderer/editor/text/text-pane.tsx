import { useEffect, useState } from 'react'
import { Button } from '../../controls/button.tsx'
import { EmptyState } from '../../controls/empty-state.tsx'
import type { ScriptFault } from '../editor-props.ts'
import { closeFile, wantedPlace } from '../open-files.ts'
import type { EditedDocument } from './document.ts'
import { DocumentView } from './document-view.tsx'
import { documents } from './session.ts'
import { SetAside } from './set-aside.tsx'
import { editorTextText } from './text.ts'
import { messageOf } from '../../../server-core/protocol/error-message.ts'

interface TextPaneProps {
  file: string
  faults: readonly ScriptFault[]
  /** Scripts of the workspace may run, and with them the language server. */
  isTrusted: boolean
}

type Opened =
  | { readonly file: string; readonly document: EditedDocument }
  | { readonly file: string; readonly failure: string }

/** The text of the file in front, as soon as it is read. */
export default function TextPane({ file, faults, isTrusted }: TextPaneProps) {
  const [opened, setOpened] = useState<Opened>()
  const [attempt, setAttempt] = useState(0)

  useEffect(() => {
    let isWanted = true
    documents.open(file).then(
      (document) => isWanted && setOpened({ file, document }),
      (error: unknown) => {
        const failure = messageOf(error)
        if (!isWanted) return
        setOpened({ file, failure })
        if (wantedPlace.get()?.file === file) wantedPlace.set(undefined)
      },
    )
    return () => {
      isWanted = false
    }
  }, [file, attempt])

  useEffect(() => {
    if (isTrusted) documents.language?.retry()
  }, [isTrusted])

  if (opened === undefined) return null
  const isOfOther = opened.file !== file
  if ('failure' in opened) {
    return isOfOther ? null : (
      <EmptyState
        title={editorTextText.textPane.couldNotOpen(opened.file)}
        actions={
          <>
            <Button onClick={() => setAttempt(attempt + 1)}>{editorTextText.textPane.tryAgain}</Button>
            <Button onClick={() => closeFile(opened.file)}>{editorTextText.textPane.close}</Button>
          </>
        }
      >
        <p>{opened.failure}</p>
      </EmptyState>
    )
  }
  return (
    <SetAside isAside={isOfOther}>
      <DocumentView document={opened.document} faults={faults} />
    </SetAside>
  )
}
