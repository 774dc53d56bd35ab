import type { TemplateName } from '../../server-core/host/contract/editor.ts'
import { IconButton } from '../controls/icon-button.tsx'
import type { IconName } from '../controls/icon.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { openMockDialog } from '../mocks/open-mock-dialog.ts'
import { openingWorkspace, openPage } from './registry-view.ts'
import { registryText } from './text.ts'

const SCRIPTS: readonly { template: TemplateName; label: string; icon: IconName }[] = [
  { template: 'tool', label: registryText.newMenu.newTool, icon: 'tool' },
  { template: 'resource', label: registryText.newMenu.newResource, icon: 'resource' },
  { template: 'template', label: registryText.newMenu.newResourceTemplate, icon: 'template' },
  { template: 'prompt', label: registryText.newMenu.newPrompt, icon: 'prompt' },
]

const ENTRIES: readonly MenuEntry[] = [
  ...SCRIPTS.map(({ template, label, icon }): MenuEntry => ({
    type: 'item',
    label,
    icon,
    onSelect: () => openPage({ kind: 'new-script', template }),
  })),
  { type: 'separator', key: 'mocks' },
  ...(['tool', 'resource', 'prompt'] as const).map((kind): MenuEntry => ({
    type: 'item',
    label: registryText.newMenu.newMock(kind),
    icon: 'elicit',
    onSelect: () => openMockDialog({ type: 'new', kind }),
  })),
  { type: 'separator', key: 'from elsewhere' },
  {
    type: 'item',
    label: registryText.newMenu.importOpenapiDocument,
    icon: 'import',
    onSelect: () => openPage({ kind: 'add-source', source: 'openapi' }),
  },
  {
    type: 'item',
    label: registryText.newMenu.proxyAServer,
    icon: 'server',
    onSelect: () => openPage({ kind: 'add-source', source: 'proxy' }),
  },
  {
    type: 'item',
    label: registryText.newMenu.mountAWorkspaceFolder,
    icon: 'folder',
    onSelect: () => openPage({ kind: 'add-source', source: 'mount' }),
  },
  { type: 'separator', key: 'workspace' },
  {
    type: 'item',
    label: registryText.newMenu.openAnotherWorkspaceFolder,
    icon: 'folder',
    onSelect: () => openingWorkspace.set(true),
  },
]

/** The menu of everything that can be added to the server. */
export function NewMenu() {
  return <Menu trigger={<IconButton label={registryText.newMenu.newEntry} icon="plus" />} entries={ENTRIES} />
}
