import { ORPCError } from '@orpc/client'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { AuthorizationState } from '../../server-core/host/contract/authorization.ts'
import { AlertDialog } from '../controls/alert-dialog.tsx'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { Switch } from '../controls/switch.tsx'
import { TextField } from '../controls/text-field.tsx'
import { useStaleClickGuard } from '../controls/use-stale-click-guard.ts'
import { useSwitched } from '../controls/use-switched.ts'
import { query } from '../host/api.ts'
import { useAuthorization, useServer } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ServerPage } from '../workbench/server-page.tsx'
import {
  forgetCredentials,
  openBrowserAgain,
  pasteCallback,
  pauseAuthorization,
  startAuthorization,
  stopAuthorization,
} from './authorization-actions.ts'
import { stateLook } from './authorization-look.ts'
import styles from './authorization.module.css'
import { SettingsDialog } from './settings-dialog.tsx'
import { StepDetail } from './step-detail.tsx'
import { StepList } from './step-list.tsx'
import { timeText } from '../text/times.ts'
import { authorizationText } from './text.ts'

/** The authorization at one server: how it stands, its steps, and the debugger that holds and changes them. */
export default function AuthorizationPage({ serverId }: { serverId: string }) {
  const state = useAuthorization(serverId)
  const isApproved = useServer(serverId)?.approval === 'approved'
  const [chosen, setChosen] = useState<string | undefined>(undefined)
  const [isEditing, setEditing] = useState(false)
  const [isAsking, setAsking] = useState(false)
  const changes = state?.stepChanges ?? 0
  const steps = useQuery({
    ...query.authorization.steps.queryOptions({ input: { serverId } }),
    // Fetched again whenever a step changed.
    queryKey: [...query.authorization.steps.key({ input: { serverId } }), changes],
    enabled: isApproved,
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  const shown = steps.data ?? []
  const isPossible = isApproved && !steps.isError
  const isRunning = state?.status === 'authorizing'
  const [isPaused, setPaused] = useSwitched(
    `authorization held ${serverId}`,
    state?.paused === true,
    (paused) => pauseAuthorization(serverId, paused),
  )
  const { button } = useStaleClickGuard(isRunning ? 'stop' : 'authorize')
  const waiting = shown.findLast((step) => step.state === 'waiting')
  const selected = shown.find(({ id }) => id === chosen) ?? waiting ?? shown.at(-1)

  return (
    <ServerPage
      serverId={serverId}
      title={authorizationText.authorizationPage.authorization}
      facts={state === undefined ? undefined : <StateWord state={state} />}
      actions={
        <>
          <Switch checked={isPaused} onCheckedChange={setPaused} disabled={!isPossible}>
            {authorizationText.authorizationPage.pauseBeforeEachRequest}
          </Switch>
          <Button icon="settings" disabled={steps.isError} onClick={() => setEditing(true)}>
            {authorizationText.authorizationPage.settings}
          </Button>
          <Button
            tone="quiet"
            disabled={state === undefined || state.status === 'none' || isRunning}
            onClick={() => setAsking(true)}
          >
            {authorizationText.authorizationPage.forgetCredentials}
          </Button>
          {isRunning ? (
            <Button icon="stop" onClick={() => void stopAuthorization(serverId)} {...button}>
              {authorizationText.authorizationPage.stop}
            </Button>
          ) : (
            <Button
              tone="primary"
              icon="key"
              data-runs
              disabled={!isPossible}
              onClick={() => {
                setChosen(undefined)
                void startAuthorization(serverId, isPaused)
              }}
              {...button}
            >
              {state?.status === 'authorized'
                ? authorizationText.authorizationPage.authorizeAgain
                : authorizationText.authorizationPage.authorize}
            </Button>
          )}
        </>
      }
    >
      {state !== undefined && <Facts state={state} />}
      {state?.waitingFor === 'browser' && <Browser serverId={serverId} state={state} />}
      {steps.isError && (
        <EmptyState
          title={
            hasOwnCredentials(steps.error)
              ? authorizationText.authorizationPage.authorizationNotUsed
              : authorizationText.authorizationPage.couldNotLoadSteps
          }
        >
          <SafeText>{steps.error.message}</SafeText>
        </EmptyState>
      )}
      {shown.length === 0 && !steps.isError && (
        <EmptyState title={authorizationText.authorizationPage.noStepsYet}>
          {authorizationText.authorizationPage.emptyState}
        </EmptyState>
      )}
      {shown.length > 0 && (
        <div className={styles.steps}>
          <StepList steps={shown} selectedId={selected?.id} onSelect={setChosen} />
          {selected !== undefined && (
            <StepDetail key={`${selected.id} ${selected.state}`} serverId={serverId} step={selected} />
          )}
        </div>
      )}
      {isEditing && <SettingsDialog serverId={serverId} onClose={() => setEditing(false)} />}
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={authorizationText.authorizationPage.forgetTheCredentials}
        description={authorizationText.authorizationPage.forgetDetail}
        confirm={authorizationText.authorizationPage.forget}
        danger
        onConfirm={() => void forgetCredentials(serverId)}
      />
    </ServerPage>
  )
}

/** Whether the host says that this server is not authorized at, because of how it is set up. */
function hasOwnCredentials(error: Error): boolean {
  return error instanceof ORPCError && error.code === 'INVALID_ENTRY'
}

function StateWord({ state }: { state: AuthorizationState }) {
  const look = stateLook(state)
  const until = state.expiresAt === undefined ? '' : ` until ${timeText(state.expiresAt)}`
  return (
    <StateMark look={look} className={styles.state} isLive>
      {look.word}
      {state.status === 'authorized' && until}
    </StateMark>
  )
}

const CLIENT_KINDS: Readonly<Record<NonNullable<AuthorizationState['clientKind']>, string>> = {
  'pre-registered': 'pre-registered',
  'metadata-document': 'client ID metadata document',
  dynamic: 'dynamic registration',
  grant: 'by its grant',
}

/** What is known of it, in one line; and why it is needed, or failed. */
function Facts({ state }: { state: AuthorizationState }) {
  const { reason, issuer, clientId, clientKind, scopes, refreshable, resource } = state
  const facts = [
    ['issuer', issuer],
    ['resource', resource],
    [
      'client',
      clientId === undefined
        ? undefined
        : `${clientId}${clientKind === undefined ? '' : ` (${CLIENT_KINDS[clientKind]})`}`,
    ],
    ['scopes', scopes?.join(' ')],
    ['renewed', refreshable === undefined ? undefined : refreshable ? 'automatic' : 'by you'],
  ] as const
  return (
    <>
      {reason !== undefined && (
        <p className={`${styles.reason ?? ''} ${state.status === 'failed' ? 'is-error' : 't2'}`}>
          <SafeText>{reason}</SafeText>
        </p>
      )}
      {facts.some(([, value]) => value !== undefined && value !== '') && (
        <dl className={styles.facts}>
          {facts.map(([name, value]) =>
            value === undefined || value === '' ? null : (
              <div key={name}>
                <dt>{name}</dt>
                <dd title={value}>
                  <SafeText>{value}</SafeText>
                </dd>
              </div>
            ),
          )}
        </dl>
      )}
    </>
  )
}

/** While the user is in the browser: its address, and a place for the address it ended at. */
function Browser({ serverId, state }: { serverId: string; state: AuthorizationState }) {
  const [url, setUrl] = useState('')
  return (
    <form
      className={styles.browser}
      aria-label={authorizationText.authorizationPage.signIn}
      onSubmit={(event) => {
        event.preventDefault()
        if (url.trim() !== '') void pasteCallback(serverId, url.trim())
      }}
    >
      <span>{authorizationText.authorizationPage.signBrowser}</span>
      <Button onClick={() => void openBrowserAgain(serverId)}>
        {authorizationText.authorizationPage.openAgain}
      </Button>
      {state.authorizationUrl !== undefined && (
        <CopyButton
          labelled
          label={authorizationText.authorizationPage.copyURL}
          text={state.authorizationUrl}
        />
      )}
      <TextField
        mono
        aria-label={authorizationText.authorizationPage.redirectURL}
        placeholder={authorizationText.authorizationPage.pasteCallbackUrl(state.redirectUri ?? '')}
        value={url}
        onValueChange={setUrl}
      />
      <Button type="submit" disabled={url.trim() === ''}>
        {authorizationText.authorizationPage.useThisUrl}
      </Button>
    </form>
  )
}
