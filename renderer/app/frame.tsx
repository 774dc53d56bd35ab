import { lazy, Suspense, useEffect, useState } from 'react'
import type { Settings } from '../../server-core/host/contract/app.ts'
import { activations, useServer } from '../host/live.ts'
import { useWaiting } from '../inbox/inbox-state.ts'
import { loadJsonEditor } from '../json/json-editor.tsx'
import { useObservable } from '../state/observable.ts'
import { pageNames, usePage } from '../state/page.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { loadCallTabs } from '../workbench/call-tabs.ts'
import { CommandPalette } from './command-palette.tsx'
import { commandsFor } from './commands.ts'
import styles from './frame.module.css'
import { InboxPanel, preloadInbox } from './inbox-panel.tsx'
import { Notices } from './notices.tsx'
import { pages } from './pages.tsx'
import { PanelBoundary } from './panel-boundary.tsx'
import { useSaveSettings } from './settings.ts'
import { StatusBar } from './status-bar.tsx'
import { useTheme, type Theme } from './theme.ts'
import { TitleBar } from './title-bar.tsx'
import { useGlobalKeys } from './use-global-keys.ts'
import { useMenuCommands } from './use-menu-commands.ts'

/** Loaded after the window was drawn first. The palette is not: it takes the keys that follow its own immediately. */
const Dialogs = lazy(() => import('./dialogs.tsx'))

/** The window: title bar, notices, the page that is shown, status bar; and the keys that work everywhere. */
export function Frame({ settings }: { settings: Settings }) {
  const save = useSaveSettings()
  const page = usePage()
  const { Content } = pages[page]
  const selected = useServer(useSelectedServerId())
  const [paletteOpen, setPaletteOpen] = useState(false)
  const setTheme = (theme: Theme): void => save({ theme })
  const openPalette = (): void => setPaletteOpen(true)
  const commands = commandsFor({
    page,
    selected,
    theme: settings.theme,
    onThemeChange: setTheme,
    onOpenPalette: openPalette,
  })

  useTheme(settings.theme)
  useGlobalKeys(commands)
  useMenuCommands(commands)
  useComeForward()
  useCountInTitle()
  usePreload()

  return (
    <>
      <div className={styles.window}>
        <TitleBar theme={settings.theme} onThemeChange={setTheme} onOpenPalette={openPalette} />
        <Notices />
        <div className={styles.middle}>
          <PanelBoundary key={page} name={pageNames[page]}>
            <Suspense fallback={<main aria-busy="true" aria-label={pageNames[page]} />}>
              <Content />
            </Suspense>
          </PanelBoundary>
          <InboxPanel />
        </div>
        <StatusBar />
      </div>
      <Suspense>
        <Dialogs />
      </Suspense>
      {paletteOpen && <CommandPalette commands={commands} onClose={() => setPaletteOpen(false)} />}
    </>
  )
}

/** The title of the page says how many questions wait, for whoever has it in the background. */
function useCountInTitle(): void {
  const waiting = useWaiting()
  useEffect(() => {
    document.title = waiting === 0 ? 'Patchbay' : `(${waiting}) Patchbay`
  }, [waiting])
}

/** Loads what the first press needs before it comes. */
function usePreload(): void {
  useEffect(() => {
    // A failed load is tried again, and reported, when a tab or an editor is shown.
    loadCallTabs().catch(() => undefined)
    loadJsonEditor().catch(() => undefined)
    preloadInbox()
  }, [])
}

/** A second start of Patchbay asks this window to come forward, as far as a page can. */
function useComeForward(): void {
  const count = useObservable(activations)
  useEffect(() => {
    if (count > 0) window.focus()
  }, [count])
}
