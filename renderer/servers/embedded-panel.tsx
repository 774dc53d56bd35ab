import { useState } from 'react'
import type { EmbeddedState } from '../../server-core/host/contract/app.ts'
import { Button } from '../controls/button.tsx'
import { CopyButton } from '../controls/copy-button.tsx'
import { FormRow } from '../controls/form-row.tsx'
import { Switch } from '../controls/switch.tsx'
import { TextField } from '../controls/text-field.tsx'
import { showFailure } from '../controls/toast.tsx'
import { useSwitched } from '../controls/use-switched.ts'
import { api } from '../host/api.ts'
import { live, useAppInfo, useEmbedded } from '../host/live.ts'
import { useSelected } from '../state/observable.ts'
import { setServing } from '../registry/registry-actions.ts'
import { showPage } from '../state/page.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ActiveFaults } from '../faults/active-faults.tsx'
import { clientsText } from './clients-text.ts'
import styles from './panel.module.css'
import { SecretsNote } from './secrets-note.tsx'
import { serversText } from './text.ts'

/** The address, port and token of the server that Patchbay hosts. */
export function EmbeddedPanel() {
  const embedded = useEmbedded()
  const folder = useSelected(live.parts.registry, (state) => state?.workspace.folder)
  const isAsked = useSelected(live.parts.registry, (state) => state?.trust === 'asked')
  if (embedded === undefined) return null
  return (
    <>
      {isAsked && <TrustNote />}
      {!isAsked && <ServeSwitch />}
      <ActiveFaults />
      <section className={styles.section} aria-label={serversText.embeddedPanel.addressOfThisApp}>
        <h3>{serversText.embeddedPanel.connectAClient}</h3>
        {embedded.status === 'listening' && embedded.address !== undefined && (
          <Listening embedded={embedded} address={embedded.address} />
        )}
        {embedded.status === 'port-taken' && <PortTaken embedded={embedded} />}
        {embedded.status === 'stopped' && (
          <PortForm embedded={embedded} lead={serversText.embeddedPanel.notListening} />
        )}
        {folder !== undefined && <OverStdio folder={folder} />}
      </section>
    </>
  )
}

/** Switches serving on or off; stored in `patchbay.json` of the workspace. */
function ServeSwitch() {
  const isServing = useSelected(live.parts.registry, (state) => state?.serving) ?? true
  const [isOn, setOn] = useSwitched('serving', isServing, setServing)
  return (
    <section className={styles.section} aria-label={serversText.embeddedPanel.serving}>
      <Switch checked={isOn} onCheckedChange={setOn}>
        {serversText.embeddedPanel.serveClients}
      </Switch>
      {!isOn && (
        <p className="t3 small" role="status">
          {serversText.embeddedPanel.servingOff}
          <code>{serversText.embeddedPanel.serveEnabled}</code> {serversText.embeddedPanel.inItsPatchbayJson}
        </p>
      )}
    </section>
  )
}

/** Links to the trust decision while the workspace is not trusted. */
function TrustNote() {
  return (
    <section className={styles.section} aria-label={serversText.embeddedPanel.trust}>
      <p className={styles.lead}>{serversText.embeddedPanel.untrusted}</p>
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => showPage('registry')}>
          {serversText.embeddedPanel.reviewFolder}
        </Button>
      </div>
    </section>
  )
}

/** The command that serves the same workspace over stdio. */
function OverStdio({ folder }: { folder: string }) {
  const info = useAppInfo()
  return (
    <p className={styles.hint}>
      {serversText.embeddedPanel.sameWorkspaceOverStdio}{' '}
      <code>
        {serversText.embeddedPanel.serveCommand(info?.command ?? 'patchbay')}{' '}
        <SafeText>{/\s/.test(folder) ? `"${folder}"` : folder}</SafeText> {serversText.embeddedPanel.stdio}
      </code>
      .
    </p>
  )
}

function Listening({ embedded, address }: { embedded: EmbeddedState; address: string }) {
  const [isRequired, setRequired] = useSwitched('token required', embedded.tokenRequired, requireToken)
  return (
    <>
      <div className={styles.address}>
        <span>{address}</span>
        <CopyButton
          labelled
          label={serversText.embeddedPanel.copyAddress}
          text={embedded.tokenRequired ? () => addressWithToken(address) : address}
        />
        <CopyButton
          labelled
          label={serversText.embeddedPanel.copyConfiguration}
          text={() => configurationOf(address, embedded.tokenRequired)}
        />
      </div>
      <p className="t3 small">
        {serversText.embeddedPanel.scope}{' '}
        {embedded.keepsPort ? serversText.embeddedPanel.portReused : serversText.embeddedPanel.portOfRun}{' '}
        {clientsText(embedded.otherClients)}
      </p>
      {embedded.movedFrom !== undefined && <Moved {...embedded.movedFrom} to={embedded.port} />}
      <div>
        <Switch checked={isRequired} onCheckedChange={setRequired}>
          {serversText.embeddedPanel.requireAToken}
        </Switch>
      </div>
      {embedded.tokenRequired && <Token />}
      <PortForm embedded={embedded} />
    </>
  )
}

/** Returns why the address does not have the usual port. */
function Moved({ port, takenBy, to }: { port: number; takenBy?: string | undefined; to: number }) {
  return (
    <p className="t3 small">
      {serversText.embeddedPanel.port} {port} {serversText.embeddedPanel.isUsedBy}{' '}
      {takenBy === undefined ? serversText.embeddedPanel.anotherProgram : <SafeText>{takenBy}</SafeText>}
      {serversText.embeddedPanel.soPatchbayChose} {to}.
    </p>
  )
}

async function requireToken(required: boolean): Promise<void> {
  try {
    live.parts.embedded.set(await api.embedded.setTokenRequired({ required }))
  } catch (error) {
    showFailure(serversText.embeddedPanel.couldNotChangeSetting, error)
  }
}

const fetchToken = async (): Promise<string> => (await api.embedded.revealToken()).token

/** An entry for the configuration of a client, with the token if one is required. */
/** The address with the token in its path: a client needs nothing else. */
async function addressWithToken(address: string): Promise<string> {
  const url = new URL(address)
  url.pathname = `/t/${await fetchToken()}${url.pathname}`
  return url.href
}

async function configurationOf(url: string, isTokenRequired: boolean): Promise<string> {
  const headers = isTokenRequired
    ? { headers: { Authorization: serversText.embeddedPanel.bearer(await fetchToken()) } }
    : {}
  return JSON.stringify({ mcpServers: { patchbay: { type: 'http', url, ...headers } } }, null, 2)
}

function Token() {
  const [token, setToken] = useState<string | undefined>(undefined)
  const reveal = async (): Promise<void> => {
    try {
      setToken(await fetchToken())
    } catch (error) {
      showFailure(serversText.embeddedPanel.couldNotRevealToken, error)
    }
  }
  return (
    <>
      <div className={styles.address}>
        <span>{token ?? '••••••••••••••••'}</span>
        <Button
          icon="eye"
          aria-pressed={token !== undefined}
          onClick={() => (token === undefined ? void reveal() : setToken(undefined))}
        >
          {token === undefined ? serversText.embeddedPanel.reveal : serversText.embeddedPanel.hide}
        </Button>
        <CopyButton labelled label={serversText.embeddedPanel.copyToken} text={fetchToken} />
      </div>
      <p className="t3 small">
        {serversText.embeddedPanel.clientsSendItAs}{' '}
        <code>{serversText.embeddedPanel.authorizationBearer}</code>
        {serversText.embeddedPanel.tokenRequired} {serversText.embeddedPanel.tokenNote}
      </p>
      {token !== undefined && (
        <p className="t3 small">
          <SecretsNote />
        </p>
      )}
    </>
  )
}

function PortTaken({ embedded }: { embedded: EmbeddedState }) {
  const { offeredPort } = embedded
  return (
    <div className={styles.failure} role="alert">
      <p>
        {serversText.embeddedPanel.port} {embedded.port} {serversText.embeddedPanel.isUsedBy}{' '}
        {embedded.takenBy === undefined ? (
          serversText.embeddedPanel.anotherProgram
        ) : (
          <SafeText>{embedded.takenBy}</SafeText>
        )}
        {serversText.embeddedPanel.cannotConnect}
      </p>
      <div className={styles.acts}>
        {offeredPort !== undefined && (
          <Button tone="primary" onClick={() => void setPort(offeredPort)}>
            {serversText.embeddedPanel.usePort} {offeredPort}
          </Button>
        )}
        <Button onClick={() => void setPort(embedded.port)}>
          {serversText.embeddedPanel.try} {embedded.port} {serversText.embeddedPanel.again}
        </Button>
      </div>
      <PortForm embedded={embedded} />
    </div>
  )
}

async function setPort(port: number): Promise<void> {
  try {
    await api.embedded.setPort({ port })
  } catch (error) {
    showFailure(serversText.embeddedPanel.listenFailed(port), error)
  }
}

function PortForm({ embedded, lead }: { embedded: EmbeddedState; lead?: string }) {
  const [text, setText] = useState<string | undefined>(undefined)
  const shown = text ?? String(embedded.port)
  const port = /^\d{1,5}$/.test(shown) ? Number(shown) : Number.NaN
  const valid = port >= 0 && port <= 65_535
  return (
    <>
      {lead !== undefined && <p>{lead}</p>}
      <FormRow
        label={serversText.embeddedPanel.portWord}
        error={valid ? undefined : serversText.embeddedPanel.invalidPort}
      >
        {(control) => (
          <div className={styles.acts}>
            <TextField
              {...control}
              className={styles.port}
              mono
              inputMode="numeric"
              value={shown}
              invalid={!valid}
              onValueChange={setText}
            />
            <Button
              disabled={!valid || text === undefined || port === embedded.port}
              onClick={() => {
                setText(undefined)
                void setPort(port)
              }}
            >
              {serversText.embeddedPanel.useThisPort}
            </Button>
          </div>
        )}
      </FormRow>
    </>
  )
}
