import { useCallback, useEffect, useMemo, type ReactNode } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Button } from '../controls/button.tsx'
import { useStaleClickGuard } from '../controls/use-stale-click-guard.ts'
import { useShortcut } from '../controls/use-shortcut.ts'
import { useObservable } from '../state/observable.ts'
import { argumentsText } from '../workbench/form/arguments-state.ts'
import { SchemaForm } from '../workbench/form/schema-form.tsx'
import { useCheck } from '../workbench/form/use-check.ts'
import { RunningView } from '../workbench/results/running-view.tsx'
import { readyRequest } from '../workbench/ready-request.ts'
import { useCall } from '../workbench/use-call.ts'
import { useEdit, useFindings } from '../workbench/use-form.ts'
import { useListed } from '../workbench/use-listed.ts'
import { takeSchema, workOf } from '../workbench/work-store.ts'
import { Section } from './section.tsx'
import styles from './side.module.css'
import { TryResult } from './try-result.tsx'
import { findListed, trialOf } from './try-target.ts'
import { useScript } from './use-registry.ts'
import { registryText } from './text.ts'

interface TryFormProps {
  title: ReactNode
  entry: RegistryEntry
  server: ServerState
  /** Further actions. */
  more: ReactNode
}

const ignore = (): void => {}

/** The arguments of an entry by its schema, the button that sends them, and the result. */
export function TryForm({ title, entry, server, more }: TryFormProps) {
  const { key, kind, shownName } = entry
  const tab = `try ${key}`
  const work = workOf(tab, { type: 'object' }, 'call')
  const find = useCallback((lists: Lists) => findListed({ kind, shownName }, lists), [kind, shownName])
  const { listed } = useListed(work, server.id, find)
  const trial = useMemo(() => trialOf({ kind, shownName }, listed), [kind, shownName, listed])
  const { spec, arguments: typed, running, shown, history } = useObservable(work)
  const { send, cancel } = useCall(tab, work, server.id)
  const script = useScript(entry.origin.file)
  const text = useMemo(() => argumentsText(spec, typed), [spec, typed])
  const check = useCheck(trial.schema, text)
  const { told } = useFindings(check, history.length > 0)
  const onEdit = useEdit(work)
  const isBare = spec.shape.type === 'object' && spec.shape.properties.length === 0

  useEffect(() => takeSchema(work, trial.schema), [work, trial.schema])

  const run = (): void => {
    if (running !== undefined) return
    const ready = readyRequest(work.get(), trial.request)
    if (ready !== undefined) send(ready.request, ready.argumentsText)
  }

  useShortcut('mod+enter', run)
  const { button } = useStaleClickGuard(running === undefined ? 'run' : 'cancel')

  const revision = script?.answering === undefined ? '' : `revision ${script.answering}`
  const answering = entry.state === 'overridden' ? 'override' : revision
  return (
    <Section
      title={title}
      facts={<span className="micro t3 clip">{answering}</span>}
      end={
        <>
          {more}
          {running === undefined ? (
            <Button icon="run" keys="mod+enter" onClick={run} {...button}>
              {trial.verb}
            </Button>
          ) : (
            <Button icon="stop" onClick={cancel} {...button}>
              {registryText.tryForm.cancel}
            </Button>
          )}
        </>
      }
    >
      {!(isBare && kind === 'resource') && (
        <div className={styles.form} tabIndex={-1}>
          <SchemaForm
            label={registryText.tryForm.argumentsOf(visibleText(shownName))}
            spec={spec}
            draft={typed.draft}
            findings={told}
            onEdit={onEdit}
            onFocusField={ignore}
            marked={undefined}
          />
        </div>
      )}
      {running !== undefined && (
        <RunningView key={running.callId} running={running} serverId={server.id} subject={shownName} />
      )}
      {shown !== undefined && (
        <TryResult key={shown.id} outcome={shown.outcome} kind={trial.kind} serverId={server.id} />
      )}
    </Section>
  )
}
