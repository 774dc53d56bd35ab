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
import { inboxText } from './text.ts'

interface RuleEditorProps {
  question: QuestionKind
  form: RuleForm
  onChange: (form: RuleForm) => void
  /** What holds if nothing is chosen here; without it something must be. */
  unset: string | undefined
  /** Why the form is not a rule yet. */
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
          label={inboxText.ruleEditor.fixedAnswerTo(KINDS[question].name)}
          text={form.fixed}
          onTextChange={(fixed) => set({ fixed })}
        />
      )
    case 'template':
      return (
        <>
          <Json
            label={inboxText.ruleEditor.templateFor(KINDS[question].name)}
            text={form.template}
            onTextChange={(template) => set({ template })}
          />
          <p className="field-note">
            {inboxText.ruleEditor.inTexts} <code>{inboxText.ruleEditor.path}</code>{' '}
            {inboxText.ruleEditor.memberNote} <code>{inboxText.ruleEditor.paramsMessage}</code>;{' '}
            <code>{inboxText.ruleEditor.pathElse}</code> {inboxText.ruleEditor.defaultNote}
          </p>
          <Review {...props} />
        </>
      )
    case 'script':
      return (
        <>
          <TextField
            mono
            aria-label={inboxText.ruleEditor.script}
            placeholder={inboxText.ruleEditor.pathToAnswerTs}
            value={form.file}
            onValueChange={(file) => set({ file })}
          />
          <p className="field-note">{inboxText.ruleEditor.scriptNote}</p>
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
      {inboxText.ruleEditor.reviewAnswer}
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
        label={inboxText.ruleEditor.endpoint}
        options={endpoints.map(({ endpoint }) => ({ value: endpoint.id, label: endpoint.name }))}
        value={endpoints.some(({ endpoint }) => endpoint.id === form.endpointId) ? form.endpointId : null}
        placeholder={
          endpoints.length === 0
            ? inboxText.ruleEditor.addAnEndpointBelow
            : inboxText.ruleEditor.chooseAnEndpoint
        }
        disabled={endpoints.length === 0}
        onValueChange={(endpointId) => onChange({ ...form, endpointId })}
      />
      <div className={styles.pair}>
        <label htmlFor={`${id}-model`}>{inboxText.ruleEditor.model}</label>
        <TextField
          id={`${id}-model`}
          mono
          placeholder={inboxText.ruleEditor.asTheServerPrefers}
          value={form.model}
          onValueChange={(model) => onChange({ ...form, model })}
        />
        <label htmlFor={`${id}-tokens`}>{inboxText.ruleEditor.maxTokens}</label>
        <TextField
          id={`${id}-tokens`}
          mono
          placeholder={inboxText.ruleEditor.asTheServerAsks}
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
        <label htmlFor={`${id}-seconds`}>{inboxText.ruleEditor.seconds}</label>
        <TextField
          id={`${id}-seconds`}
          mono
          value={form.seconds}
          onValueChange={(seconds) => onChange({ ...form, seconds })}
        />
      </div>
      <p className="field-note">{inboxText.ruleEditor.then}</p>
      <div className={styles.then}>
        <RuleEditor
          question={question}
          form={then}
          onChange={(next) => onChange({ ...form, then: next })}
          unset={undefined}
          problem={undefined}
          label={inboxText.ruleEditor.thenLabel(label)}
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
      showFailure(inboxText.ruleEditor.approveFailed, error)
    }
    await queryClient.invalidateQueries({ queryKey: options.queryKey })
  }
  return (
    <>
      <div className={styles.script}>
        <LongText text={data.text} label={inboxText.ruleEditor.scriptTitle(data.file)} />
      </div>
      {data.imports.map(({ file: imported, text }) => (
        <Fragment key={imported}>
          <p className="field-note">
            {inboxText.ruleEditor.imports} <SafeText>{imported}</SafeText>
          </p>
          <div className={styles.script}>
            <LongText text={text} label={inboxText.ruleEditor.importedFile(imported)} />
          </div>
        </Fragment>
      ))}
      {data.packages.length > 0 && (
        <p className="field-note">
          {inboxText.ruleEditor.uncoveredPackages}{' '}
          <SafeText>{data.packages.map(({ name, file: from }) => `${name} (${from})`).join(', ')}</SafeText>
        </p>
      )}
      {data.approval === 'approved' ? (
        <p className="field-note">{inboxText.ruleEditor.approvedNote}</p>
      ) : (
        <>
          {data.approval !== 'needed' && <p className="field-note">{data.reason}</p>}
          <div>
            <Button onClick={() => void approve()}>
              {data.approval === 'changed'
                ? inboxText.ruleEditor.approveChange
                : inboxText.ruleEditor.approveScript}
            </Button>
          </div>
        </>
      )}
    </>
  )
}
