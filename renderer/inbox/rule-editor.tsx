import { useQuery } from '@tanstack/react-query'
import { Fragment, useId } from 'react'
import type { RuleKind } from '../../server-core/host/contract/responders.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { LongText } from '../json/long-text.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { KINDS, RULE_NAMES, type QuestionKind } from './entry-words.ts'
import { ruleForm, type RuleForm } from './rule-form.ts'
import styles from './rules.module.css'

interface RuleEditorProps {
  question: QuestionKind
  form: RuleForm
  onChange: (form: RuleForm) => void
  /** What holds if nothing is chosen here; without it something must be. */
  unset: string | undefined
  /** Why the form is no rule yet. */
  problem: string | undefined
  /** Told apart from other rules of the same kind of question. */
  label: string
}

/** Who answers one kind of question. */
export function RuleEditor(props: RuleEditorProps) {
  const { form, onChange, unset, problem, label } = props
  const kinds = Object.keys(RULE_NAMES) as RuleKind[]
  const options = [
    ...(unset === undefined ? [] : [{ value: 'unset' as const, label: unset }]),
    ...kinds.map((value) => ({ value, label: RULE_NAMES[value] })),
  ]
  return (
    <>
      <Select
        label={label}
        options={options}
        value={form.kind}
        onValueChange={(kind) => onChange({ ...form, kind })}
      />
      <Details {...props} />
      {problem !== undefined && (
        <p className="field-error" role="alert">
          {problem}
        </p>
      )}
    </>
  )
}

function Details(props: RuleEditorProps) {
  const { question, form, onChange } = props
  const set = (change: Partial<RuleForm>): void => onChange({ ...form, ...change })
  switch (form.kind) {
    case 'fixed':
      return (
        <Json
          label={`Fixed answer to ${KINDS[question].name}`}
          text={form.fixed}
          onTextChange={(fixed) => set({ fixed })}
        />
      )
    case 'template':
      return (
        <>
          <Json
            label={`Template for ${KINDS[question].name}`}
            text={form.template}
            onTextChange={(template) => set({ template })}
          />
          <p className="field-note">
            In texts, <code>{'{{path}}'}</code> stands for a member of the question, such as{' '}
            <code>{'{{params.message}}'}</code>; <code>{'{{path | "else"}}'}</code> gives a default if it is
            missing.
          </p>
          <Review {...props} />
        </>
      )
    case 'script':
      return (
        <>
          <TextField
            mono
            aria-label="Script"
            placeholder="/path/to/answer.ts"
            value={form.file}
            onValueChange={(file) => set({ file })}
          />
          <p className="field-note">
            A module whose default export is a function of the question. It runs in a process of its own.
          </p>
          <Script file={form.file.trim()} />
          <Review {...props} />
        </>
      )
    case 'model':
      return <ModelDetails {...props} />
    case 'wait':
      return <WaitDetails {...props} />
    default:
      return null
  }
}

function Json(props: { label: string; text: string; onTextChange: (text: string) => void }) {
  return (
    <TextArea
      mono
      aria-label={props.label}
      rows={Math.min(10, Math.max(3, props.text.split('\n').length))}
      value={props.text}
      onValueChange={props.onTextChange}
    />
  )
}

function Review({ form, onChange }: RuleEditorProps) {
  return (
    <Checkbox checked={form.review} onCheckedChange={(review) => onChange({ ...form, review })}>
      Show me the answer before it is sent
    </Checkbox>
  )
}

function ModelDetails(props: RuleEditorProps) {
  const { form, onChange } = props
  const id = useId()
  const endpoints = useQuery(query.responders.endpoints.queryOptions()).data ?? []
  return (
    <>
      <Select
        label="Endpoint"
        options={endpoints.map(({ endpoint }) => ({ value: endpoint.id, label: endpoint.name }))}
        value={endpoints.some(({ endpoint }) => endpoint.id === form.endpointId) ? form.endpointId : null}
        placeholder={endpoints.length === 0 ? 'add an endpoint below' : 'choose an endpoint'}
        disabled={endpoints.length === 0}
        onValueChange={(endpointId) => onChange({ ...form, endpointId })}
      />
      <div className={styles.pair}>
        <label htmlFor={`${id}-model`}>model</label>
        <TextField
          id={`${id}-model`}
          mono
          placeholder="as the server prefers"
          value={form.model}
          onValueChange={(model) => onChange({ ...form, model })}
        />
        <label htmlFor={`${id}-tokens`}>tokens at most</label>
        <TextField
          id={`${id}-tokens`}
          mono
          placeholder="as the server asks"
          value={form.maxTokens}
          onValueChange={(maxTokens) => onChange({ ...form, maxTokens })}
        />
      </div>
      <Review {...props} />
    </>
  )
}

function WaitDetails({ question, form, onChange, label }: RuleEditorProps) {
  const id = useId()
  const then = form.then ?? ruleForm(question, { kind: 'people' })
  return (
    <>
      <div className={styles.pair}>
        <label htmlFor={`${id}-seconds`}>seconds</label>
        <TextField
          id={`${id}-seconds`}
          mono
          value={form.seconds}
          onValueChange={(seconds) => onChange({ ...form, seconds })}
        />
      </div>
      <p className="field-note">then</p>
      <div className={styles.then}>
        <RuleEditor
          question={question}
          form={then}
          onChange={(next) => onChange({ ...form, then: next })}
          unset={undefined}
          problem={undefined}
          label={`${label}, then`}
        />
      </div>
    </>
  )
}

/** A script as it would run now, and the question whether it may: what changes is asked for again. */
function Script({ file }: { file: string }) {
  const options = query.responders.script.queryOptions({ input: { file } })
  const { data } = useQuery({ ...options, enabled: file !== '', staleTime: 0, gcTime: 0 })
  if (file === '' || data === undefined) return null
  if (data.state === 'unreadable') return <p className="field-error">{data.reason}</p>
  const approve = async (): Promise<void> => {
    try {
      await api.responders.approveScript({ file, hash: data.hash })
    } catch (error) {
      showFailure('The script was not approved', error)
    }
    await queryClient.invalidateQueries({ queryKey: options.queryKey })
  }
  return (
    <>
      <div className={styles.script}>
        <LongText text={data.text} label={`Script ${data.file}`} />
      </div>
      {data.imports.map(({ file: imported, text }) => (
        <Fragment key={imported}>
          <p className="field-note">
            Imports <SafeText>{imported}</SafeText>
          </p>
          <div className={styles.script}>
            <LongText text={text} label={`Imported file ${imported}`} />
          </div>
        </Fragment>
      ))}
      {data.packages.length > 0 && (
        <p className="field-note">
          Packages, which the approval does not cover:{' '}
          <SafeText>{data.packages.map(({ name, file: from }) => `${name} (${from})`).join(', ')}</SafeText>
        </p>
      )}
      {data.approval === 'approved' ? (
        <p className="field-note">Approved. A change of the script or of a file above asks again.</p>
      ) : (
        <>
          {data.approval !== 'needed' && <p className="field-note">{data.reason}</p>}
          <div>
            <Button onClick={() => void approve()}>
              {data.approval === 'changed' ? 'Approve the change' : 'Approve this script'}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
