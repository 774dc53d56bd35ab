import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { questionKindSchema } from '../../server-core/host/contract/inbox.ts'
import type { ResponderSettings, ResponderView } from '../../server-core/host/contract/responders.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { AlertDialog } from '../controls/alert-dialog.tsx'
import { FirstLoaded, FormDialog } from '../controls/form-dialog.tsx'
import { Icon } from '../controls/icon.tsx'
import { Segmented } from '../controls/segmented.tsx'
import { useSubmission } from '../controls/use-submission.ts'
import { api, query } from '../host/api.ts'
import { useServer } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { EndpointsEditor } from './endpoints-editor.tsx'
import { KINDS, RULE_NAMES, type QuestionKind } from './entry-words.ts'
import { closeRules, openRules, rulesDialog } from './inbox-state.ts'
import { LimitFields, limitForm, limitsOf, type LimitForm } from './limit-fields.tsx'
import { RuleEditor } from './rule-editor.tsx'
import { ruleForm, ruleOf, type RuleForm } from './rule-form.ts'
import styles from './rules.module.css'
import { inboxText } from './text.ts'

/** Who answers the questions of a server, or of all of them, when nobody does it by hand. */
export function RulesDialogs() {
  const shown = useObservable(rulesDialog)
  if (shown === undefined) return null
  return (
    <Rules
      key={shown.serverId ?? ''}
      serverId={shown.serverId}
      first={shown.kind}
      onClose={() => closeRules(shown)}
    />
  )
}

interface RulesProps {
  serverId: string | undefined
  first: QuestionKind | undefined
  onClose: () => void
}

function Rules({ serverId, first, onClose }: RulesProps) {
  const input = serverId === undefined ? {} : { serverId }
  const options = query.responders.settings.queryOptions({ input, gcTime: 0 })
  const settings = useQuery({ ...options, staleTime: 0 })
  return (
    <FirstLoaded asked={settings} failure={inboxText.rulesDialog.loadFailed} onClose={onClose}>
      {(view) => <RulesForm serverId={serverId} first={first} view={view} onClose={onClose} />}
    </FirstLoaded>
  )
}

type Forms = Readonly<Record<QuestionKind, RuleForm>>

function RulesForm({ serverId, first, view, onClose }: RulesProps & { view: ResponderView }) {
  const server = useServer(serverId)
  const [forms, setForms] = useState<Forms>(() => formsOf(view))
  const [limits, setLimits] = useState<LimitForm>(() => limitForm(view.own))
  const [tried, setTried] = useState(false)
  const { problem, submit } = useSubmission(inboxText.rulesDialog.saveFailed)
  const [shownAtFirst] = useState(() => JSON.stringify([forms, limits]))
  const [isLeaving, setLeaving] = useState(false)
  const kinds = first === undefined ? questionKindSchema.options : withFirst(first)

  const save = (): void => {
    setTried(true)
    const settings = settingsOf(forms, limits)
    if (settings === undefined) return
    submit(() => api.responders.save({ ...(serverId !== undefined && { serverId }), settings }), onClose)
  }

  return (
    <FormDialog
      onClose={onClose}
      wide
      onSubmit={save}
      title={inboxText.rulesDialog.responders}
      description={inboxText.rulesDialog.precedenceNote}
      problem={problem}
    >
      <div className={styles.rules}>
        {server !== undefined && (
          <div>
            <Segmented
              label={inboxText.rulesDialog.servers}
              options={[
                { value: 'one', label: visibleText(server.name) },
                { value: 'all', label: inboxText.rulesDialog.allServers },
              ]}
              value="one"
              onValueChange={() => {
                if (JSON.stringify([forms, limits]) === shownAtFirst) openRules(undefined, first)
                else setLeaving(true)
              }}
            />
            <AlertDialog
              open={isLeaving}
              onOpenChange={setLeaving}
              title={inboxText.rulesDialog.leaveTheRulesOf(visibleText(server.name))}
              description={inboxText.rulesDialog.unsavedChanges}
              confirm={inboxText.rulesDialog.discardChanges}
              danger
              onConfirm={() => openRules(undefined, first)}
            />
          </div>
        )}
        {server === undefined && <p className="field-note">{inboxText.rulesDialog.allServersNote}</p>}
        {kinds.map((kind) => {
          const made = ruleOf(forms[kind])
          return (
            <section key={kind} className={styles.rule} aria-label={KINDS[kind].name}>
              <h3>
                <Icon name={KINDS[kind].icon} />
                {KINDS[kind].name}
              </h3>
              <div className={styles.ruleBody}>
                <RuleEditor
                  question={kind}
                  form={forms[kind]}
                  onChange={(form) => setForms({ ...forms, [kind]: form })}
                  unset={unsetWords(view, kind, serverId === undefined)}
                  problem={tried && !made.ok ? made.reason : undefined}
                  label={inboxText.rulesDialog.responderTo(KINDS[kind].name)}
                />
              </div>
            </section>
          )
        })}
        <LimitFields form={limits} effective={view.effective.limits} tried={tried} onChange={setLimits} />
        <EndpointsEditor />
      </div>
    </FormDialog>
  )
}

function withFirst(first: QuestionKind): readonly QuestionKind[] {
  return [first, ...questionKindSchema.options.filter((kind) => kind !== first)]
}

function formsOf({ own }: ResponderView): Forms {
  const form = (kind: QuestionKind): RuleForm => ruleForm(kind, own.rules[kind])
  return {
    sampling: form('sampling'),
    'elicitation-form': form('elicitation-form'),
    'elicitation-url': form('elicitation-url'),
    roots: form('roots'),
  }
}

/** What is saved; undefined while something of it is not finished. */
function settingsOf(forms: Forms, limits: LimitForm): ResponderSettings | undefined {
  const rules: ResponderSettings['rules'] = {}
  for (const kind of questionKindSchema.options) {
    const made = ruleOf(forms[kind])
    if (!made.ok) return undefined
    if (made.value !== undefined) rules[kind] = made.value
  }
  const read = limitsOf(limits)
  return read === undefined ? undefined : { rules, limits: read }
}

/** What holds where nothing is chosen. */
function unsetWords({ own, effective }: ResponderView, kind: QuestionKind, isForAll: boolean): string {
  const otherwise = own.rules[kind] === undefined ? effective.rules[kind] : undefined
  const words = isForAll ? inboxText.rulesDialog.defaultText : inboxText.rulesDialog.sameAsAllServers
  return otherwise === undefined ? words : `${words}: ${RULE_NAMES[otherwise.kind].toLowerCase()}`
}
