import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import type { DefinitionDrift, DefinitionsState } from '../../server-core/host/contract/definitions.ts'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { AlertDialog } from '../controls/alert-dialog.tsx'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { Icon } from '../controls/icon.tsx'
import rowStyles from '../controls/rows.module.css'
import { showFailure } from '../controls/toast.tsx'
import { api, query } from '../host/api.ts'
import { listsOptions } from '../host/lists.ts'
import { queryClient } from '../host/live.ts'
import { connectServer } from '../servers/server-actions.ts'
import { bytesText, counted, countText } from '../text/measures.ts'
import { SafeText } from '../text/safe-text.tsx'
import { dayText, secondText } from '../text/times.ts'
import styles from './definitions.module.css'
import { conformanceText } from './text.ts'

const { definitions: text } = conformanceText

/** What a server lists against what was approved of it, and the context that its tools take. */
export function ServerDefinitions({ server }: { server: ServerState }) {
  const isConnected = server.status === 'connected'
  // Compared again whenever the lists that the window shows were read again.
  const lists = useQuery({ ...listsOptions(server.id), enabled: isConnected })
  const { data, error } = useQuery({
    ...query.definitions.state.queryOptions({ input: { serverId: server.id } }),
    queryKey: [...query.definitions.state.key({ input: { serverId: server.id } }), lists.dataUpdatedAt],
    enabled: isConnected && lists.data !== undefined,
  })
  if (!isConnected) {
    return (
      <EmptyState
        title={text.notConnected(server.name)}
        actions={
          <Button disabled={server.approval !== 'approved'} onClick={() => void connectServer(server)}>
            {text.connect}
          </Button>
        }
      >
        {text.notConnectedText}
      </EmptyState>
    )
  }
  if (error !== null) return <EmptyState title={text.couldNotRead}>{error.message}</EmptyState>
  return data === undefined ? null : <Compared server={server} state={data} />
}

function Compared({ server, state }: { server: ServerState; state: DefinitionsState }) {
  const { approvedAt, drift, sizes, unread } = state
  const [isAsking, setAsking] = useState(false)
  const accept = async (): Promise<void> => {
    try {
      await api.definitions.accept({ serverId: server.id })
      await queryClient.invalidateQueries({ queryKey: query.definitions.key() })
    } catch (error) {
      showFailure(text.couldNotAccept, error)
    }
  }
  const total = sizes.reduce(
    (sum, { bytes, tokens }) => ({ bytes: sum.bytes + bytes, tokens: sum.tokens + tokens }),
    { bytes: 0, tokens: 0 },
  )
  return (
    <>
      <Bar
        end={
          drift.length > 0 && (
            <Button icon="check" onClick={() => setAsking(true)}>
              {text.accept}
            </Button>
          )
        }
      >
        <h2>{text.title(server.name)}</h2>
        <span className="small t3">{text.approved(`${dayText(approvedAt)} ${secondText(approvedAt)}`)}</span>
        <span className={classes('small', drift.length > 0 ? 'is-error' : 't3')} role="status">
          {drift.length > 0 ? text.changed(counted(drift.length, 'change')) : text.unchanged}
        </span>
      </Bar>
      {unread.map(({ kind, reason }) => (
        <p key={kind} className={styles.unread}>
          {text.unread(kind, reason)}
        </p>
      ))}
      <div className="scroll" tabIndex={0} role="group" aria-label={text.title(server.name)}>
        {drift.length > 0 && (
          <ul className={styles.drift} aria-label={text.drift}>
            {drift.map((each) => (
              <DriftRow key={`${each.kind} ${each.name}`} drift={each} />
            ))}
          </ul>
        )}
        <Bar className={styles.context}>
          <h2>{text.context}</h2>
          <span className="small t3">{text.total(bytesText(total.bytes), countText(total.tokens))}</span>
        </Bar>
        {sizes.length === 0 ? (
          <p className={styles.none}>{text.noTools}</p>
        ) : (
          <table className={rowStyles.table} aria-label={text.context}>
            <thead>
              <tr>
                <th scope="col">{text.tool}</th>
                <th scope="col" className={rowStyles.figure}>
                  {text.bytes}
                </th>
                <th scope="col" className={rowStyles.figure}>
                  {text.tokens}
                </th>
              </tr>
            </thead>
            <tbody>
              {sizes.map(({ name, bytes, tokens }) => (
                <tr key={name}>
                  <td className={classes(rowStyles.wide, 'clip')}>
                    <SafeText>{name}</SafeText>
                  </td>
                  <td className={rowStyles.figure}>{countText(bytes)}</td>
                  <td className={rowStyles.figure}>{countText(tokens)}</td>
                </tr>
              ))}
            </tbody>
          </table>
        )}
      </div>
      <AlertDialog
        open={isAsking}
        onOpenChange={setAsking}
        title={text.acceptTitle(server.name)}
        description={text.acceptText}
        confirm={text.accept}
        onConfirm={() => void accept()}
      />
    </>
  )
}

function DriftRow({ drift: { text: line, isBreaking, differences } }: { drift: DefinitionDrift }) {
  return (
    <li className={styles.change}>
      <span className="is-error">
        <Icon name={isBreaking ? 'st-fail' : 'diff'} />
      </span>
      <div className="grow">
        <p className={styles.line}>
          <SafeText>{line}</SafeText>
          {isBreaking && <span className="mark mark-error"> {text.breaking}</span>}
        </p>
        {differences.map(({ part, pointer, what }, place) => (
          <p key={place} className={styles.difference}>
            <span className="mono">
              <SafeText>{text.where(part, pointer)}</SafeText>
            </span>{' '}
            <SafeText>{what}</SafeText>
          </p>
        ))}
      </div>
    </li>
  )
}
