import { lazy, Suspense, useMemo, type Ref } from 'react'
import { Group, Panel, Separator, type PanelImperativeHandle } from 'react-resizable-panels'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import frameStyles from '../app/frame.module.css'
import { PanelBoundary } from '../app/panel-boundary.tsx'
import type { ScriptFault } from '../editor/editor-props.ts'
import { useOpenFiles } from '../editor/open-files.ts'
import { BelowPanel } from './below-panel.tsx'
import { faultWords } from './fault-words.ts'
import { NothingOpen } from './nothing-open.tsx'
import { NewMenu } from './new-menu.tsx'
import styles from './registry.module.css'
import { showFiles, useRegistryPages } from './registry-view.ts'
import { RevisionBar } from './revision-bar.tsx'
import { usePages } from './use-pages.tsx'
import { useSelectedEntry } from './use-registry.ts'
import { registryText } from './text.ts'

/** The editor and its languages load when the registry is first shown. */
const Editor = lazy(() => import('../editor/editor.tsx'))

interface MiddleProps {
  state: RegistryState
  /** There is no space right of the middle: that column is a tab of it. */
  hasSide: boolean
  /** Pixels. */
  belowHeight: number
  belowRef: Ref<PanelImperativeHandle>
  onHeightChanged: (layout: unknown, meta: { readonly isUserInteraction: boolean }) => void
}

const bar = (file: string) => <RevisionBar file={file} />

/** The open files and pages above the log, problems and reloads. */
export function Middle({ state, hasSide, belowHeight, belowRef, onHeightChanged }: MiddleProps) {
  const { active } = useOpenFiles()
  const { front } = useRegistryPages()
  const selected = useSelectedEntry()
  const pages = usePages(state, hasSide)
  const faults = useMemo(() => faultsOf(state), [state])
  const file = front === undefined ? active : front.kind === 'compare' ? front.file : selected?.origin.file

  return (
    <Group orientation="vertical" className={styles.rows} onLayoutChanged={onHeightChanged}>
      <Panel id="registry-editor" minSize={120}>
        <section
          className={frameStyles.panel}
          aria-label={registryText.middle.editor}
          data-region="editor"
          tabIndex={-1}
        >
          <PanelBoundary name="Editor">
            <Suspense fallback={<div className={styles.whole} aria-busy="true" />}>
              <Editor
                workspace={{ folder: state.workspace.folder, isTrusted: state.trust === 'trusted' }}
                bar={bar}
                faults={faults}
                pages={pages}
                onFile={showFiles}
                tabsEnd={<NewMenu />}
                empty={<NothingOpen state={state} />}
              />
            </Suspense>
          </PanelBoundary>
        </section>
      </Panel>
      <Separator className={frameStyles.line} aria-label={registryText.middle.logHeight} />
      <Panel
        id="registry-below"
        panelRef={belowRef}
        defaultSize={belowHeight}
        minSize={80}
        groupResizeBehavior="preserve-pixel-size"
      >
        <section
          className={frameStyles.panel}
          aria-label={registryText.middle.scriptLog}
          data-region="script log"
          tabIndex={-1}
        >
          <PanelBoundary name={registryText.middle.scriptLog}>
            <BelowPanel state={state} file={file} />
          </PanelBoundary>
        </section>
      </Panel>
    </Group>
  )
}

/** Load errors at their positions. */
function faultsOf({ scripts }: RegistryState): readonly ScriptFault[] {
  return scripts.flatMap(({ error }) =>
    error?.at === undefined
      ? []
      : [
          {
            file: error.at.file,
            line: error.at.line,
            column: error.at.column,
            message: error.message,
            kind: faultWords(error.code),
          },
        ],
  )
}
