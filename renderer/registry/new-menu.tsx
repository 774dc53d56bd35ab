import type { TemplateName } from '../../server-core/host/contract/editor.ts'
import { IconButton } from '../controls/icon-button.tsx'
import type { IconName } from '../controls/icon.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { openMockDialog } from '../mocks/open-mock-dialog.ts'
import { openingWorkspace, openPage } from './registry-view.ts'

const SCRIPTS: readonly { template: TemplateName; label: string; icon: IconName }[] = [
  { template: 'tool', label: 'New tool…', icon: 'tool' },
  { template: 'resource', label: 'New resource…', icon: 'resource' },
  { template: 'template', label: 'New resource template…', icon: 'template' },
  { template: 'prompt', label: 'New prompt…', icon: 'prompt' },
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
    label: `New mock ${kind}…`,
    icon: 'elicit',
    onSelect: () => openMockDialog({ type: 'new', kind }),
  })),
  { type: 'separator', key: 'from elsewhere' },
  {
    type: 'item',
    label: 'Import OpenAPI document…',
    icon: 'import',
    onSelect: () => openPage({ kind: 'add-source', source: 'openapi' }),
  },
  {
    type: 'item',
    label: 'Proxy a server…',
    icon: 'server',
    onSelect: () => openPage({ kind: 'add-source', source: 'proxy' }),
  },
  {
    type: 'item',
    label: 'Mount a workspace folder…',
    icon: 'folder',
    onSelect: () => openPage({ kind: 'add-source', source: 'mount' }),
  },
  { type: 'separator', key: 'workspace' },
  {
    type: 'item',
    label: 'Open another workspace folder…',
    icon: 'folder',
    onSelect: () => openingWorkspace.set(true),
  },
]

/** The menu of everything that can be added to the server. */
export function NewMenu() {
  return <Menu trigger={<IconButton label="New entry" icon="plus" />} entries={ENTRIES} />
}
