import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { copyText } from '../controls/clipboard.ts'
import { Icon } from '../controls/icon.tsx'
import { Menu } from '../controls/menu.tsx'
import { showFailure } from '../controls/toast.tsx'
import { showPage } from '../state/page.ts'
import { openingWorkspace } from './registry-view.ts'
import { useRegistry } from './use-registry.ts'
import styles from './workspace-menu.module.css'
import { registryText } from './text.ts'

/** The name of the open workspace, with a menu that opens another one. */
export function WorkspaceMenu() {
  const workspace = useRegistry()?.workspace
  if (workspace === undefined) return null
  const { folder, name } = workspace
  return (
    <Menu
      trigger={
        <button type="button" className={styles.trigger} title={visibleText(folder)}>
          <span className="vh">{registryText.workspaceMenu.workspace} </span>
          <span className="clip">{visibleText(name)}</span>
          <Icon name="chev-d" />
        </button>
      }
      entries={[
        {
          type: 'item',
          label: registryText.workspaceMenu.openAnotherWorkspaceFolder,
          icon: 'folder',
          onSelect: () => openingWorkspace.set(true),
        },
        {
          type: 'item',
          label: registryText.workspaceMenu.goToRegistry,
          icon: 'script',
          onSelect: () => showPage('registry'),
        },
        {
          type: 'item',
          label: registryText.workspaceMenu.copyFolderPath,
          icon: 'copy',
          onSelect: () => {
            copyText(folder).catch((error: unknown) =>
              showFailure(registryText.workspaceMenu.couldNotCopy, error),
            )
          },
        },
      ]}
    />
  )
}
