import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { MocksState, Override, Seed } from '../../server-core/host/contract/mocks.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { FirstLoaded, FormDialog } from '../controls/form-dialog.tsx'
import { Switch } from '../controls/switch.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { live } from '../host/live.ts'
import { AnswerEditor } from './answer-editor.tsx'
import { answerForm, answerOf, blankAnswer } from './answer-form.ts'
import styles from './mocks.module.css'
import { mockDialogTarget } from './open-mock-dialog.ts'
import { secondText } from '../text/times.ts'
import { mocksText } from './text.ts'

interface OverrideDialogProps {
  toolKey: string
  /** The one that is there already; the form begins with it, whatever becomes of it. */
  override: Override | undefined
}

const close = (): void => mockDialogTarget.set(undefined)

/** Our own answer to a tool of another source; a new one begins with what the tool really gave last. */
export function OverrideDialog(props: OverrideDialogProps) {
  const { toolKey } = props
  const [override] = useState(props.override)
  const options = query.mocks.seed.queryOptions({ input: { key: toolKey }, gcTime: 0 })
  const seed = useQuery({ ...options, staleTime: 0, enabled: override === undefined })
  if (override !== undefined) return <OverrideForm toolKey={toolKey} first={override} seed={undefined} />
  return (
    <FirstLoaded asked={seed} failure={mocksText.overrideDialog.couldNotLoadOverride} onClose={close}>
      {(data) => {
        const { answer, seededFrom } = data
        const first: Override = { key: toolKey, enabled: true, answer, seededFrom }
        return <OverrideForm toolKey={toolKey} first={first} seed={data} />
      }}
    </FirstLoaded>
  )
}

interface OverrideFormProps {
  toolKey: string
  first: Override
  /** Where a new one begins. */
  seed: Seed | undefined
}

function OverrideForm({ toolKey, first, seed }: OverrideFormProps) {
  const [form, setForm] = useState(() => answerForm(first.answer, blankAnswer('tool')))
  const [isOn, setOn] = useState(first.enabled)
  const name = visibleText(toolKey.slice('tool:'.length))
  const { problem, setProblem, submit } = useSubmission(mocksText.overrideDialog.saveFailed(name))

  const run = (action: () => Promise<MocksState>): void =>
    submit(async () => live.parts.mocks.set(await action()), close)
  const save = (): void => {
    const answer = answerOf(form)
    if (!answer.ok) setProblem(answer.reason)
    else run(() => api.mocks.saveOverride({ override: { ...first, enabled: isOn, answer: answer.value } }))
  }

  return (
    <FormDialog
      onClose={close}
      wide
      onSubmit={save}
      title={mocksText.overrideDialog.override(name)}
      description={seed === undefined ? mocksText.overrideDialog.description : seedWords(seed)}
      problem={problem}
      more={
        seed === undefined && (
          <Button tone="danger" onClick={() => run(() => api.mocks.removeOverride({ key: toolKey }))}>
            {mocksText.overrideDialog.remove}
          </Button>
        )
      }
    >
      <div className={styles.entry}>
        <Switch checked={isOn} onCheckedChange={setOn}>
          {isOn ? mocksText.overrideDialog.overrideEnabled : mocksText.overrideDialog.overrideDisabled}
        </Switch>
        <AnswerEditor
          form={form}
          onChange={setForm}
          sampleCall={JSON.stringify({ name: toolKey.slice('tool:'.length), arguments: {} })}
        />
      </div>
    </FormDialog>
  )
}

function seedWords({ seededFrom, at }: Seed): string {
  switch (seededFrom) {
    case 'last-result':
      return mocksText.overrideDialog.recordedSeed(at === undefined ? '' : `, of ${secondText(at)}`)
    case 'output-schema':
      return mocksText.overrideDialog.sampleSeed
    case 'nothing':
      return mocksText.overrideDialog.emptySeed
  }
}
