import { useLayoutEffect, useMemo, useState } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { Button } from '../controls/button.tsx'
import { useObservable } from '../state/observable.ts'
import { argumentsText } from '../workbench/form/arguments-state.ts'
import { firstUnfinished } from '../workbench/form/unfinished.ts'
import { ArgumentsPane } from '../workbench/arguments-pane.tsx'
import type { Request } from '../workbench/use-call.ts'
import { allWorks, changeWork, workOf, type Work } from '../workbench/work-store.ts'
import type { Observable } from '../state/observable.ts'
import { AnswerActs, FaultList } from './answer-acts.tsx'
import { answerDraftOf, changeDraft } from './answer-draft.ts'
import { formOf, formStart, holdsSame, isUntouched } from './form-start.ts'
import { answerEntry, type Faults } from './inbox-actions.ts'
import styles from './inbox.module.css'
import { inboxText } from './text.ts'

interface FormAnswerProps {
  entry: InboxEntry
  params: JsonObject
  proposalText: string | undefined
}

const ANSWER = { one: 'answer', title: inboxText.formAnswer.answer }
/** The pane is the workbench's, which sends requests; here it only edits. */
const NO_REQUEST = (paramsText: string): Parsed<Request> => ({
  ok: true,
  value: { method: '', paramsText },
})

/** An elicitation in form mode: its schema as a form, the answer as JSON beside it. */
export function FormAnswer({ entry, params, proposalText }: FormAnswerProps) {
  const work = useMemo(() => workFor(entry.id, params), [entry.id, params])
  const { spec: shown, arguments: typed } = useObservable(work)
  const proposal = useMemo(() => {
    const content = contentOf(proposalText)
    return content === undefined ? undefined : formOf(shown, content)
  }, [shown, proposalText])
  const isOther = proposal !== undefined && !holdsSame({ spec: shown, arguments: typed }, proposal)
  const [faults, setFaults] = useState<Faults>([])

  useLayoutEffect(() => {
    if (proposalText === undefined || proposalText === answerDraftOf(entry.id).proposed) return
    changeDraft(entry.id, { proposed: proposalText })
    if (proposal !== undefined && isUntouched(work.get())) changeWork(work, { arguments: proposal })
  }, [entry.id, work, proposal, proposalText])

  const accept = (): void => {
    const { spec, arguments: answer } = work.get()
    const unfinished = firstUnfinished(spec, answer.draft)
    if (unfinished !== undefined) {
      setFaults([{ path: unfinished.pointer, message: 'what is typed is not a value yet' }])
      return
    }
    const resultText = `{"action":"accept","content":${argumentsText(spec, answer)}}`
    void answerEntry(entry, { type: 'result', resultText }).then(setFaults)
  }

  return (
    <>
      <div className={styles.pane}>
        <ArgumentsPane
          work={work}
          title={entry.serverName}
          description={undefined}
          noun={ANSWER}
          onRun={accept}
          request={NO_REQUEST}
        />
      </div>
      <FaultList faults={faults} />
      <AnswerActs
        entry={entry}
        onUseProposal={isOther ? () => changeWork(work, { arguments: proposal }) : undefined}
      >
        <Button tone="primary" disabled={typed.problem !== undefined} onClick={accept}>
          {inboxText.formAnswer.accept}
        </Button>
      </AnswerActs>
    </>
  )
}

/** What was typed so far; at first the defaults of the schema. */
function workFor(entryId: string, params: JsonObject): Observable<Work> {
  const id = `inbox ${entryId}`
  const isNew = !allWorks().has(id)
  const work = workOf(id, params['requestedSchema'] ?? { type: 'object' }, 'call')
  if (isNew) changeWork(work, { arguments: formStart(work.get()) })
  return work
}

function contentOf(proposalText: string | undefined): JsonObject | undefined {
  if (proposalText === undefined) return undefined
  const proposal: unknown = JSON.parse(proposalText)
  return isJsonObject(proposal) && isJsonObject(proposal['content']) ? proposal['content'] : undefined
}
