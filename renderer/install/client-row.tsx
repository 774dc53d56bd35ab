import { useState } from 'react'
import type { ClientState, InstalledEntry, Trial } from '../../server-core/host/contract/install.ts'
import { Button, LinkButton } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { SafeText } from '../text/safe-text.tsx'
import { counted } from '../text/measures.ts'
import styles from './install.module.css'
import { installText } from './text.ts'
import { messageOf } from '../../server-core/protocol/error-message.ts'

interface ClientRowProps {
  client: ClientState
  /** What it is to start; the open workspace if missing. */
  serverId: string | undefined
}

/** The result of the last action, in words. */
type Outcome = { readonly tone: 'good' | 'bad'; readonly text: string; readonly canUndo?: boolean }

/** One client: its file, our entries in it, and its actions. */
export function ClientRow({ client, serverId }: ClientRowProps) {
  const [busy, setBusy] = useState(false)
  const [outcome, setOutcome] = useState<Outcome | undefined>(undefined)

  const run = async (action: () => Promise<Outcome>): Promise<void> => {
    setBusy(true)
    setOutcome(undefined)
    try {
      setOutcome(await action())
    } catch (error) {
      setOutcome({ tone: 'bad', text: messageOf(error) })
    } finally {
      // Until what can be done now is known.
      await queryClient.invalidateQueries({ queryKey: query.install.clients.key() })
      setBusy(false)
    }
  }

  const add = () =>
    run(async () => {
      const server = serverId === undefined ? {} : { server: serverId }
      const { name, change, realFile } = await api.install.install({ client: client.id, ...server })
      if (change === 'none') return { tone: 'good', text: installText.clientRow.isAlreadyConfigured(name) }
      return {
        tone: 'good',
        text: installText.clientRow.added(name, realFile ?? 'its file', client.title),
        canUndo: true,
      }
    })
  const remove = (name: string) =>
    run(async () => {
      await api.install.uninstall({ client: client.id, name })
      return { tone: 'good', text: installText.clientRow.removedFromItsFile(name), canUndo: true }
    })
  const undo = () =>
    run(async () => {
      await api.install.undo({ client: client.id })
      return { tone: 'good', text: installText.clientRow.restoredTheFile }
    })
  const test = (name: string) =>
    run(async () => trialOutcome(name, await api.install.test({ client: client.id, name })))

  return (
    <li className={styles.client} aria-busy={busy}>
      <h3>{client.title}</h3>
      <p className={styles.file}>
        <SafeText>{client.file}</SafeText>
      </p>
      <div className={styles.acts}>
        <Button
          icon="plus"
          disabled={busy || client.state === 'broken'}
          onClick={() => void add()}
          aria-label={installText.clientRow.addTo(client.title)}
        >
          {installText.clientRow.add}
        </Button>
      </div>
      {client.problem !== undefined && (
        <p className="warn-note">
          <Icon name="warn" />
          <SafeText>{client.problem}</SafeText>
        </p>
      )}
      {client.entries.map((entry) => (
        <EntryLine
          key={entry.name}
          entry={entry}
          busy={busy}
          onTest={() => void test(entry.name)}
          onRemove={() => void remove(entry.name)}
        />
      ))}
      {outcome !== undefined && (
        <p className={outcome.tone === 'bad' ? styles.error : styles.outcome} role="status">
          <SafeText>{outcome.text}</SafeText>{' '}
          {outcome.canUndo === true && (
            <LinkButton disabled={busy} onClick={() => void undo()}>
              {installText.clientRow.undo}
            </LinkButton>
          )}
        </p>
      )}
    </li>
  )
}

interface EntryLineProps {
  entry: InstalledEntry
  busy: boolean
  onTest: () => void
  onRemove: () => void
}

function EntryLine({ entry, busy, onTest, onRemove }: EntryLineProps) {
  return (
    <div className={styles.entry} role="group" aria-label={installText.clientRow.entry(entry.name)}>
      <strong>
        <SafeText>{entry.name}</SafeText>
      </strong>
      <span className={entry.state === 'stale' ? styles.stale : styles.note}>
        {entry.state === 'stale' ? (
          <SafeText>{installText.clientRow.outdated(entry.reason ?? '')}</SafeText>
        ) : (
          installText.clientRow.current
        )}
      </span>
      <div className={styles.acts}>
        <Button tone="quiet" disabled={busy || entry.state !== 'current'} onClick={onTest}>
          {installText.clientRow.test}
        </Button>
        <Button tone="quiet" disabled={busy} onClick={onRemove}>
          {installText.clientRow.remove}
        </Button>
      </div>
      <code className={styles.summary}>
        <SafeText>{entry.summary}</SafeText>
      </code>
    </div>
  )
}

function trialOutcome(name: string, trial: Trial): Outcome {
  const ms = `${trial.ms.toFixed(0)} ms`
  if (!trial.ok)
    return { tone: 'bad', text: installText.clientRow.failedAfter(name, ms, trial.failure ?? '') }
  const called = trial.called === undefined ? '' : `, ${trial.called} called`
  const tools = counted(trial.tools.length, 'tool')
  return {
    tone: 'good',
    text: installText.clientRow.worksIn(name, trial.server ?? 'a server', tools, called, ms),
  }
}
