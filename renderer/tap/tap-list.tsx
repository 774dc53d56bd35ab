import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { ClientEntries, TapState } from '../../server-core/host/contract/taps.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { LinkButton } from '../controls/button.tsx'
import { Icon } from '../controls/icon.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { showFailure } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { queryClient } from '../host/live.ts'
import { selectedTap, sidesOf, useShownTap, useTaps } from './tap-selection.ts'
import styles from './tap.module.css'
import { tapText } from './text.ts'

const text = tapText.tapList

/** Taps that run or ran, and the servers of clients, which can be wrapped. */
export function TapList() {
  const taps = useTaps()
  const shown = useShownTap()
  const key = query.taps.entries.queryKey()
  const { data: clients = [], refetch } = useQuery(query.taps.entries.queryOptions())
  return (
    <>
      <Bar end={<IconButton tight icon="restart" label={text.refresh} onClick={() => void refetch()} />}>
        <h2>{text.taps}</h2>
      </Bar>
      <div className={styles.list} tabIndex={0} role="group" aria-label={text.listOfTaps}>
        {taps.length > 0 && (
          <ul>
            {taps.map((tap) => (
              <TapRow key={tap.id} tap={tap} isShown={tap.id === shown?.id} />
            ))}
          </ul>
        )}
        <h3 className={styles.group}>{text.clients}</h3>
        {clients.length === 0 && <p className={styles.hint}>{text.noEntries}</p>}
        {clients.map((client) => (
          <ClientGroup
            key={client.file}
            client={client}
            onChanged={(entries) => queryClient.setQueryData(key, entries)}
          />
        ))}
      </div>
    </>
  )
}

function TapRow({ tap, isShown }: { tap: TapState; isShown: boolean }) {
  const { held, isRunning } = tap
  const [icon, tone, state] =
    held.length > 0
      ? (['pause', 'is-warn', text.holding] as const)
      : isRunning
        ? (['st-on', 'is-ok', text.running] as const)
        : (['st-off', 't3', text.ended] as const)
  return (
    <li className={styles.row}>
      <span className={tone}>
        <Icon name={icon} />
      </span>
      <button
        type="button"
        className={styles.name}
        aria-current={isShown ? 'true' : undefined}
        onClick={() => selectedTap.set(tap.id)}
      >
        <span className="clip">{visibleText(sidesOf(tap))}</span>
        <span className={styles.sub}>
          {state}
          {held.length > 0 && ` (${held.length})`}, {text.pid(tap.pid)}
        </span>
      </button>
    </li>
  )
}

interface ClientGroupProps {
  client: ClientEntries
  onChanged: (entries: ClientEntries[]) => void
}

function ClientGroup({ client, onChanged }: ClientGroupProps) {
  const [busy, setBusy] = useState(false)
  const [changed, setChanged] = useState(false)
  const run = async (action: () => Promise<ClientEntries[]>): Promise<void> => {
    setBusy(true)
    try {
      onChanged(await action())
      setChanged(true)
    } catch (error) {
      showFailure(text.couldNotChange, error)
    } finally {
      setBusy(false)
    }
  }
  return (
    <section aria-label={client.title}>
      <h4 className={styles.client} title={client.file}>
        {client.title}
      </h4>
      {client.problem !== undefined && <p className={styles.problem}>{visibleText(client.problem)}</p>}
      <ul>
        {client.entries.map(({ name, state, summary, changes }) => {
          const input = { client: client.client, name }
          return (
            <li key={name} className={styles.entry}>
              <span className={styles.entryName} title={visibleText(summary)}>
                <span className="clip">{visibleText(name)}</span>
                <span className={state === 'changed' ? styles.bad : styles.sub}>{text.states[state]}</span>
                {changes.map((line) => (
                  <span key={line} className={styles.change}>
                    {visibleText(line)}
                  </span>
                ))}
              </span>
              {state === 'not-wrapped' && (
                <LinkButton
                  disabled={busy}
                  aria-label={`${text.wrap} ${name}`}
                  onClick={() => void run(() => api.taps.wrap(input))}
                >
                  {text.wrap}
                </LinkButton>
              )}
              {(state === 'wrapped' || state === 'changed' || state === 'gone') && (
                <LinkButton
                  disabled={busy}
                  aria-label={`${text.unwrap} ${name}`}
                  onClick={() => void run(() => api.taps.unwrap(input))}
                >
                  {text.unwrap}
                </LinkButton>
              )}
            </li>
          )
        })}
      </ul>
      {changed && <p className={styles.hint}>{text.restart(client.title)}</p>}
    </section>
  )
}
