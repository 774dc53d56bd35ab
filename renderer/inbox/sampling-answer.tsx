import { useQuery } from '@tanstack/react-query'
import { useId, useState } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { Button } from '../controls/button.tsx'
import { matchesKeys } from '../controls/keys.ts'
import { Select } from '../controls/select.tsx'
import { TextArea, TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { AnswerActs, FaultList } from './answer-acts.tsx'
import { answerDraftOf, changeDraft, useAnswerDraft, type AnswerDraft } from './answer-draft.ts'
import { answerEntry, type Faults } from './inbox-actions.ts'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

const STOP_REASONS = [
  { value: 'endTurn', label: inboxText.samplingAnswer.endturn },
  { value: 'stopSequence', label: inboxText.samplingAnswer.stopsequence },
  { value: 'maxTokens', label: inboxText.samplingAnswer.maxtokens },
] as const

interface SamplingAnswerProps {
  entry: InboxEntry
  params: JsonObject
  /** What a rule has ready. */
  proposalText: string | undefined
}

/** A person in place of the model: the text, and which model is said to have written it. */
export function SamplingAnswer({ entry, proposalText }: SamplingAnswerProps) {
  const id = useId()
  const draft = useAnswerDraft(entry.id)
  const typed = draft.sampling ?? samplingOf(proposalText)
  const [faults, setFaults] = useState<Faults>([])
  const set = (change: Partial<typeof typed>): void =>
    changeDraft(entry.id, { sampling: { ...typed, ...change } })

  const answer = (): void => {
    const { text, model, stopReason } = typed
    const result = { role: 'assistant', content: { type: 'text', text }, model, stopReason }
    void answerEntry(entry, { type: 'result', resultText: JSON.stringify(result) }).then(setFaults)
  }

  return (
    <>
      <div className={styles.fields}>
        <label htmlFor={`${id}-text`}>{inboxText.samplingAnswer.answer}</label>
        <TextArea
          id={`${id}-text`}
          rows={4}
          value={typed.text}
          placeholder={inboxText.samplingAnswer.whatTheModelSays}
          onValueChange={(text) => set({ text })}
          onKeyDown={(event) => {
            if (!matchesKeys(event, 'mod+enter')) return
            event.preventDefault()
            answer()
          }}
        />
        <label htmlFor={`${id}-model`}>{inboxText.samplingAnswer.model}</label>
        <TextField id={`${id}-model`} mono value={typed.model} onValueChange={(model) => set({ model })} />
        <label htmlFor={`${id}-stop`}>{inboxText.samplingAnswer.stopreason}</label>
        <Select
          id={`${id}-stop`}
          label={inboxText.samplingAnswer.stopreason}
          mono
          options={STOP_REASONS}
          value={STOP_REASONS.find(({ value }) => value === typed.stopReason)?.value ?? 'endTurn'}
          onValueChange={(stopReason) => set({ stopReason })}
        />
      </div>
      <FaultList faults={faults} />
      <AnswerActs
        entry={entry}
        onUseProposal={
          proposalText !== undefined && isOther(proposalText, typed)
            ? () => changeDraft(entry.id, proposed(proposalText))
            : undefined
        }
        more={[
          {
            type: 'item',
            label: inboxText.samplingAnswer.editAsRawJson,
            onSelect: () => {
              const { text, model, stopReason } = typed
              const result = { role: 'assistant', content: { type: 'text', text }, model, stopReason }
              const raw = { as: 'result' as const, text: JSON.stringify(result, null, 2), unchecked: false }
              changeDraft(entry.id, { way: 'raw', raw })
            },
          },
        ]}
      >
        <Button tone="primary" disabled={typed.text === ''} onClick={answer}>
          {inboxText.samplingAnswer.answerLabel}
        </Button>
        <SendToModel entry={entry} />
      </AnswerActs>
    </>
  )
}

/**
 * Lets a model write the answer, which stands here then to be looked at; what is typed while it writes stays instead. Only
 * where an endpoint is set up.
 */
function SendToModel({ entry }: { entry: InboxEntry }) {
  const endpoints = useQuery(query.responders.endpoints.queryOptions()).data ?? []
  const [busy, setBusy] = useState(false)
  const [first] = endpoints
  if (first === undefined) return null

  const send = async (): Promise<void> => {
    setBusy(true)
    const before = answerDraftOf(entry.id)
    try {
      const proposal = await api.inbox.propose({
        id: entry.id,
        rule: { kind: 'model', endpointId: first.endpoint.id },
      })
      if (proposal.state === 'failed') {
        showFailure(inboxText.samplingAnswer.modelFailed, proposal.reason)
        return
      }
      if (answerDraftOf(entry.id) === before) changeDraft(entry.id, proposed(proposal.proposalText))
      // What was proposed before may be known already.
      const key = query.inbox.question.key({ input: { id: entry.id } })
      await queryClient.invalidateQueries({ queryKey: key })
    } catch (error) {
      showFailure(inboxText.samplingAnswer.modelFailed, error)
    } finally {
      setBusy(false)
    }
  }

  return (
    <Button
      disabled={busy}
      onClick={() => void send()}
      title={inboxText.samplingAnswer.askModel(first.endpoint.name)}
    >
      {busy ? inboxText.samplingAnswer.askingTheModel : inboxText.samplingAnswer.sendToModel}
    </Button>
  )
}

/** Whether a proposal is another answer than what is typed. */
function isOther(proposalText: string, typed: ReturnType<typeof samplingOf>): boolean {
  const { sampling } = proposed(proposalText)
  return JSON.stringify(sampling) !== JSON.stringify(typed)
}

/** The draft that holds a proposal: as text if it is plain text, else as the JSON it is. */
function proposed(proposalText: string): Partial<AnswerDraft> {
  const result: unknown = JSON.parse(proposalText)
  const content = isJsonObject(result) ? result['content'] : undefined
  if (isJsonObject(content) && content['type'] === 'text') return { sampling: samplingOf(proposalText) }
  return { way: 'raw', raw: { as: 'result', text: JSON.stringify(result, null, 2), unchecked: false } }
}

function samplingOf(proposalText: string | undefined): NonNullable<AnswerDraft['sampling']> {
  const result: unknown = proposalText === undefined ? {} : JSON.parse(proposalText)
  const { content, model, stopReason } = isJsonObject(result) ? result : {}
  const text = isJsonObject(content) ? content['text'] : undefined
  return {
    text: typeof text === 'string' ? text : '',
    model: typeof model === 'string' ? model : 'human',
    stopReason: typeof stopReason === 'string' ? stopReason : 'endTurn',
  }
}
