import { useMutation, useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { Button } from '../../controls/button.tsx'
import { classes } from '../../controls/classes.ts'
import { Icon, type IconName } from '../../controls/icon.tsx'
import { showFailure } from '../../controls/toast.tsx'
import { query } from '../../host/api.ts'
import { useObservable } from '../../state/observable.ts'
import type { LanguageService } from '../language/language-service.ts'
import { askToClose } from '../file-actions.ts'
import type { Conflict, EditedDocument } from './document.ts'
import { documents } from './session.ts'
import styles from './text.module.css'
import { editorTextText } from './text.ts'

interface TextBarProps {
  tone: 'error' | 'warn' | 'quiet'
  icon: IconName
  /** In a few words. */
  title: string
  /** What it means. */
  detail: string
  /** What can be done. */
  children?: ReactNode
}

/** One line above the text: what is the matter with it and what can be done. */
export function TextBar({ tone, icon, title, detail, children }: TextBarProps) {
  return (
    <div className={styles.bar} role="status">
      <span className={classes(styles.mark, tone !== 'quiet' && `is-${tone}`)}>
        <Icon name={icon} />
        <span>{title}</span>
      </span>
      <span className={classes(styles.detail, 'clip')} title={detail}>
        {detail}
      </span>
      {children !== undefined && <span className={styles.acts}>{children}</span>}
    </div>
  )
}

export function ReadOnlyBar({ reason }: { reason: string }) {
  return <TextBar tone="quiet" icon="info" title={editorTextText.bars.readOnly} detail={reason} />
}

interface ConflictBarProps {
  document: EditedDocument
  conflict: Conflict
}

export function ConflictBar({ document, conflict }: ConflictBarProps) {
  if (conflict.kind === 'gone') {
    return (
      <TextBar
        tone="warn"
        icon="warn"
        title={editorTextText.bars.deletedOnDisk}
        detail={editorTextText.bars.deletedFileNote}
      >
        <Button onClick={() => void documents.resolve(document, conflict, document.state.doc.toString())}>
          {editorTextText.bars.saveAgain}
        </Button>
        <Button onClick={() => askToClose(document.file)}>{editorTextText.bars.close}</Button>
      </TextBar>
    )
  }
  return (
    <TextBar
      tone="warn"
      icon="warn"
      title={editorTextText.bars.changedOnDisk}
      detail={editorTextText.bars.conflictNote}
    >
      <Button icon="diff" onClick={() => document.merge(true)}>
        {editorTextText.bars.compareAndMerge}
      </Button>
      <Button icon="undo" onClick={() => void documents.resolve(document, conflict, conflict.text)}>
        {editorTextText.bars.useDiskVersion}
      </Button>
    </TextBar>
  )
}

/** Returns why there is no completion, where there is none. */
export function LanguageBar({ language }: { language: LanguageService }) {
  const state = useObservable(language.state)
  if (state.status !== 'missing') return null
  return (
    <TextBar
      tone="quiet"
      icon="info"
      title={editorTextText.bars.noCompletionOrDiagnostics}
      detail={state.detail}
    >
      <LanguageActions language={language} />
    </TextBar>
  )
}

/** Offers to fetch the language server where it is not installed, and else to start it again. */
function LanguageActions({ language }: { language: LanguageService }) {
  const { data: offered, isPending } = useQuery(query.editor.languageServer.download.queryOptions())
  const fetching = useMutation(
    query.editor.languageServer.fetch.mutationOptions({
      onSuccess: () => language.restart(),
      onError: (error) => showFailure(editorTextText.bars.couldNotFetch, error),
    }),
  )
  if (isPending) return null
  if (offered === undefined || offered === null)
    return (
      <Button icon="restart" onClick={() => language.restart()}>
        {editorTextText.bars.restart}
      </Button>
    )
  return (
    <Button
      icon="import"
      disabled={fetching.isPending}
      title={editorTextText.bars.fetchedInto(offered.folder)}
      onClick={() => fetching.mutate(undefined)}
    >
      {fetching.isPending
        ? editorTextText.bars.fetching
        : editorTextText.bars.fetchTypeScript(offered.version, offered.size)}
    </Button>
  )
}
