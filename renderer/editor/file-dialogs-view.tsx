import { counted } from '../text/measures.ts'
import { useEffect, useEffectEvent, useState } from 'react'
import type { WorkspaceFile } from '../../server-core/host/contract/editor.ts'
import { Button } from '../controls/button.tsx'
import { Dialog } from '../controls/dialog.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { TextField } from '../controls/text-field.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api } from '../host/api.ts'
import { useObservable } from '../state/observable.ts'
import { SafeText } from '../text/safe-text.tsx'
import { giveUp, renameFile } from './file-actions.ts'
import { fileDialog, type Reference } from './file-dialogs.ts'
import styles from './file-dialogs.module.css'
import { closeFile, openFile } from './open-files.ts'
import { shownText } from './shown-text.ts'
import { editorText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

/** The question about files that is open, if one is. */
export function FileDialogs() {
  const dialog = useObservable(fileDialog)
  // What ends late must not close the one that is open by then.
  const close = (): boolean => {
    if (fileDialog.get() !== dialog) return false
    fileDialog.set(undefined)
    return true
  }
  switch (dialog?.kind) {
    case undefined:
      return null
    case 'open':
      return <OpenFileDialog close={close} />
    case 'rename':
      return <RenameFile key={dialog.file} file={dialog.file} close={close} />
    case 'close':
      return <CloseFile key={dialog.file} file={dialog.file} close={close} />
    case 'symbol':
      return (
        <NameDialog
          key={dialog.symbol}
          close={close}
          title={editorText.fileDialogsView.rename(dialog.symbol)}
          label={editorText.fileDialogsView.newName}
          start={dialog.symbol}
          note={editorText.fileDialogsView.renameScope}
          confirm={editorText.fileDialogsView.renameButton}
          onConfirm={dialog.rename}
        />
      )
    case 'references':
      return <References symbol={dialog.symbol} references={dialog.references} close={close} />
  }
}

/** Closes the dialog; gives false if it was closed before. */
type Close = () => boolean

function RenameFile({ file, close }: { file: string; close: Close }) {
  return (
    <NameDialog
      close={close}
      title={editorText.fileDialogsView.renameFileTitle(file)}
      label={editorText.fileDialogsView.path}
      start={file}
      note={editorText.fileDialogsView.relativeToTheWorkspace}
      confirm={editorText.fileDialogsView.renameButton}
      onConfirm={async (to) => {
        const shown = shownText.get()
        if (shown?.file === file && !(await shown.save())) throw new Error('Could not save the file first.')
        await renameFile(file, to)
      }}
    />
  )
}

interface NameDialogProps {
  close: Close
  title: string
  label: string
  start: string
  note: string
  confirm: string
  onConfirm: (name: string) => Promise<void>
}

function NameDialog({ close, title, label, start, note, confirm, onConfirm }: NameDialogProps) {
  const [name, setName] = useState(start)
  const {
    problem: error,
    setProblem: setError,
    submit,
  } = useSubmission(editorText.fileDialogsView.couldNotRename(start))
  return (
    <Dialog
      open
      onOpenChange={close}
      title={title}
      onSubmit={() => submit(() => onConfirm(name.trim()), close)}
      actions={
        <>
          <Button onClick={close}>{editorText.fileDialogsView.cancel}</Button>
          <Button tone="primary" type="submit" disabled={name.trim() === ''}>
            {confirm}
          </Button>
        </>
      }
    >
      <FormRow label={label} note={note} error={error}>
        {(control) => (
          <TextField
            {...control}
            mono
            value={name}
            invalid={error !== undefined}
            onFocus={(event) => event.currentTarget.select()}
            onValueChange={(value) => {
              setName(value)
              setError(undefined)
            }}
          />
        )}
      </FormRow>
    </Dialog>
  )
}

/** Files shown at once; the filter finds the others. */
const SHOWN = 200

function OpenFileDialog({ close }: { close: Close }) {
  const [files, setFiles] = useState<readonly WorkspaceFile[]>()
  const [failure, setFailure] = useState<string>()
  const [filter, setFilter] = useState('')
  // Enter may come before the files do.
  const [isEntered, setEntered] = useState(false)

  useEffect(() => {
    api.editor.files().then(
      (listed) => setFiles(listed.files),
      (reason: unknown) => setFailure(messageOf(reason)),
    )
  }, [])

  const found = (files ?? []).filter(({ file }) => file.toLowerCase().includes(filter.trim().toLowerCase()))
  const open = (file: string): void => {
    close()
    openFile(file)
  }
  const first = found[0]?.file
  const enter = (): void => {
    if (first === undefined) setEntered(files === undefined)
    else open(first)
  }
  const openNow = useEffectEvent(open)
  useEffect(() => {
    if (isEntered && first !== undefined) openNow(first)
  }, [isEntered, first])
  return (
    <Dialog
      open
      onOpenChange={close}
      title={editorText.fileDialogsView.openFile}
      onSubmit={enter}
      actions={<Button onClick={close}>{editorText.fileDialogsView.cancel}</Button>}
    >
      <TextField
        aria-label={editorText.fileDialogsView.filterFiles}
        icon="search"
        placeholder={editorText.fileDialogsView.filterFiles}
        value={filter}
        onValueChange={(text) => {
          setFilter(text)
          setEntered(false)
        }}
      />
      {failure !== undefined && <p className="is-error">{failure}</p>}
      <ul className={styles.files} aria-label={editorText.fileDialogsView.files}>
        {found.slice(0, SHOWN).map(({ file }) => (
          <li key={file}>
            <button type="button" className={styles.file} onClick={() => open(file)}>
              <SafeText>{file}</SafeText>
            </button>
          </li>
        ))}
      </ul>
      {files !== undefined && found.length === 0 && (
        <p className="t2">{editorText.fileDialogsView.noMatchingFile}</p>
      )}
      {found.length > SHOWN && (
        <p className="t2">
          {found.length - SHOWN} {editorText.fileDialogsView.moreFiles}
        </p>
      )}
    </Dialog>
  )
}

interface ReferencesProps {
  symbol: string
  references: readonly Reference[]
  close: Close
}

function References({ symbol, references, close }: ReferencesProps) {
  return (
    <Dialog
      open
      onOpenChange={close}
      title={editorText.fileDialogsView.referencesOf(symbol)}
      description={
        references.length === 1
          ? editorText.fileDialogsView.onePlace
          : `${counted(references.length, 'place')}.`
      }
      actions={<Button onClick={close}>{editorText.fileDialogsView.close}</Button>}
    >
      <ul className={styles.files} aria-label={editorText.fileDialogsView.references}>
        {references.map(({ file, line, column, text }) => (
          <li key={`${file} ${line} ${column}`}>
            <button
              type="button"
              className={styles.file}
              onClick={() => {
                close()
                openFile(file, { line, column })
              }}
            >
              <SafeText>{`${file}:${line}`}</SafeText>
              <span className={styles.line}>
                <SafeText>{text.trim()}</SafeText>
              </span>
            </button>
          </li>
        ))}
      </ul>
    </Dialog>
  )
}

function CloseFile({ file, close }: { file: string; close: Close }) {
  const [isSaving, setSaving] = useState(false)
  const saveAndClose = async (): Promise<void> => {
    setSaving(true)
    const isSaved = await saveFile(file)
    // Who left the dialog meanwhile may have typed more.
    if (close() && isSaved) closeFile(file)
  }
  return (
    <Dialog
      open
      onOpenChange={close}
      title={editorText.fileDialogsView.saveBeforeClosing(file)}
      description={editorText.fileDialogsView.fileHasUnsavedChanges}
      onSubmit={() => void saveAndClose()}
      actions={
        <>
          <Button onClick={close}>{editorText.fileDialogsView.cancel}</Button>
          <Button
            tone="danger"
            onClick={() => {
              close()
              void giveUp(file)
            }}
          >
            {editorText.fileDialogsView.dontSave}
          </Button>
          <Button tone="primary" type="submit" disabled={isSaving}>
            {editorText.fileDialogsView.save}
          </Button>
        </>
      }
    />
  )
}

/** Saves a file that has a tab; the editor is loaded if it has one. */
async function saveFile(file: string): Promise<boolean> {
  const { documents } = await import('./text/session.ts')
  const document = await documents.open(file)
  const { conflict } = document.facts.get()
  if (conflict?.kind !== 'gone') return documents.save(document)
  await documents.resolve(document, conflict, document.state.doc.toString())
  return !document.facts.get().isUnsaved
}
