import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { useObservable } from '../state/observable.ts'
import { removeFile } from './file-deeds.ts'
import { fileDialog } from './file-dialogs.ts'
import { shownText, type TextCommand } from './shown-text.ts'

/** Opens any file of the workspace, also those that are no scripts. */
export function OpenFileButton() {
  return <IconButton label="Open file" icon="folder" onClick={() => fileDialog.set({ kind: 'open' })} />
}

/** What can be done with the file that is shown. */
export function ShownFileMenu() {
  const shown = useObservable(shownText)
  if (shown === undefined) return null
  const { file, isScript } = shown
  const run = (command: TextCommand) => shown.run(command)
  const afterwards = (deed: () => void) => (): void => {
    // The menu gives the focus back first.
    setTimeout(deed)
  }
  const ofScripts: MenuEntry[] = [
    { type: 'item', label: 'Format', keys: 'shift+alt+f', onSelect: afterwards(() => run('format')) },
    { type: 'item', label: 'Go to definition', keys: 'F12', onSelect: afterwards(() => run('definition')) },
    {
      type: 'item',
      label: 'Find references',
      keys: 'shift+F12',
      onSelect: afterwards(() => run('references')),
    },
    { type: 'item', label: 'Rename symbol…', keys: 'F2', onSelect: afterwards(() => run('rename')) },
  ]
  return (
    <Menu
      trigger={<IconButton label={`More for ${file}`} icon="more" />}
      entries={[
        { type: 'item', label: 'Save', icon: 'save', keys: 'mod+s', onSelect: () => run('save') },
        ...(isScript ? ofScripts : []),
        {
          type: 'item',
          label: 'Find and replace',
          icon: 'search',
          keys: 'mod+f',
          onSelect: afterwards(() => run('find')),
        },
        { type: 'separator', key: 'file' },
        { type: 'item', label: 'Rename file…', onSelect: () => fileDialog.set({ kind: 'rename', file }) },
        { type: 'item', label: 'Remove', icon: 'trash', onSelect: () => void removeFile(file) },
      ]}
    />
  )
}
