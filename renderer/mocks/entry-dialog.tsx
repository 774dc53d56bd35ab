import { useId, useState } from 'react'
import { keyOfEntry } from '../../server-core/host/contract/mocks.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { FormDialog } from '../controls/form-dialog.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { showFailure, showToast } from '../controls/toast.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api } from '../host/api.ts'
import { live } from '../host/live.ts'
import { AnswerEditor } from './answer-editor.tsx'
import { ArgumentList } from './argument-list.tsx'
import { entryOf, HINTS, type EntryForm, type Hint } from './entry-form.ts'
import styles from './mocks.module.css'
import { mockDialogTarget } from './open-mock-dialog.ts'
import { SchemaBuilder } from './schema-builder.tsx'
import { mocksText } from './text.ts'

interface EntryDialogProps {
  first: EntryForm
  /** The key of the entry that is changed. */
  replaces: string | undefined
  onSaved: (key: string) => void
}

const NAMES = { tool: 'tool', resource: 'resource', template: 'resource template', prompt: 'prompt' } as const
const HINT_NAMES: Readonly<Record<Hint, string>> = {
  readOnlyHint: 'readOnlyHint',
  destructiveHint: 'destructiveHint',
  idempotentHint: 'idempotentHint',
  openWorldHint: 'openWorldHint',
}

const close = (): void => mockDialogTarget.set(undefined)

/** Everything of an entry without code. */
export function EntryDialog({ first, replaces, onSaved }: EntryDialogProps) {
  const [form, setForm] = useState(first)
  const what = NAMES[form.kind]
  const { problem, setProblem, submit } = useSubmission(
    replaces === undefined
      ? mocksText.entryDialog.couldNotCreateThe(what)
      : mocksText.entryDialog.couldNotSaveThe(what),
  )
  const set = (change: Partial<EntryForm>): void => setForm({ ...form, ...change })

  const save = (): void => {
    const read = entryOf(form)
    if (!read.ok) {
      setProblem(read.reason)
      return
    }
    const entry = read.value
    const replaced = replaces === undefined ? {} : { replaces }
    submit(
      async () => {
        live.parts.mocks.set(await api.mocks.save({ entry, ...replaced }))
        showToast({
          title: mocksText.entryDialog.serving(visibleText(entry.name)),
          detail: mocksText.entryDialog.listChangedWasSent,
          tone: 'ok',
        })
      },
      () => {
        close()
        onSaved(keyOfEntry(entry))
      },
    )
  }

  return (
    <FormDialog
      onClose={close}
      wide
      onSubmit={save}
      title={
        replaces === undefined ? mocksText.entryDialog.newMock(what) : mocksText.entryDialog.editMock(what)
      }
      description={mocksText.entryDialog.definedInFile}
      submit={mocksText.entryDialog.save}
      problem={problem}
      more={
        replaces !== undefined && (
          <Button tone="danger" onClick={() => submit(() => removeEntry(replaces), close)}>
            {mocksText.entryDialog.remove}
          </Button>
        )
      }
    >
      <div className={styles.entry}>
        <Words form={form} set={set} />
        {form.kind === 'tool' && <ToolParts form={form} set={set} />}
        {form.kind === 'prompt' && (
          <ArgumentList list={form.arguments} onChange={(next) => set({ arguments: next })} />
        )}
        <section className={styles.part} aria-label={mocksText.entryDialog.result}>
          <h3>{mocksText.entryDialog.result}</h3>
          <AnswerEditor
            form={form.answer}
            onChange={(answer) => set({ answer })}
            sampleCall={sampleCall(form)}
          />
        </section>
      </div>
    </FormDialog>
  )
}

/** Removes an entry immediately, and offers to restore it. */
async function removeEntry(key: string): Promise<void> {
  const before = live.parts.mocks.get()?.entries.find((each) => keyOfEntry(each) === key)
  live.parts.mocks.set(await api.mocks.remove({ key }))
  if (before === undefined) return
  const name = visibleText(before.name)
  const restore = async (): Promise<void> => {
    try {
      live.parts.mocks.set(await api.mocks.save({ entry: before }))
    } catch (error) {
      showFailure(mocksText.entryDialog.couldNotRestore(name), error)
    }
  }
  showToast({
    title: mocksText.entryDialog.removed(name),
    action: { label: mocksText.entryDialog.undo, onClick: () => void restore() },
  })
}

type Part = { form: EntryForm; set: (change: Partial<EntryForm>) => void }

function Words({ form, set }: Part) {
  const id = useId()
  const hasAddress = form.kind === 'resource' || form.kind === 'template'
  return (
    <div className={styles.pair}>
      {hasAddress && (
        <>
          <label htmlFor={`${id}-address`}>
            {form.kind === 'resource' ? mocksText.entryDialog.uri : mocksText.entryDialog.uriTemplate}
          </label>
          <TextField
            id={`${id}-address`}
            mono
            autoFocus
            placeholder={
              form.kind === 'resource' ? mocksText.entryDialog.demoMotto : mocksText.entryDialog.demoNoteId
            }
            value={form.address}
            onValueChange={(address) => set({ address })}
          />
        </>
      )}
      <label htmlFor={`${id}-name`}>{mocksText.entryDialog.name}</label>
      <TextField
        id={`${id}-name`}
        mono
        autoFocus={!hasAddress}
        value={form.name}
        onValueChange={(name) => set({ name })}
      />
      <label htmlFor={`${id}-title`}>{mocksText.entryDialog.title}</label>
      <TextField id={`${id}-title`} value={form.title} onValueChange={(title) => set({ title })} />
      <label htmlFor={`${id}-description`}>{mocksText.entryDialog.description}</label>
      <TextArea
        id={`${id}-description`}
        rows={2}
        value={form.description}
        onValueChange={(description) => set({ description })}
      />
      {hasAddress && (
        <>
          <label htmlFor={`${id}-mime`}>{mocksText.entryDialog.mimeType}</label>
          <TextField
            id={`${id}-mime`}
            mono
            placeholder={mocksText.entryDialog.textPlain}
            value={form.mimeType}
            onValueChange={(mimeType) => set({ mimeType })}
          />
        </>
      )}
    </div>
  )
}

function ToolParts({ form, set }: Part) {
  return (
    <>
      <div className={styles.hints} role="group" aria-label={mocksText.entryDialog.annotations}>
        {HINTS.map((hint) => (
          <Checkbox
            key={hint}
            checked={form.hints.includes(hint)}
            onCheckedChange={(on) =>
              set({ hints: HINTS.filter((each) => (each === hint ? on : form.hints.includes(each))) })
            }
          >
            {HINT_NAMES[hint]}
          </Checkbox>
        ))}
      </div>
      <section className={styles.part} aria-label={mocksText.entryDialog.arguments}>
        <h3>{mocksText.entryDialog.arguments}</h3>
        <SchemaBuilder what="arguments" text={form.input} onTextChange={(input) => set({ input })} />
      </section>
      <section className={styles.part} aria-label={mocksText.entryDialog.outputSchema}>
        <h3>{mocksText.entryDialog.outputSchema}</h3>
        <Checkbox checked={form.hasOutput} onCheckedChange={(hasOutput) => set({ hasOutput })}>
          {mocksText.entryDialog.declareOutputschema}
        </Checkbox>
        {form.hasOutput && (
          <SchemaBuilder what="result" text={form.output} onTextChange={(output) => set({ output })} />
        )}
      </section>
    </>
  )
}

/** A call to try an answer with. */
function sampleCall({ kind, name, address }: EntryForm): string {
  switch (kind) {
    case 'tool':
    case 'prompt':
      return JSON.stringify({ name, arguments: {} })
    case 'resource':
      return JSON.stringify({ uri: address })
    case 'template':
      return JSON.stringify({ uri: address, variables: {} })
  }
}
