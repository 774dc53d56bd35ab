import { useCallback, useEffect, useEffectEvent, useMemo, type ReactNode } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { parseExact, stringifyExact } from '../../server-core/protocol/exact-json.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { matchesKeys } from '../controls/keys.ts'
import { showToast } from '../controls/toast.tsx'
import { useObservable } from '../state/observable.ts'
import { argumentsText, changeArguments } from '../workbench/form/arguments-state.ts'
import type { Change, Path } from '../workbench/form/draft-edits.ts'
import type { Finding } from '../workbench/form/finding-message.ts'
import { SchemaForm } from '../workbench/form/schema-form.tsx'
import { firstUnfinished } from '../workbench/form/unfinished.ts'
import { useCheck } from '../workbench/form/use-check.ts'
import { RunningView } from '../workbench/results/running-view.tsx'
import { useCall } from '../workbench/use-call.ts'
import { useListed } from '../workbench/use-listed.ts'
import { changeWork, takeSchema, workOf } from '../workbench/work-store.ts'
import { Section } from './section.tsx'
import styles from './side.module.css'
import { TryResult } from './try-result.tsx'
import { findListed, trialOf } from './try-target.ts'
import { useScript } from './use-registry.ts'

interface TryFormProps {
  title: ReactNode
  entry: RegistryEntry
  server: ServerState
  /** What else can be done with the entry. */
  more: ReactNode
}

const NO_FINDINGS: readonly Finding[] = []
const ignore = (): void => {}

/** The arguments of an entry by its schema, the button that sends them, and what came back. */
export function TryForm({ title, entry, server, more }: TryFormProps) {
  const { key, kind, shownName } = entry
  const work = workOf(`try ${key}`, { type: 'object' }, 'call')
  const find = useCallback((lists: Lists) => findListed({ kind, shownName }, lists), [kind, shownName])
  const { listed } = useListed(work, server.id, find)
  const trial = useMemo(() => trialOf({ kind, shownName }, listed), [kind, shownName, listed])
  const { spec, arguments: typed, running, shown, history } = useObservable(work)
  const { send, cancel } = useCall(work, server.id)
  const script = useScript(entry.origin.file)
  const text = useMemo(() => argumentsText(spec, typed), [spec, typed])
  const check = useCheck(trial.schema, text)
  const findings = check?.state === 'invalid' ? check.findings : NO_FINDINGS
  const told = history.length > 0 ? findings : findings.filter(({ isMissing }) => isMissing !== true)
  const isBare = spec.shape.type === 'object' && spec.shape.properties.length === 0

  useEffect(() => takeSchema(work, trial.schema), [work, trial.schema])

  const onEdit = useCallback(
    (path: Path, change: Change) => {
      const { spec: at, arguments: before } = work.get()
      changeWork(work, { arguments: changeArguments(at, before, path, change) })
    },
    [work],
  )

  const run = (): void => {
    if (running !== undefined) return
    const unfinished = firstUnfinished(spec, typed.draft)
    const request = trial.request(text)
    if (unfinished !== undefined) {
      showToast({ title: `Nothing was sent: ${unfinished.name} is not finished`, tone: 'warn' })
    } else if (typeof request === 'string') {
      showToast({ title: `Nothing was sent: ${request}`, tone: 'warn' })
    } else {
      const paramsText = stringifyExact(parseExact(request.paramsText, 'text'))
      send({ ...request, paramsText }, text)
    }
  }

  const onPress = useEffectEvent((event: KeyboardEvent) => {
    if (event.defaultPrevented || event.repeat || !matchesKeys(event, 'mod+enter')) return
    event.preventDefault()
    run()
  })
  useEffect(() => {
    const listener = (event: KeyboardEvent): void => onPress(event)
    document.addEventListener('keydown', listener)
    return () => document.removeEventListener('keydown', listener)
  }, [])

  const revision = script?.answering === undefined ? '' : `revision ${script.answering}`
  const answering = entry.state === 'overridden' ? 'answered by hand' : revision
  return (
    <Section
      title={title}
      facts={<span className="micro t3 clip">{answering}</span>}
      end={
        <>
          {more}
          {running === undefined ? (
            <Button icon="run" keys="mod+enter" onClick={run}>
              {trial.verb}
            </Button>
          ) : (
            <Button icon="stop" onClick={cancel}>
              Cancel
            </Button>
          )}
        </>
      }
    >
      {!(isBare && kind === 'resource') && (
        <div className={styles.form} tabIndex={-1}>
          <SchemaForm
            label={`Arguments of ${visibleText(shownName)}`}
            spec={spec}
            draft={typed.draft}
            findings={told}
            onEdit={onEdit}
            onFocusField={ignore}
            marked={undefined}
          />
        </div>
      )}
      {running !== undefined && <RunningView key={running.callId} running={running} />}
      {shown !== undefined && (
        <TryResult key={shown.id} outcome={shown.outcome} kind={trial.kind} serverId={server.id} />
      )}
    </Section>
  )
}
