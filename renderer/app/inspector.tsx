import { useEffect, useRef, type ReactNode } from 'react'
import { Explorer } from '../explorer/explorer.tsx'
import { useServers } from '../host/live.ts'
import { Rail } from '../servers/rail.tsx'
import { showServer } from '../servers/server-actions.ts'
import { useObservable, useSelected } from '../state/observable.ts'
import { selectedServer, useSelectedServerId } from '../state/selection.ts'
import { framesOpen, selectedExchange } from '../timeline/selection.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { closeTabsOf, openTabs } from '../workbench/tabs-store.ts'
import { Workbench } from '../workbench/workbench.tsx'
import styles from './frame.module.css'
import { Layout } from './layout.tsx'
import { useNarrow } from './narrow.ts'
import { PanelBoundary } from './panel-boundary.tsx'
import { appText } from './text.ts'

/** The page of the client: servers, what they offer, calls, and every exchange. */
export function Inspector() {
  const narrow = useNarrow()
  const isOpen = useObservable(framesOpen)
  const isSelected = useSelected(selectedExchange, (id) => id !== undefined)

  useSelectionThatExists()

  return (
    <Layout
      mode={narrow ? 'narrow' : 'wide'}
      showsFrames={isOpen && isSelected}
      servers={
        <nav
          className={styles.rail}
          aria-label={appText.inspector.servers}
          data-region="servers"
          tabIndex={-1}
        >
          <PanelBoundary name="Servers">
            <Rail />
          </PanelBoundary>
        </nav>
      }
      explorer={
        <Panel name="Explorer">
          <Explorer />
        </Panel>
      }
      workbench={
        <Panel name="Workbench">
          <Workbench />
        </Panel>
      }
      timeline={
        <Panel name="Timeline">
          <Timeline />
        </Panel>
      }
    />
  )
}

/** One panel of the page, a region that F6 reaches; what breaks in it leaves the others. */
function Panel({ name, children }: { name: string; children: ReactNode }) {
  return (
    <section className={styles.panel} aria-label={name} data-region={name.toLowerCase()} tabIndex={-1}>
      <PanelBoundary name={name}>{children}</PanelBoundary>
    </section>
  )
}

/**
 * At the start, and when the selected server was removed, the first one is selected; the first time its page opens. A
 * server that was just added is selected before the host's next batch names it, so it is waited for.
 */
function useSelectionThatExists(): void {
  const servers = useServers()
  const selected = useSelectedServerId()
  const seen = useRef<string | undefined>(undefined)
  const [first] = servers
  const exists = servers.some((server) => server.id === selected)

  useEffect(() => {
    if (exists) seen.current = selected
    else if (first !== undefined && (selected === undefined || seen.current === selected)) {
      // Whoever removed it closes its tabs when the host has replied, which may be later.
      if (selected !== undefined) closeTabsOf(selected)
      selectedServer.set(first.id)
      if (openTabs.get().tabs.length === 0) showServer(first.id)
    }
  }, [exists, first, selected])
}
