import { lazy, Suspense, useEffect } from 'react'
import { PanelBoundary } from '../app/panel-boundary.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import type { IconName } from '../controls/icon.tsx'
import { TabStrip, type StripTab } from '../controls/tab-strip.tsx'
import { useObservable } from '../state/observable.ts'
import type { EditorProps, ScriptFault } from './editor-props.ts'
import styles from './editor.module.css'
import { askToClose } from './file-actions.ts'
import { FileDialogs } from './file-dialogs-view.tsx'
import { OpenFileButton, ShownFileMenu } from './file-menus.tsx'
import { openWorkspaceFiles } from './keep-files.ts'
import { openFile, useOpenFiles, type OpenFile } from './open-files.ts'
import { problems } from './problems.ts'
import { editorText } from './text.ts'

const loadText = () => import('./text/text-pane.tsx')
const TextPane = lazy(loadText)
/** Milliseconds after which it is loaded without being needed, so that the first file opens at once. */
const LOAD_AFTER_MS = 500

const NO_FAULTS: readonly ScriptFault[] = []

/** Ids of elements have no spaces. */
function tabElementId(id: string): string {
  return `file-tab-${encodeURIComponent(id)}`
}

/**
 * The scripts of the workspace to edit: tabs, and the text of the one in front. Text and undo live on while the editor
 * is not shown; unsaved text lives on without the page.
 */
export default function Editor(props: EditorProps) {
  const { workspace, bar, faults = NO_FAULTS, pages = [], onFile, tabsEnd, empty } = props
  const folder = workspace?.folder ?? ''
  const isTrusted = workspace?.isTrusted ?? true
  const { files, active } = useOpenFiles()
  const found = useObservable(problems)
  const page = pages.find(({ isFront }) => isFront)

  useEffect(() => {
    // Without the host nothing can be brought back, and the window says so.
    openWorkspaceFiles(folder).catch(() => undefined)
  }, [folder])

  useEffect(() => {
    const timer = setTimeout(() => void loadText().catch(() => undefined), LOAD_AFTER_MS)
    return () => clearTimeout(timer)
  }, [])

  const tabOf = ({ file, isUnsaved }: OpenFile): StripTab => ({
    elementId: tabElementId(file),
    icon: iconOf(file),
    name: file,
    title: file,
    isActive: page === undefined && file === active,
    errors: (found.get(file) ?? []).filter(({ severity }) => severity === 'error').length,
    isUnsaved,
    onSelect: () => {
      openFile(file)
      onFile?.()
    },
    onClose: () => askToClose(file),
  })
  const tabs = [
    ...files.map(tabOf),
    ...pages.map(({ id, icon, title, isFront, onSelect, onClose }): StripTab => {
      return { elementId: tabElementId(id), icon, name: title, title, isActive: isFront, onSelect, onClose }
    }),
  ]
  const front = page?.id ?? active

  return (
    <div className={styles.editor}>
      <TabStrip
        label={editorText.editor.openScripts}
        tabs={tabs}
        panelId="editor-panel"
        end={
          <>
            {page === undefined && <ShownFileMenu />}
            <OpenFileButton />
            {tabsEnd}
          </>
        }
      />
      {front === undefined ? (
        (empty ?? <EmptyState title={editorText.editor.noFileIsOpen} />)
      ) : (
        <div id="editor-panel" role="tabpanel" aria-labelledby={tabElementId(front)} className={styles.panel}>
          {page !== undefined
            ? page.content
            : active !== undefined && (
                <>
                  {bar?.(active)}
                  <PanelBoundary name={editorText.editor.theEditor}>
                    <Suspense fallback={null}>
                      <TextPane key={folder} file={active} faults={faults} isTrusted={isTrusted} />
                    </Suspense>
                  </PanelBoundary>
                </>
              )}
        </div>
      )}
      <FileDialogs />
    </div>
  )
}

function iconOf(file: string): IconName {
  if (/^patchbay\.(?:config\.[cm]?[jt]s|json)$/.test(file)) return 'settings'
  return /\.[cm]?[jt]sx?$/.test(file) ? 'script' : 'resource'
}
