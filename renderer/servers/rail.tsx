import type { KeyboardEvent } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { IconButton } from '../controls/icon-button.tsx'
import { StateMark } from '../controls/state-mark.tsx'
import { activeFaultsText, useActiveFaults } from '../faults/active-faults.tsx'
import { useLatency, useServers } from '../host/live.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { durationText } from '../../server-core/protocol/duration-text.ts'
import { openAddServer } from './dialogs.ts'
import { PlugIn } from './plug-in.tsx'
import styles from './rail.module.css'
import { connectServer, removeServer, restartServer, selectServer } from './server-actions.ts'
import { latencyTitle, marksOf, restartWord, stateOf, subLine } from './server-look.ts'
import { serversText } from './text.ts'

/** All servers with their state, latency and next action. */
export function Rail() {
  const servers = useServers()
  const selected = useSelectedServerId()
  const marks = marksOf(servers.map((server) => visibleText(server.name)))
  return (
    <>
      <Bar
        className={styles.bar}
        end={
          <IconButton label={serversText.rail.addServer} icon="plus" keys="alt+n" onClick={openAddServer} />
        }
      >
        <h2 className={styles.title}>{serversText.rail.servers}</h2>
      </Bar>
      <ul className={styles.servers} aria-label={serversText.rail.servers} onKeyDown={moveWithArrows}>
        {servers.map((server, place) => (
          <ServerRow
            key={server.id}
            server={server}
            mark={marks[place] ?? ''}
            selected={server.id === selected}
          />
        ))}
      </ul>
      {servers.every((server) => server.origin === 'embedded') && <PlugIn />}
    </>
  )
}

interface ServerRowProps {
  server: ServerState
  /** Abbreviation of the name for a narrow rail. */
  mark: string
  selected: boolean
}

function ServerRow({ server, mark, selected }: ServerRowProps) {
  const look = stateOf(server)
  const faults = useActiveFaults()
  const line = visibleText(subLine(server))
  const hasFaults = server.origin === 'embedded' && faults > 0
  const sub = hasFaults ? `${activeFaultsText(faults)} · ${line}` : line
  const name = visibleText(server.name)
  const toned =
    look.tone === 'is-error' ? styles.error : look.tone === 'is-warn' || hasFaults ? styles.warn : undefined
  return (
    <li className={classes(styles.server, server.approval !== 'approved' && styles.off)}>
      <StateMark look={look} className={styles.state}>
        <span className="vh">{look.word}</span>
      </StateMark>
      <span className={styles.abbreviation} aria-hidden="true">
        {mark}
      </span>
      <button
        type="button"
        className={classes(styles.name, 'clip')}
        title={`${name}: ${sub}`}
        data-server
        {...(selected ? { 'aria-current': 'true', 'data-panel-focus': '' } : {})}
        onClick={() => selectServer(server)}
        onKeyDown={(event) => {
          if (event.key === 'Delete' && !event.repeat && server.origin !== 'embedded')
            void removeServer(server)
        }}
      >
        {name}
      </button>
      <span className={styles.end}>
        <RowEnd server={server} name={name} />
      </span>
      <span className={classes(styles.sub, 'clip', toned)}>{sub}</span>
    </li>
  )
}

/** The server's latency, or the action that connects it. */
function RowEnd({ server, name }: { server: ServerState; name: string }) {
  if (server.status === 'connected') {
    return <Latency serverId={server.id} />
  }
  if (server.status === 'connecting') return null
  if (server.approval !== 'approved') {
    return (
      <LinkButton aria-label={serversText.rail.approve(name)} onClick={() => selectServer(server)}>
        {serversText.rail.approveCommand}
      </LinkButton>
    )
  }
  if (server.status === 'failed') {
    return (
      <IconButton
        tight
        label={restartWord(server, name)}
        icon="restart"
        onClick={() => void restartServer(server)}
      />
    )
  }
  return (
    <LinkButton aria-label={serversText.rail.connect(name)} onClick={() => void connectServer(server)}>
      {serversText.rail.connectCommand}
    </LinkButton>
  )
}

function Latency({ serverId }: { serverId: string }) {
  const latency = useLatency(serverId)
  if (latency === undefined) return null
  return <span title={latencyTitle(latency)}>{durationText(latency.p50Ms)}</span>
}

/** Moves the focus with the arrow keys. */
function moveWithArrows(event: KeyboardEvent<HTMLUListElement>): void {
  const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0
  if (step === 0) return
  const names = [...event.currentTarget.querySelectorAll<HTMLElement>('[data-server]')]
  const here = names.findIndex((name) => name === document.activeElement)
  const next = names[here + step]
  if (here === -1 || next === undefined) return
  event.preventDefault()
  next.focus()
}
