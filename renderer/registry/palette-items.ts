import type { TemplateName } from '../../server-core/host/contract/editor.ts'
import type { IconName } from '../controls/icon.tsx'
import { openAddToClient } from '../install/dialogs.ts'
import type { Command } from '../palette/command.ts'
import type { PaletteItem } from '../palette/items.ts'
import { showPage } from '../state/page.ts'
import { openScript } from './open-line.ts'
import { openingWorkspace, openPage, type SourceKind } from './registry-view.ts'
import { useRegistry } from './use-registry.ts'
import { registryText } from './text.ts'

const SCRIPTS: readonly { template: TemplateName; icon: IconName; name: string }[] = [
  { template: 'tool', icon: 'tool', name: registryText.paletteItems.newTool },
  { template: 'resource', icon: 'resource', name: registryText.paletteItems.newResource },
  { template: 'template', icon: 'template', name: registryText.paletteItems.newResourceTemplate },
  { template: 'prompt', icon: 'prompt', name: registryText.paletteItems.newPrompt },
]

const SOURCES: readonly { source: SourceKind; icon: IconName; name: string }[] = [
  { source: 'openapi', icon: 'import', name: registryText.paletteItems.importOpenapiDocument },
  { source: 'proxy', icon: 'server', name: registryText.paletteItems.proxyAServer },
  { source: 'mount', icon: 'folder', name: registryText.paletteItems.mountAWorkspaceFolder },
]

/** What can be done with the server that Patchbay itself hosts, from wherever the window stands. */
export const registryCommands: readonly Command[] = [
  ...SCRIPTS.map(({ template, icon, name }): Command => ({
    id: `new-${template}`,
    icon,
    name,
    keys: undefined,
    run: () => {
      showPage('registry')
      openPage({ kind: 'new-script', template })
    },
  })),
  ...SOURCES.map(({ source, icon, name }): Command => ({
    id: `add-${source}`,
    icon,
    name,
    keys: undefined,
    run: () => {
      showPage('registry')
      openPage({ kind: 'add-source', source })
    },
  })),
  {
    id: 'open-workspace',
    icon: 'folder',
    name: registryText.paletteItems.openAnotherWorkspaceFolder,
    keys: undefined,
    run: () => openingWorkspace.set(true),
  },
  {
    id: 'add-to-client',
    icon: 'plug',
    name: registryText.paletteItems.addToClient,
    keys: undefined,
    run: () => openAddToClient(),
  },
]

/** All scripts of the workspace. */
export function useScriptItems(): readonly PaletteItem[] {
  const scripts = useRegistry()?.scripts ?? []
  return scripts.map(({ file, state }) => ({
    id: `script ${file}`,
    group: 'Scripts',
    icon: 'script',
    name: file,
    where: state === 'broken' ? 'not loaded' : state === 'stopped' ? 'switched off' : undefined,
    keys: undefined,
    run: () => {
      showPage('registry')
      openScript(file)
    },
  }))
}
