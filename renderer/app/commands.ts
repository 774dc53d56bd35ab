import type { ServerState } from '../../server-core/host/contract/servers.ts'
import { openRules } from '../inbox/inbox-state.ts'
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
import { pagesOf, SERVER_PAGES } from '../workbench/server-pages.ts'
import { openTab } from '../workbench/tabs-store.ts'
import type { Command } from '../palette/command.ts'
import { toggleInbox } from './go-to-panel.ts'
import { pages } from './pages.tsx'
import { walkPanels } from './panel-walk.ts'
import { themeNames, type Theme } from './theme.ts'
import { appText } from './text.ts'

interface CommandsInput {
  readonly page: PageName
  readonly selected: ServerState | undefined
  readonly theme: Theme
  readonly onThemeChange: (theme: Theme) => void
  readonly onOpenPalette: () => void
}

/** Every command of the window, with its keys. The palette shows them, and the frame listens for the keys. */
export function commandsFor({
  page,
  selected,
  theme,
  onThemeChange,
  onOpenPalette,
}: CommandsInput): readonly Command[] {
  const themes = Object.keys(themeNames) as Theme[]
  const pageList = Object.keys(pages) as PageName[]
  return [
    {
      id: 'palette',
      icon: 'search',
      name: appText.commands.searchEverything,
      keys: 'mod+k',
      run: onOpenPalette,
    },
    { id: 'add', icon: 'plus', name: appText.commands.addServer, keys: 'alt+n', run: openAddServer },
    ...(selected === undefined ? [] : commandsOf(selected)),
    {
      id: 'next-panel',
      icon: 'split',
      name: appText.commands.nextPanel,
      keys: 'F6',
      run: () => walkPanels(1),
    },
    {
      id: 'previous-panel',
      icon: 'split',
      name: appText.commands.previousPanel,
      keys: 'shift+F6',
      run: () => walkPanels(-1),
    },
    ...pageList.map((each, index): Command => ({
      id: `page-${each}`,
      icon: 'server',
      name: `Go to ${pageNames[each]}`,
      keys: `alt+shift+${index + 1}`,
      run: () => showPage(each),
    })),
    ...panelCommands(page),
    ...Object.values(pages).flatMap(({ commands }) => commands),
    {
      id: 'rules',
      icon: 'inbox',
      name: selected === undefined ? 'Responders…' : appText.commands.respondersOf(selected.name),
      keys: undefined,
      run: () => openRules(selected?.id),
    },
    {
      id: 'inbox',
      icon: 'inbox',
      name: appText.commands.showInbox,
      keys: 'mod+i',
      run: toggleInbox,
    },
    {
      id: 'close-tab',
      icon: 'close',
      name: appText.commands.closeTab,
      keys: 'alt+w',
      run: pages[page].closeTab,
    },
    {
      id: 'clear',
      icon: 'trash',
      name: appText.commands.clearTimeline,
      keys: undefined,
      run: () => askingToClear.set(true),
    },
    ...themes
      .filter((other) => other !== theme)
      .map((other): Command => ({
        id: `theme-${other}`,
        icon: 'theme',
        name: appText.commands.theme(themeNames[other].toLowerCase()),
        keys: undefined,
        run: () => onThemeChange(other),
      })),
  ]
}

/** A command for each panel of the page that is shown. */
function panelCommands(page: PageName): readonly Command[] {
  return pages[page].panels.map(({ name, title, show }, index) => ({
    id: `panel-${name}`,
    icon: 'dock',
    name: `Go to ${title}`,
    keys: `alt+${index + 1}`,
    run: show,
  }))
}

function commandsOf(server: ServerState): readonly Command[] {
  const up = server.status === 'connected' || server.status === 'connecting'
  const approved = server.approval === 'approved'
  const commands: Command[] = [
    {
      id: 'page',
      icon: 'server',
      name: appText.commands.openPageOf(server.name),
      keys: undefined,
      run: () => showServer(server.id),
    },
    ...pagesOf(server).map((page): Command => ({
      id: `server-page-${page}`,
      icon: SERVER_PAGES[page].icon,
      name: `${SERVER_PAGES[page].title} of ${server.name}`,
      keys: page === 'composer' ? 'alt+c' : undefined,
      run: () => {
        openTab({ kind: 'page', serverId: server.id, page })
        focusTabWhenThere()
      },
    })),
    ...(offersLogging(server) ? logLevelSchema.options : []).map((level): Command => ({
      id: `log-${level}`,
      icon: 'filter',
      name: appText.commands.logLevelOf(server.name, level),
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
      name: appText.commands.disconnect(server.name),
      keys: undefined,
      run: () => void disconnectServer(server),
    })
  } else if (!approved || server.status !== 'failed') {
    commands.push({
      id: 'connect',
      icon: 'plug',
      name: approved ? appText.commands.connect(server.name) : appText.commands.approve(server.name),
      keys: undefined,
      run: () => (approved ? void connectServer(server) : showServer(server.id)),
    })
  }
  if (server.origin !== 'embedded') {
    commands.push(
      {
        id: 'edit',
        icon: 'settings',
        name: appText.commands.edit(server.name),
        keys: undefined,
        run: () => openEditServer(server.id),
      },
      {
        id: 'remove',
        icon: 'trash',
        name: appText.commands.remove(server.name),
        keys: undefined,
        run: () => void removeServer(server),
      },
    )
  }
  return commands
}
