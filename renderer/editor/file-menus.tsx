import { IconButton } from '../controls/icon-button.tsx'
import { Menu, type MenuEntry } from '../controls/menu.tsx'
import { useObservable } from '../state/observable.ts'
import { removeFile } from './file-actions.ts'
import { fileDialog } from './file-dialogs.ts'
import { useOpenFiles } from './open-files.ts'
import { shownText, type TextCommand } from './shown-text.ts'
import { editorText } from './text.ts'

type FileAction = Omit<Extract<MenuEntry, { type: 'item' }>, 'type' | 'disabled'>

/** Opens any file of the workspace, also those that are not scripts. */
export function OpenFileButton() {
  return (
    <IconButton
      label={editorText.fileMenus.openFile}
      icon="folder"
      onClick={() => fileDialog.set({ kind: 'open' })}
    />
  )
}

/** What can be done with the file that is shown. */
export function ShownFileMenu() {
  const shown = useObservable(shownText)
  const { active } = useOpenFiles()
  if (shown === undefined) return null
  const { file, isScript } = shown
  // Until the text of the file in front is there, it is another one's: the button stays, and nothing is done to that.
  const disabled = file !== active
  const run = (command: TextCommand) => shown.run(command)
  const afterwards = (action: () => void) => (): void => {
    // The menu gives the focus back first.
    setTimeout(action)
  }
  const ofScripts: FileAction[] = [
    { label: editorText.fileMenus.format, keys: 'shift+alt+f', onSelect: afterwards(() => run('format')) },
    {
      label: editorText.fileMenus.goToDefinition,
      keys: 'F12',
      onSelect: afterwards(() => run('definition')),
    },
    {
      label: editorText.fileMenus.findReferences,
      keys: 'shift+F12',
      onSelect: afterwards(() => run('references')),
    },
    { label: editorText.fileMenus.renameSymbol, keys: 'F2', onSelect: afterwards(() => run('rename')) },
  ]
  const ofTexts: FileAction[] = [
    { label: editorText.fileMenus.save, icon: 'save', keys: 'mod+s', onSelect: () => run('save') },
    ...(isScript ? ofScripts : []),
    {
      label: editorText.fileMenus.findAndReplace,
      icon: 'search',
      keys: 'mod+f',
      onSelect: afterwards(() => run('find')),
    },
  ]
  const ofFiles: FileAction[] = [
    { label: editorText.fileMenus.renameFile, onSelect: () => fileDialog.set({ kind: 'rename', file }) },
    { label: editorText.fileMenus.remove, icon: 'trash', onSelect: () => void removeFile(file) },
  ]
  const item = (action: FileAction): MenuEntry => ({ type: 'item', ...action, disabled })
  return (
    <Menu
      trigger={<IconButton label={editorText.fileMenus.moreFor(active ?? file)} icon="more" />}
      entries={[...ofTexts.map(item), { type: 'separator', key: 'file' }, ...ofFiles.map(item)]}
    />
  )
}
