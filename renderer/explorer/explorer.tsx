import { useQuery } from '@tanstack/react-query'
import { Fragment, useMemo, useState } from 'react'
import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { Bar } from '../controls/bar.tsx'
import { Button } from '../controls/button.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { FilteredPanel } from '../controls/filtered-panel.tsx'
import { showFailure } from '../controls/toast.tsx'
import { DeclarationChip } from '../declaration/declaration-chip.tsx'
import { ListChangeStrip } from '../declaration/list-change-strip.tsx'
import { listsOptions, readNextPage } from '../host/lists.ts'
import { queryClient, useServer } from '../host/live.ts'
import { openAddServer } from '../servers/dialogs.ts'
import { versionOf } from '../servers/server-facts.tsx'
import { useSelectedServerId } from '../state/selection.ts'
import { openTab, tabId, useTabs } from '../workbench/tabs-store.ts'
import { entriesOf, targetOf, type SectionName } from './entries.ts'
import styles from './explorer.module.css'
import { readFilter } from './filter.ts'
import { LastKnown } from './last-known.tsx'
import { NotConnected } from './not-connected.tsx'
import { rowsOf } from './rows.ts'
import { ServerMenu } from './server-menu.tsx'
import { Tree } from './tree.tsx'
import { explorerText } from './text.ts'

/** What the selected server offers. */
export function Explorer() {
  const server = useServer(useSelectedServerId())
  if (server === undefined) {
    return (
      <>
        <Bar>
          <h2>{explorerText.explorer.explorer}</h2>
        </Bar>
        <EmptyState
          title={explorerText.explorer.selectAServer}
          actions={
            <Button icon="plus" onClick={openAddServer}>
              {explorerText.explorer.addServer}
            </Button>
          }
        >
          {explorerText.explorer.emptyState}
        </EmptyState>
      </>
    )
  }
  return (
    <>
      <Bar
        end={
          <Fragment key={server.id}>
            <DeclarationChip server={server} />
            <ServerMenu server={server} />
          </Fragment>
        }
      >
        <h2 className="clip">{visibleText(server.name)}</h2>
        <span className={`micro t3 clip ${styles.version ?? ''}`}>
          {visibleText(versionOf(server.serverInfo) ?? '')}
        </span>
      </Bar>
      <Offer key={server.id} server={server} />
    </>
  )
}

/** What a server lists; without a connection what it listed last, if it was ever told. */
function Offer({ server }: { server: ServerState }) {
  const isConnected = server.status === 'connected'
  const lists = useQuery({
    ...listsOptions(server.id),
    enabled: isConnected,
    gcTime: Number.POSITIVE_INFINITY,
  })
  const [filterText, setFilterText] = useState('')
  const [collapsed, setCollapsed] = useState<ReadonlySet<SectionName>>(new Set())
  const { activeId } = useTabs()

  const entries = useMemo(() => (lists.data === undefined ? undefined : entriesOf(lists.data)), [lists.data])
  const filter = useMemo(() => readFilter(filterText), [filterText])
  const rows = useMemo(
    () =>
      entries === undefined
        ? []
        : rowsOf({
            entries,
            problems: lists.data?.problems ?? [],
            more: lists.data?.more,
            declared: server.capabilities ?? {},
            collapsed,
            filter,
          }),
    [entries, lists.data, server.capabilities, collapsed, filter],
  )

  if (!isConnected && (entries === undefined || server.approval !== 'approved')) {
    return <NotConnected server={server} />
  }

  return (
    <FilteredPanel
      label={explorerText.explorer.filterExplorer}
      placeholder={explorerText.explorer.filterPlaceholder}
      text={filterText}
      onTextChange={setFilterText}
    >
      {isConnected && lists.data !== undefined && (
        <ListChangeStrip serverId={server.id} lists={lists.data} readAt={lists.dataUpdatedAt} />
      )}
      {!isConnected && <LastKnown server={server} />}
      {isConnected && lists.error !== null && (
        <EmptyState
          title={explorerText.explorer.loadFailed}
          actions={<Button onClick={() => void lists.refetch()}>{explorerText.explorer.refreshLists}</Button>}
        >
          {visibleText(lists.error.message)}
        </EmptyState>
      )}
      {entries !== undefined && rows.length === 0 && (
        <EmptyState
          title={explorerText.explorer.nothingMatches}
          actions={<Button onClick={() => setFilterText('')}>{explorerText.explorer.clearFilter}</Button>}
        >
          <code>{filterText}</code> {explorerText.explorer.leavesNothingOfWhat} {visibleText(server.name)}{' '}
          {explorerText.explorer.lists}
        </EmptyState>
      )}
      {entries !== undefined && rows.length > 0 && (
        <Tree
          label={explorerText.explorer.what(
            visibleText(server.name),
            isConnected ? 'offers' : 'offered last',
          )}
          rows={rows}
          isDimmed={!isConnected}
          isSelected={(entry) => tabId(targetOf(entry, server.id)) === activeId}
          onOpen={(entry) => openTab(targetOf(entry, server.id))}
          onMore={(readingId) =>
            void readNextPage(queryClient, server.id, readingId).catch((error: unknown) =>
              showFailure(explorerText.explorer.nextPageFailed, error),
            )
          }
          onExpandedChange={(section, expanded) => {
            const next = new Set(collapsed)
            if (expanded) next.delete(section)
            else next.add(section)
            setCollapsed(next)
          }}
        />
      )}
    </FilteredPanel>
  )
}
