import { useId, useState } from 'react'
import type { Answer, AnswerPreview } from '../../server-core/host/contract/mocks.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { Button } from '../controls/button.tsx'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { api } from '../host/api.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ANSWER_NAMES, answerOf, type AnswerForm } from './answer-form.ts'
import styles from './mocks.module.css'
import { mocksText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

interface AnswerEditorProps {
  form: AnswerForm
  onChange: (form: AnswerForm) => void
  /** A call to try it with, as JSON text. */
  sampleCall: string
}

/** What is answered: a fixed result, a template, a script, an error, and after how long. */
export function AnswerEditor({ form, onChange, sampleCall }: AnswerEditorProps) {
  const id = useId()
  const kinds = Object.keys(ANSWER_NAMES) as Answer['kind'][]
  const set = (change: Partial<AnswerForm>): void => onChange({ ...form, ...change })
  const isScript = form.kind === 'script' || form.kind === 'code'
  return (
    <div className={styles.answer}>
      <div className={styles.pair}>
        <span>{mocksText.answerEditor.answeredBy}</span>
        <Select
          label={mocksText.answerEditor.kindLabel}
          options={kinds.map((value) => ({ value, label: ANSWER_NAMES[value] }))}
          value={form.kind}
          onValueChange={(kind) => set({ kind })}
        />
      </div>
      <Body form={form} set={set} />
      <div className={styles.range}>
        <label htmlFor={`${id}-delay`}>
          {mocksText.answerEditor.delayMs}
          <TextField
            id={`${id}-delay`}
            mono
            placeholder={mocksText.answerEditor.none}
            value={form.delayMs}
            onValueChange={(delayMs) => set({ delayMs })}
          />
        </label>
        {isScript && (
          <label htmlFor={`${id}-limit`}>
            {mocksText.answerEditor.timeLimitMs}
            <TextField
              id={`${id}-limit`}
              mono
              placeholder="10000"
              value={form.timeoutMs}
              onValueChange={(timeoutMs) => set({ timeoutMs })}
            />
          </label>
        )}
      </div>
      <Preview form={form} sampleCall={sampleCall} />
    </div>
  )
}

function Body({ form, set }: { form: AnswerForm; set: (change: Partial<AnswerForm>) => void }) {
  const id = useId()
  switch (form.kind) {
    case 'fixed':
      return (
        <Area label={mocksText.answerEditor.result} text={form.fixed} onText={(fixed) => set({ fixed })} />
      )
    case 'template':
      return (
        <>
          <Area
            label={mocksText.answerEditor.template}
            text={form.template}
            onText={(template) => set({ template })}
          />
          <p className="field-note">
            {mocksText.answerEditor.inStrings} <code>{mocksText.answerEditor.memberExample}</code>{' '}
            {mocksText.answerEditor.memberNote} <code>{mocksText.answerEditor.defaultExample}</code>{' '}
            {mocksText.answerEditor.defaultNote}
          </p>
        </>
      )
    case 'script':
      return (
        <>
          <TextField
            mono
            aria-label={mocksText.answerEditor.workspaceFile}
            placeholder={mocksText.answerEditor.libAnswerTs}
            value={form.file}
            onValueChange={(file) => set({ file })}
          />
          <p className="field-note">{mocksText.answerEditor.workspaceFileNote}</p>
        </>
      )
    case 'code':
      return (
        <>
          <Area label={mocksText.answerEditor.script} text={form.code} onText={(code) => set({ code })} />
          <p className="field-note">{mocksText.answerEditor.scriptNote}</p>
        </>
      )
    case 'error':
      return (
        <>
          <div className={styles.pair}>
            <label htmlFor={`${id}-code`}>{mocksText.answerEditor.code}</label>
            <TextField
              id={`${id}-code`}
              mono
              value={form.errorCode}
              onValueChange={(errorCode) => set({ errorCode })}
            />
            <label htmlFor={`${id}-message`}>{mocksText.answerEditor.message}</label>
            <TextField
              id={`${id}-message`}
              value={form.errorMessage}
              onValueChange={(errorMessage) => set({ errorMessage })}
            />
          </div>
          <Area
            label={mocksText.answerEditor.errorData}
            text={form.errorData}
            onText={(errorData) => set({ errorData })}
          />
        </>
      )
  }
}

function Area({ label, text, onText }: { label: string; text: string; onText: (text: string) => void }) {
  return (
    <TextArea
      mono
      aria-label={label}
      rows={Math.min(12, Math.max(3, text.split('\n').length))}
      value={text}
      onValueChange={onText}
    />
  )
}

function Preview({ form, sampleCall }: { form: AnswerForm; sampleCall: string }) {
  const [typed, setTyped] = useState<string | undefined>(undefined)
  const [seen, setSeen] = useState<AnswerPreview | undefined>(undefined)
  const text = typed ?? sampleCall
  const answer = answerOf(form)
  const look = async (): Promise<void> => {
    if (!answer.ok) return
    try {
      const call = JSON.parse(text) as Record<string, unknown>
      setSeen(await api.mocks.preview({ answer: answer.value, call }))
    } catch (error) {
      setSeen({ state: 'failed', reason: messageOf(error) })
    }
  }
  return (
    <div className={styles.preview}>
      <div className={styles.line}>
        <TextField
          mono
          aria-label={mocksText.answerEditor.exampleCall}
          value={text}
          onValueChange={setTyped}
        />
        <Button icon="run" disabled={!answer.ok} onClick={() => void look()}>
          {mocksText.answerEditor.tryResult}
        </Button>
      </div>
      {seen !== undefined && (
        <output className={styles.seen} aria-label={mocksText.answerEditor.trialResult}>
          {seen.state === 'answered' && (
            <>
              <pre>
                <SafeText>{seen.resultText}</SafeText>
              </pre>
              <span className="field-note">{durationText(seen.durationMs)}</span>
            </>
          )}
          {seen.state === 'error' && (
            <span className="field-error">
              {mocksText.answerEditor.error} {seen.code}: <SafeText>{seen.message}</SafeText>
            </span>
          )}
          {seen.state === 'failed' && (
            <span className="field-error">
              <SafeText>{seen.reason}</SafeText>
            </span>
          )}
        </output>
      )}
    </div>
  )
}
