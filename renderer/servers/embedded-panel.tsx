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
import { live, useEmbedded } from '../host/live.ts'
import { useSelected } from '../state/observable.ts'
import { setServing } from '../registry/registry-actions.ts'
import { showPage } from '../state/page.ts'
import { SafeText } from '../text/safe-text.tsx'
import { ActiveFaults } from '../faults/active-faults.tsx'
import { clientsText } from './clients-text.ts'
import styles from './panel.module.css'
import { SecretsNote } from './secrets-note.tsx'

/** The address, port and token of the server that Patchbay hosts. */
export function EmbeddedPanel() {
  const embedded = useEmbedded()
  const folder = useSelected(live.registry, (state) => state?.workspace.folder)
  const isAsked = useSelected(live.registry, (state) => state?.trust === 'asked')
  if (embedded === undefined) return null
  return (
    <>
      {isAsked && <TrustNote />}
      {!isAsked && <ServeSwitch />}
      <ActiveFaults />
      <section className={styles.section} aria-label="Address of This app">
        <h3>Plug this app into any client</h3>
        {embedded.status === 'listening' && embedded.address !== undefined && (
          <Listening embedded={embedded} address={embedded.address} />
        )}
        {embedded.status === 'port-taken' && <PortTaken embedded={embedded} />}
        {embedded.status === 'stopped' && <PortForm embedded={embedded} lead="This app is not listening." />}
        {folder !== undefined && <OverStdio folder={folder} />}
      </section>
    </>
  )
}

/** Switches serving on or off; stored in `patchbay.json` of the workspace. */
function ServeSwitch() {
  const isServing = useSelected(live.registry, (state) => state?.serving) ?? true
  const [isOn, setOn] = useSwitched('serving', isServing, setServing)
  return (
    <section className={styles.section} aria-label="Serving">
      <Switch checked={isOn} onCheckedChange={setOn}>
        Serve clients
      </Switch>
      {!isOn && (
        <p className="t3 small" role="status">
          Switched off: new requests are answered with HTTP 503. The switch belongs to this workspace (
          <code>serve.enabled</code> in its patchbay.json).
        </p>
      )}
    </section>
  )
}

/** Links to the trust decision while the workspace is not trusted. */
function TrustNote() {
  return (
    <section className={styles.section} aria-label="Trust">
      <p className={styles.lead}>Nothing of the workspace is served before you trust its folder.</p>
      <div className={styles.acts}>
        <Button tone="primary" onClick={() => showPage('registry')}>
          Look at the folder…
        </Button>
      </div>
    </section>
  )
}

/** The command that serves the same workspace over stdio. */
function OverStdio({ folder }: { folder: string }) {
  return (
    <p className={styles.hint}>
      Over stdio the same workspace is{' '}
      <code>
        npm run -s patchbay -- serve <SafeText>{/\s/.test(folder) ? `"${folder}"` : folder}</SafeText> --stdio
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
          label="Copy address"
          text={embedded.tokenRequired ? () => addressWithToken(address) : address}
        />
        <CopyButton
          labelled
          label="Copy configuration"
          text={() => configurationOf(address, embedded.tokenRequired)}
        />
      </div>
      <p className="t3 small">
        Streamable HTTP, this computer only.{' '}
        {embedded.keepsPort ? 'Later starts use the same port.' : 'The port was chosen for this run only.'}{' '}
        {clientsText(embedded.otherClients)}
      </p>
      {embedded.movedFrom !== undefined && <Moved {...embedded.movedFrom} to={embedded.port} />}
      <div>
        <Switch checked={isRequired} onCheckedChange={setRequired}>
          Require a token
        </Switch>
        {embedded.tokenRequired && (
          <p className="t3 small">
            <SecretsNote />
          </p>
        )}
      </div>
      {embedded.tokenRequired && (
        <p className="t3 small">The copied address and configuration contain the token.</p>
      )}
      {embedded.tokenRequired && <Token />}
      <PortForm embedded={embedded} />
    </>
  )
}

/** Returns why the address does not have the usual port. */
function Moved({ port, takenBy, to }: { port: number; takenBy?: string | undefined; to: number }) {
  return (
    <p className="t3 small">
      Port {port} is used by {takenBy === undefined ? 'another program' : <SafeText>{takenBy}</SafeText>}, so
      Patchbay chose {to}.
    </p>
  )
}

async function requireToken(required: boolean): Promise<void> {
  try {
    live.embedded.set(await api.embedded.setTokenRequired({ required }))
  } catch (error) {
    showFailure('The switch was not set', error)
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
  const headers = isTokenRequired ? { headers: { Authorization: `Bearer ${await fetchToken()}` } } : {}
  return JSON.stringify({ mcpServers: { patchbay: { type: 'http', url, ...headers } } }, null, 2)
}

function Token() {
  const [token, setToken] = useState<string | undefined>(undefined)
  const reveal = async (): Promise<void> => {
    try {
      setToken(await fetchToken())
    } catch (error) {
      showFailure('The token was not revealed', error)
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
          {token === undefined ? 'Reveal' : 'Hide'}
        </Button>
        <CopyButton labelled label="Copy token" text={fetchToken} />
      </div>
      <p className="t3 small">
        Clients send it as <code>Authorization: Bearer …</code>. Without it they get status 401, and so do
        other accounts on this computer. <q>Copy configuration</q> includes it.
      </p>
    </>
  )
}

function PortTaken({ embedded }: { embedded: EmbeddedState }) {
  const { offeredPort } = embedded
  return (
    <div className={styles.failure} role="alert">
      <p>
        Port {embedded.port} is used by{' '}
        {embedded.takenBy === undefined ? 'another program' : <SafeText>{embedded.takenBy}</SafeText>}.
        Clients cannot connect to This app until it listens on another port.
      </p>
      <div className={styles.acts}>
        {offeredPort !== undefined && (
          <Button tone="primary" onClick={() => void setPort(offeredPort)}>
            Use port {offeredPort}
          </Button>
        )}
        <Button onClick={() => void setPort(embedded.port)}>Try {embedded.port} again</Button>
      </div>
      <PortForm embedded={embedded} />
    </div>
  )
}

async function setPort(port: number): Promise<void> {
  try {
    await api.embedded.setPort({ port })
  } catch (error) {
    showFailure(`Could not listen on port ${port}`, error)
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
      <FormRow label="port" error={valid ? undefined : 'Enter a number from 0 to 65535; 0 is any free port.'}>
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
              Use this port
            </Button>
          </div>
        )}
      </FormRow>
    </>
  )
}
