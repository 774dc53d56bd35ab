import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { closeFront, showRegistryPanel } from '../registry/go-to-panel.ts'
import { registryCommands } from '../registry/palette-items.ts'
import { openRules } from '../inbox/inbox-state.ts'
import type { PaletteItem } from '../palette/items.ts'
import { openAddServer, openEditServer } from '../servers/dialogs.ts'
import {
  connectServer,
  disconnectServer,
  removeServer,
  restartServer,
  showServer,
} from '../servers/server-actions.ts'
import { restartWord } from '../servers/server-look.ts'
import { pageNames, showPage, type PageName } from '../state/page.ts'
import { logLevelSchema } from '../../server-core/host/contract/inspection.ts'
import { askingToClear } from '../timeline/ask-to-clear.ts'
import { offersLogging } from '../timeline/log-level-menu.tsx'
import { setLogLevel } from '../timeline/set-log-level.ts'
import { focusTabWhenThere } from '../workbench/focus-tab.ts'
import { pagesOf } from '../workbench/server-pages.ts'
import { closeTab, openTabs } from '../workbench/tabs-store.ts'
import { showDock } from './dock.ts'
import { isNarrow } from './narrow.ts'
import { focusPanel, focusPanelWhenThere, walkPanels } from './panel-walk.ts'
import { themeNames, type Theme } from './theme.ts'

const panels = {
  inspector: ['servers', 'explorer', 'workbench', 'timeline', 'inbox'],
  registry: ['entries', 'editor', 'script log', 'side'],
} as const satisfies Record<PageName, readonly string[]>

/** Shows a panel of the inspector, should it share its place with another one, and goes there. */
export function goToPanel(panel: (typeof panels.inspector)[number]): void {
  showPage('inspector')
  if (panel === 'timeline' || panel === 'inbox') showDock(panel)
  focusPanel(panel)
}

function goToRegistryPanel(panel: (typeof panels.registry)[number]): void {
  showRegistryPanel(panel, isNarrow())
  focusPanelWhenThere(panel)
}

function closeActiveTab(page: PageName): void {
  if (page === 'registry') {
    closeFront()
    return
  }
  const { activeId } = openTabs.get()
  if (activeId !== undefined) closeTab(activeId)
}

const pages = Object.keys(pageNames) as PageName[]

interface CommandsInput {
  readonly page: PageName
  readonly selected: ServerState | undefined
  readonly theme: Theme
  readonly onThemeChange: (theme: Theme) => void
  readonly onOpenPalette: () => void
}

type Command = Omit<PaletteItem, 'group' | 'where'>

/** Every command of the window, with its keys. The palette shows them, and the frame listens for the keys. */
export function commandsFor({
  page: page,
  selected,
  theme,
  onThemeChange,
  onOpenPalette,
}: CommandsInput): readonly Command[] {
  const themes = Object.keys(themeNames) as Theme[]
  return [
    { id: 'palette', icon: 'search', name: 'Search everything', keys: 'mod+k', run: onOpenPalette },
    { id: 'add', icon: 'plus', name: 'Add server…', keys: 'alt+n', run: openAddServer },
    ...(selected === undefined ? [] : commandsOf(selected)),
    { id: 'next-panel', icon: 'split', name: 'Go to the next panel', keys: 'F6', run: () => walkPanels(1) },
    {
      id: 'previous-panel',
      icon: 'split',
      name: 'Go to the panel before',
      keys: 'shift+F6',
      run: () => walkPanels(-1),
    },
    ...pages.map((each, index): Command => ({
      id: `room-${each}`,
      icon: 'server',
      name: `Go to ${pageNames[each]}`,
      keys: `alt+shift+${index + 1}`,
      run: () => showPage(each),
    })),
    ...panelCommands(page),
    ...registryCommands,
    {
      id: 'rules',
      icon: 'inbox',
      name: selected === undefined ? 'Who answers questions…' : `Who answers questions of ${selected.name}…`,
      keys: undefined,
      run: () => openRules(selected?.id),
    },
    { id: 'close-tab', icon: 'close', name: 'Close the tab', keys: 'alt+w', run: () => closeActiveTab(page) },
    {
      id: 'clear',
      icon: 'trash',
      name: 'Clear the timeline…',
      keys: undefined,
      run: () => askingToClear.set(true),
    },
    ...themes
      .filter((other) => other !== theme)
      .map((other): Command => ({
        id: `theme-${other}`,
        icon: 'theme',
        name: `Theme: ${themeNames[other].toLowerCase()}`,
        keys: undefined,
        run: () => onThemeChange(other),
      })),
  ]
}

/** The way to each panel of the room that is shown. */
function panelCommands(page: PageName): readonly Command[] {
  const ways =
    page === 'inspector'
      ? panels.inspector.map((panel) => ({ panel, run: () => goToPanel(panel) }))
      : panels.registry.map((panel) => ({ panel, run: () => goToRegistryPanel(panel) }))
  return ways.map(({ panel, run }, index) => ({
    id: `panel-${panel}`,
    icon: 'dock',
    name: `Go to ${panel === 'side' ? 'try and connected' : panel}`,
    keys: `alt+${index + 1}`,
    run,
  }))
}

function commandsOf(server: ServerState): readonly Command[] {
  const up = server.status === 'connected' || server.status === 'connecting'
  const approved = server.approval === 'approved'
  const commands: Command[] = [
    {
      id: 'page',
      icon: 'server',
      name: `Open the page of ${server.name}`,
      keys: undefined,
      run: () => showServer(server.id),
    },
    ...pagesOf(server).map(({ page, title, icon, open }): Command => ({
      id: `page-${page}`,
      icon,
      name: `${title} of ${server.name}`,
      keys: page === 'composer' ? 'alt+c' : undefined,
      run: () => {
        open()
        focusTabWhenThere()
      },
    })),
    ...(offersLogging(server) ? logLevelSchema.options : []).map((level): Command => ({
      id: `log-${level}`,
      icon: 'filter',
      name: `Log level of ${server.name}: ${level}`,
      keys: undefined,
      run: () => void setLogLevel(server, level),
    })),
  ]
  if (approved) {
    commands.push({
      id: 'restart',
      icon: 'restart',
      name: restartWord(server, server.name),
      keys: 'alt+r',
      run: () => void restartServer(server),
    })
  }
  if (up) {
    commands.push({
      id: 'disconnect',
      icon: 'stop',
      name: `Disconnect ${server.name}`,
      keys: undefined,
      run: () => void disconnectServer(server),
    })
  } else if (!approved || server.status !== 'failed') {
    commands.push({
      id: 'connect',
      icon: 'plug',
      name: approved ? `Connect ${server.name}` : `Approve ${server.name}…`,
      keys: undefined,
      run: () => (approved ? void connectServer(server) : showServer(server.id)),
    })
  }
  if (server.origin !== 'embedded') {
    commands.push(
      {
        id: 'edit',
        icon: 'settings',
        name: `Edit ${server.name}…`,
        keys: undefined,
        run: () => openEditServer(server.id),
      },
      {
        id: 'remove',
        icon: 'trash',
        name: `Remove ${server.name}`,
        keys: undefined,
        run: () => void removeServer(server),
      },
    )
  }
  return commands
}
