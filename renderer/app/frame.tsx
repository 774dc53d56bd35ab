import { useEffect, useRef, useState } from 'react'
import type { Settings } from '../../server-core/host/contract/app.ts'
import { Explorer } from '../explorer/explorer.tsx'
import { activations, useServer, useServers } from '../host/live.ts'
import { Inbox } from '../inbox/inbox.tsx'
import { useWaiting } from '../inbox/inbox-state.ts'
import { RulesDialogs } from '../inbox/rules-dialog.tsx'
import type { PaletteItem } from '../palette/items.ts'
import { Palette } from '../palette/palette.tsx'
import { useServerItems } from '../palette/server-items.ts'
import { Rail } from '../servers/rail.tsx'
import { showServer } from '../servers/server-actions.ts'
import { ServerDialogs } from '../servers/server-dialogs.tsx'
import { useObservable } from '../state/observable.ts'
import { selectedServer, useSelectedServerId } from '../state/selection.ts'
import { Timeline } from '../timeline/timeline.tsx'
import { openTabs } from '../workbench/tabs-store.ts'
import { Workbench } from '../workbench/workbench.tsx'
import { commandsFor } from './commands.ts'
import { dockPanel } from './dock.ts'
import styles from './frame.module.css'
import { Layout } from './layout.tsx'
import { useNarrow } from './narrow.ts'
import { Notices } from './notices.tsx'
import { PanelBoundary } from './panel-boundary.tsx'
import { useSaveSettings } from './settings.ts'
import { StatusBar } from './status-bar.tsx'
import { useTheme, type Theme } from './theme.ts'
import { TitleBar } from './title-bar.tsx'
import { useGlobalKeys } from './use-global-keys.ts'

/** The window: title bar, notices, the cross of panels, status bar; and the keys that work everywhere. */
export function Frame({ settings }: { settings: Settings }) {
  const save = useSaveSettings()
  const narrow = useNarrow()
  const dock = useObservable(dockPanel)
  const selected = useServer(useSelectedServerId())
  const [paletteOpen, setPaletteOpen] = useState(false)
  const setTheme = (theme: Theme): void => save({ theme })
  const openPalette = (): void => setPaletteOpen(true)
  const commands = commandsFor({
    selected,
    theme: settings.theme,
    onThemeChange: setTheme,
    onOpenPalette: openPalette,
  })

  useTheme(settings.theme)
  useGlobalKeys(commands)
  useSelectionThatExists()
  useComeForward()
  useCountInTitle()

  return (
    <>
      <div className={styles.window}>
        <TitleBar theme={settings.theme} onThemeChange={setTheme} onOpenPalette={openPalette} />
        <Notices />
        <Layout
          mode={narrow ? 'narrow' : 'wide'}
          dock={dock}
          servers={
            <nav className={styles.rail} aria-label="Servers" data-region="servers" tabIndex={-1}>
              <PanelBoundary name="Servers">
                <Rail />
              </PanelBoundary>
            </nav>
          }
          explorer={
            <section className={styles.panel} aria-label="Explorer" data-region="explorer" tabIndex={-1}>
              <PanelBoundary name="Explorer">
                <Explorer />
              </PanelBoundary>
            </section>
          }
          workbench={
            <section className={styles.panel} aria-label="Workbench" data-region="workbench" tabIndex={-1}>
              <PanelBoundary name="Workbench">
                <Workbench />
              </PanelBoundary>
            </section>
          }
          inbox={
            <section className={styles.panel} aria-label="Inbox" data-region="inbox" tabIndex={-1}>
              <PanelBoundary name="Inbox">
                <Inbox />
              </PanelBoundary>
            </section>
          }
          timeline={
            <section className={styles.panel} aria-label="Timeline" data-region="timeline" tabIndex={-1}>
              <PanelBoundary name="Timeline">
                <Timeline />
              </PanelBoundary>
            </section>
          }
        />
        <StatusBar />
      </div>
      <ServerDialogs />
      <RulesDialogs />
      {paletteOpen && <PaletteOf commands={commands} onClose={() => setPaletteOpen(false)} />}
    </>
  )
}

interface PaletteOfProps {
  commands: ReturnType<typeof commandsFor>
  onClose: () => void
}

function PaletteOf({ commands, onClose }: PaletteOfProps) {
  const listed = useServerItems()
  const items: PaletteItem[] = [
    ...listed,
    ...commands
      .filter((command) => command.id !== 'palette')
      .map((command): PaletteItem => ({ ...command, group: 'Commands', where: undefined })),
  ]
  return <Palette items={items} onClose={onClose} />
}

/**
 * At the start, and when the selected server is gone, the first one is selected; the first time its page opens. A
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
      selectedServer.set(first.id)
      if (openTabs.get().tabs.length === 0) showServer(first.id)
    }
  }, [exists, first, selected])
}

/** The title of the page says how many questions wait, for whoever has it in the background. */
function useCountInTitle(): void {
  const waiting = useWaiting()
  useEffect(() => {
    document.title = waiting === 0 ? 'Patchbay' : `(${waiting}) Patchbay`
  }, [waiting])
}

/** A second start of Patchbay asks this window to come forward, as far as a page can. */
function useComeForward(): void {
  const count = useObservable(activations)
  useEffect(() => {
    if (count > 0) window.focus()
  }, [count])
}
