import { lazy, Suspense, useEffect, useState } from 'react'
import type { Settings } from '../../server-core/host/contract/app.ts'
import { activations, useServer } from '../host/live.ts'
import { useWaiting } from '../inbox/inbox-state.ts'
import { useScriptItems } from '../registry/palette-items.ts'
import { OpenWorkspace } from '../registry/open-workspace.tsx'
import { RulesDialogs } from '../inbox/rules-dialog.tsx'
import { InstallDialogs } from '../install/install-dialogs.tsx'
import type { PaletteItem } from '../palette/items.ts'
import { Palette } from '../palette/palette.tsx'
import { useServerItems } from '../palette/server-items.ts'
import { ServerDialogs } from '../servers/server-dialogs.tsx'
import { useObservable } from '../state/observable.ts'
import { usePage } from '../state/page.ts'
import { useSelectedServerId } from '../state/selection.ts'
import { commandsFor } from './commands.ts'
import styles from './frame.module.css'
import { Inspector } from './inspector.tsx'
import { Notices } from './notices.tsx'
import { PanelBoundary } from './panel-boundary.tsx'
import { useSaveSettings } from './settings.ts'
import { StatusBar } from './status-bar.tsx'
import { useTheme, type Theme } from './theme.ts'
import { TitleBar } from './title-bar.tsx'
import { useGlobalKeys } from './use-global-keys.ts'
import { useMenuCommands } from './use-menu-commands.ts'

/** Loaded when it is shown first. */
const RegistryPage = lazy(() => import('../registry/registry-page.tsx'))

/** The window: title bar, notices, the room that is shown, status bar; and the keys that work everywhere. */
export function Frame({ settings }: { settings: Settings }) {
  const save = useSaveSettings()
  const page = usePage()
  const selected = useServer(useSelectedServerId())
  const [paletteOpen, setPaletteOpen] = useState(false)
  const setTheme = (theme: Theme): void => save({ theme })
  const openPalette = (): void => setPaletteOpen(true)
  const commands = commandsFor({
    page: page,
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

  return (
    <>
      <div className={styles.window}>
        <TitleBar theme={settings.theme} onThemeChange={setTheme} onOpenPalette={openPalette} />
        <Notices />
        {page === 'inspector' ? (
          <Inspector />
        ) : (
          <PanelBoundary name="Registry">
            <Suspense fallback={<main aria-busy="true" aria-label="Registry" />}>
              <RegistryPage />
            </Suspense>
          </PanelBoundary>
        )}
        <StatusBar />
      </div>
      <ServerDialogs />
      <RulesDialogs />
      <OpenWorkspace />
      <InstallDialogs />
      {paletteOpen && <PaletteOf commands={commands} onClose={() => setPaletteOpen(false)} />}
    </>
  )
}

interface PaletteOfProps {
  commands: ReturnType<typeof commandsFor>
  onClose: () => void
}

function PaletteOf({ commands, onClose }: PaletteOfProps) {
  const { items: listed, isListing } = useServerItems()
  const scripts = useScriptItems()
  const items: PaletteItem[] = [
    ...listed,
    ...scripts,
    ...commands
      .filter((command) => command.id !== 'palette')
      .map((command): PaletteItem => ({ ...command, group: 'Commands', where: undefined })),
  ]
  return <Palette items={items} isListing={isListing} onClose={onClose} />
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
