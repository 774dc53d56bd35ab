import { lazy, Suspense, type ComponentType } from 'react'
import { ConformanceStatus } from '../conformance/conformance-status.tsx'
import { conformanceCommands } from '../conformance/palette-items.ts'
import { closeFront, showRegistryPanel } from '../registry/go-to-panel.ts'
import { registryCommands } from '../registry/palette-items.ts'
import { RegistryStatus } from '../registry/registry-status.tsx'
import type { PageName } from '../state/page.ts'
import { TapStatus } from '../tap/tap-status.tsx'
import { closeTab, openTabs } from '../workbench/tabs-store.ts'
import type { Command } from '../palette/command.ts'
import { goToPanel, INSPECTOR_PANELS } from './go-to-panel.ts'
import { Inspector } from './inspector.tsx'
import { isNarrow } from './narrow.ts'
import { focusPanelWhenThere } from './panel-walk.ts'
import { ServerStatus } from './server-status.tsx'
import { appText } from './text.ts'

/** A panel of a page, which a command shows and focuses. */
export type PagePanel = { readonly name: string; readonly title: string; readonly show: () => void }

/** What the window needs to know of a page. Its name and title are in `state/page.ts`. */
export type Page = {
  /** The page itself. Pages that are not shown at the start are loaded when they are shown first. */
  readonly Content: ComponentType
  /** What the status bar says on this page. */
  readonly Status: ComponentType
  /** Its panels, in the order in which F6 walks through them. */
  readonly panels: readonly PagePanel[]
  /** Commands about the subject of this page, which are offered on every page. */
  readonly commands: readonly Command[]
  /** Closes the tab in front. */
  readonly closeTab: () => void
}

const LoadedRecordingsStatus = lazy(() => import('../recordings/recordings-status.tsx'))

function RecordingsStatus() {
  return (
    <Suspense fallback={null}>
      <LoadedRecordingsStatus />
    </Suspense>
  )
}

/** Every page of the window: to add one, add its name to `state/page.ts` and a row here. */
export const pages: Readonly<Record<PageName, Page>> = {
  inspector: {
    Content: Inspector,
    Status: ServerStatus,
    panels: INSPECTOR_PANELS.map((name) => ({
      name,
      title: name,
      show: () => goToPanel(name),
    })),
    commands: [],
    closeTab: () => {
      const { activeId } = openTabs.get()
      if (activeId !== undefined) closeTab(activeId)
    },
  },
  registry: {
    Content: lazy(() => import('../registry/registry-page.tsx')),
    Status: RegistryStatus,
    panels: (['entries', 'editor', 'script log', 'side'] as const).map((name) => ({
      name,
      title: name === 'side' ? appText.pages.tryAndConnected : name,
      show: () => {
        showRegistryPanel(name, isNarrow())
        focusPanelWhenThere(name)
      },
    })),
    commands: registryCommands,
    closeTab: closeFront,
  },
  conformance: {
    Content: lazy(() => import('../conformance/conformance-page.tsx')),
    Status: ConformanceStatus,
    panels: (['run', 'checks', 'check'] as const).map((name) => ({
      name,
      title: name,
      show: () => focusPanelWhenThere(name),
    })),
    commands: conformanceCommands,
    // It has no tabs.
    closeTab: () => undefined,
  },
  recordings: {
    Content: lazy(() => import('../recordings/recordings-page.tsx')),
    Status: RecordingsStatus,
    panels: (['recordings', 'recording', 'use'] as const).map((name) => ({
      name,
      title: appText.pages.recordingsPanels[name],
      show: () => focusPanelWhenThere(name),
    })),
    commands: [],
    closeTab: () => undefined,
  },
  tap: {
    Content: lazy(() => import('../tap/tap-page.tsx')),
    Status: TapStatus,
    panels: (['taps', 'messages', 'held', 'rules'] as const).map((name) => ({
      name,
      title: appText.pages.tapPanels[name],
      show: () => focusPanelWhenThere(name),
    })),
    commands: [],
    closeTab: () => undefined,
  },
}
