import { useId, useState } from 'react'
import type { GivenAnswer, InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { Button } from '../controls/button.tsx'
import { Checkbox } from '../controls/checkbox.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { TextField } from '../controls/text-field.tsx'
import { JsonEditor } from '../json/json-editor.tsx'
import { FaultList } from './answer-acts.tsx'
import { changeDraft, useAnswerDraft, type AnswerDraft } from './answer-draft.ts'
import { answerEntry, declineEntry, type Faults } from './inbox-actions.ts'
import styles from './inbox.module.css'
import { ProposalOffer } from './proposal-offer.tsx'
import { inboxText } from './text.ts'

interface RawAnswerProps {
  entry: InboxEntry
  proposalText: string | undefined
}

const AS = [
  { value: 'result', label: inboxText.rawAnswer.result },
  { value: 'error', label: inboxText.rawAnswer.error },
] as const

/** What a client says whose user refuses (client features: sampling). */
const REJECTED = { code: '-1', message: inboxText.rawAnswer.userRejectedTheRequest, dataText: '' }

const STARTS: Readonly<Record<InboxEntry['kind'], unknown>> = {
  sampling: { role: 'assistant', content: { type: 'text', text: '' }, model: 'human', stopReason: 'endTurn' },
  'elicitation-form': { action: 'accept', content: {} },
  'elicitation-url': { action: 'accept' },
  roots: { roots: [] },
}

/** Any result or error whatever, as JSON; checked before it is sent unless that is not wanted. */
export function RawAnswer({ entry, proposalText }: RawAnswerProps) {
  const id = useId()
  const draft = useAnswerDraft(entry.id)
  const raw = draft.raw ?? { as: 'result' as const, text: '', unchecked: false }
  const error = draft.error ?? REJECTED
  const text = raw.text === '' ? (proposalText ?? JSON.stringify(STARTS[entry.kind], null, 2)) : raw.text
  const [faults, setFaults] = useState<Faults>([])
  const setRaw = (change: Partial<typeof raw>): void => changeDraft(entry.id, { raw: { ...raw, ...change } })
  const setError = (change: Partial<typeof error>): void =>
    changeDraft(entry.id, { error: { ...error, ...change } })
  const code = Number(error.code)
  const isCode = error.code.trim() !== '' && Number.isInteger(code)

  const send = (): void => {
    const answer = answerOf(raw.as, text, error)
    void answerEntry(entry, answer, raw.unchecked).then(setFaults)
  }

  return (
    <>
      <div>
        <Segmented
          label={inboxText.rawAnswer.answerWith}
          options={AS}
          value={raw.as}
          onValueChange={(as) => setRaw({ as })}
        />
      </div>
      {raw.as === 'result' ? (
        <div className={styles.json}>
          <JsonEditor
            label={inboxText.rawAnswer.resultAsJson}
            text={text}
            onTextChange={(typed) => setRaw({ text: typed })}
            onRun={send}
          />
        </div>
      ) : (
        <div className={styles.fields}>
          <label htmlFor={`${id}-code`}>{inboxText.rawAnswer.code}</label>
          <TextField
            id={`${id}-code`}
            mono
            inputMode="numeric"
            value={error.code}
            invalid={!isCode}
            onValueChange={(typed) => setError({ code: typed })}
          />
          <label htmlFor={`${id}-message`}>{inboxText.rawAnswer.message}</label>
          <TextField
            id={`${id}-message`}
            value={error.message}
            onValueChange={(message) => setError({ message })}
          />
          <label htmlFor={`${id}-data`}>{inboxText.rawAnswer.data}</label>
          <TextField
            id={`${id}-data`}
            mono
            placeholder={inboxText.rawAnswer.jsonOrNothing}
            value={error.dataText}
            onValueChange={(dataText) => setError({ dataText })}
          />
        </div>
      )}
      <FaultList faults={faults} />
      <div className={styles.acts} data-acts>
        <Button tone="primary" disabled={raw.as === 'error' && !isCode} onClick={send}>
          {raw.as === 'result' ? inboxText.rawAnswer.sendResult : inboxText.rawAnswer.reject}
        </Button>
        <Button onClick={() => void declineEntry(entry)}>{inboxText.rawAnswer.decline}</Button>
        {raw.as === 'result' && (
          <Checkbox checked={raw.unchecked} onCheckedChange={(unchecked) => setRaw({ unchecked })}>
            {inboxText.rawAnswer.evenIfInvalid}
          </Checkbox>
        )}
        <span className={styles.more}>
          {proposalText !== undefined && raw.text !== '' && !isSame(raw.text, proposalText) && (
            <ProposalOffer onUse={() => setRaw({ as: 'result', text: proposalText })} />
          )}
          <Button tone="quiet" onClick={() => changeDraft(entry.id, { way: 'usual' })}>
            {inboxText.rawAnswer.back}
          </Button>
        </span>
      </div>
    </>
  )
}

/** Whether two texts differ in space at most. */
function isSame(one: string, other: string): boolean {
  return one.replaceAll(/\s/g, '') === other.replaceAll(/\s/g, '')
}

function answerOf(
  as: 'result' | 'error',
  resultText: string,
  { code, message, dataText }: NonNullable<AnswerDraft['error']>,
): GivenAnswer {
  if (as === 'result') return { type: 'result', resultText }
  const data = dataText.trim() === '' ? {} : { dataText }
  return { type: 'error', code: Number(code), message, ...data }
}
