import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import type { InboxEntry, InboxQuestion } from '../../server-core/host/contract/inbox.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { query } from '../host/api.ts'
import { JsonView } from '../json/json-view.tsx'
import { SafeText } from '../text/safe-text.tsx'
import { useAnswerDraft } from './answer-draft.ts'
import { AskedMessage } from './asked-message.tsx'
import { FormAnswer } from './form-answer.tsx'
import styles from './inbox.module.css'
import { RawAnswer } from './raw-answer.tsx'
import { RootsAnswer } from './roots-answer.tsx'
import { SamplingAnswer } from './sampling-answer.tsx'
import { SamplingQuestion } from './sampling-question.tsx'
import { UrlAnswer, UrlQuestion } from './url-answer.tsx'
import { inboxText } from './text.ts'

/** A question in full, and the way to answer it; what is over shows what was answered. */
export function QuestionView({ entry }: { entry: InboxEntry }) {
  const { state } = entry
  const options = query.inbox.question.queryOptions({ input: { id: entry.id } })
  // What a rule proposes, and what was answered, come later than the question, which stays as it is until they are here:
  // somebody may be typing.
  const version = state.type === 'open' ? `open ${String(state.proposed)}` : state.type
  const question = useQuery({
    ...options,
    queryKey: [...options.queryKey, version],
    staleTime: Infinity,
    placeholderData: keepPreviousData,
  })
  const paramsText = question.data?.paramsText
  const params = useMemo(() => paramsOf(paramsText), [paramsText])
  if (question.error !== null) {
    return (
      <p className={styles.fault} role="alert">
        <SafeText>{inboxText.questionView.loadFailed(question.error.message)}</SafeText>
      </p>
    )
  }
  if (question.data === undefined || params === undefined) return null
  return (
    <>
      <Asked entry={entry} params={params} />
      {state.type === 'open' ? (
        <Answering entry={entry} question={question.data} params={params} />
      ) : (
        question.data.answerText !== undefined && (
          <section className={styles.json} aria-label={inboxText.questionView.answerSent}>
            <JsonView text={question.data.answerText} label={inboxText.questionView.answerSent} />
          </section>
        )
      )}
    </>
  )
}

interface AskedProps {
  entry: InboxEntry
  params: JsonObject
}

function Asked({ entry, params }: AskedProps) {
  switch (entry.kind) {
    case 'sampling':
      return <SamplingQuestion params={params} serverId={entry.serverId} />
    case 'elicitation-url':
      return <UrlQuestion entry={entry} params={params} />
    case 'elicitation-form':
      return <AskedMessage params={params} />
    case 'roots':
      return <p className={styles.said}>{inboxText.questionView.rootsQuestion}</p>
  }
}

function Answering({ entry, question, params }: AskedProps & { question: InboxQuestion }) {
  const { way } = useAnswerDraft(entry.id)
  if (way === 'raw') return <RawAnswer entry={entry} proposalText={question.proposalText} />
  switch (entry.kind) {
    case 'sampling':
      return <SamplingAnswer entry={entry} params={params} proposalText={question.proposalText} />
    case 'elicitation-url':
      return <UrlAnswer entry={entry} params={params} />
    case 'elicitation-form':
      return <FormAnswer entry={entry} params={params} proposalText={question.proposalText} />
    case 'roots':
      return <RootsAnswer entry={entry} proposalText={question.proposalText} />
  }
}

function paramsOf(text: string | undefined): JsonObject | undefined {
  if (text === undefined) return undefined
  const params: unknown = JSON.parse(text)
  return isJsonObject(params) ? params : {}
}
