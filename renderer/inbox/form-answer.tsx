import { useMemo, useState } from 'react'
import type { InboxEntry } from '../../server-core/host/contract/inbox.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { Button } from '../controls/button.tsx'
import { useObservable } from '../state/observable.ts'
import { argumentsOfText, argumentsText } from '../workbench/form/arguments-state.ts'
import { firstUnfinished } from '../workbench/form/unfinished.ts'
import { ArgumentsPane } from '../workbench/arguments-pane.tsx'
import { allWorks, changeWork, workOf, type Work } from '../workbench/work-store.ts'
import type { Observable } from '../state/observable.ts'
import { AnswerActs, FaultList } from './answer-acts.tsx'
import { answerEntry, type Faults } from './inbox-actions.ts'
import styles from './inbox.module.css'

interface FormAnswerProps {
  entry: InboxEntry
  params: JsonObject
  proposalText: string | undefined
}

const ANSWER = { one: 'answer', title: 'Answer' }
/** The pane is the workbench's, which sends requests; here it only edits. */
const NO_REQUEST = (paramsText: string): { method: string; paramsText: string } => ({
  method: '',
  paramsText,
})

/** An elicitation in form mode: its schema as a form, the answer as JSON beside it. */
export function FormAnswer({ entry, params, proposalText }: FormAnswerProps) {
  const work = useMemo(() => workFor(entry, params, proposalText), [entry, params, proposalText])
  const { arguments: typed } = useObservable(work)
  const [faults, setFaults] = useState<Faults>([])

  const accept = (): void => {
    const { spec, arguments: answer } = work.get()
    const unfinished = firstUnfinished(spec, answer.draft)
    if (unfinished !== undefined) {
      setFaults([{ path: unfinished.pointer, message: 'what is typed is no value yet' }])
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
      <AnswerActs entry={entry}>
        <Button tone="primary" disabled={typed.problem !== undefined} onClick={accept}>
          Accept
        </Button>
      </AnswerActs>
    </>
  )
}

/** What was typed so far; at first the defaults of the schema, or what a rule proposes. */
function workFor(entry: InboxEntry, params: JsonObject, proposalText: string | undefined): Observable<Work> {
  const id = `inbox ${entry.id}${proposalText === undefined ? '' : ' proposal'}`
  const isNew = !allWorks().has(id)
  const schema = params['requestedSchema'] ?? { type: 'object' }
  const work = workOf(id, schema, 'call')
  const first = contentOf(proposalText) ?? defaultsOf(schema)
  if (isNew && Object.keys(first).length > 0) {
    const text = JSON.stringify(first, null, 2)
    changeWork(work, { arguments: argumentsOfText(work.get().spec, text) })
  }
  return work
}

function contentOf(proposalText: string | undefined): JsonObject | undefined {
  if (proposalText === undefined) return undefined
  const proposal: unknown = JSON.parse(proposalText)
  return isJsonObject(proposal) && isJsonObject(proposal['content']) ? proposal['content'] : undefined
}

/** An elicitation's properties are flat, and their defaults are to be filled in (client features: elicitation). */
function defaultsOf(schema: unknown): JsonObject {
  const properties = isJsonObject(schema) && isJsonObject(schema['properties']) ? schema['properties'] : {}
  return Object.fromEntries(
    Object.entries(properties).flatMap(([name, property]) =>
      isJsonObject(property) && 'default' in property ? [[name, property['default']]] : [],
    ),
  )
}
