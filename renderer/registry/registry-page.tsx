import { useRef } from 'react'
import { Group, Panel, Separator, type PanelImperativeHandle } from 'react-resizable-panels'
import type { RegistryState } from '../../server-core/host/contract/registry.ts'
import frameStyles from '../app/frame.module.css'
import { useNarrow } from '../app/narrow.ts'
import { PanelBoundary } from '../app/panel-boundary.tsx'
import { useSaveSettings, useSettings } from '../app/settings.ts'
import { useKeptFocus } from '../app/use-kept-focus.ts'
import { MockDialogs } from '../mocks/mock-dialogs.tsx'
import { EntriesPanel } from './entries-panel.tsx'
import { Middle } from './middle.tsx'
import { openLine, whenListed } from './open-line.ts'
import styles from './registry.module.css'
import { SidePanel } from './side-panel.tsx'
import { TrustPage } from './trust-page.tsx'
import { useRegistry } from './use-registry.ts'
import { registryText } from './text.ts'

/** Pixels of the columns left and right, and of what is below the editor, as they were designed. */
const DESIGNED = { wide: [412, 324, 214], narrow: [336, 0, 190] } as const

/** The server that Patchbay itself hosts, from inside: entries, their code, what happens, who is connected. */
export default function RegistryPage() {
  const state = useRegistry()
  return (
    <main
      className={styles.page}
      aria-label={registryText.registryPage.registry}
      aria-busy={state === undefined}
    >
      {state !== undefined && <Columns state={state} />}
      <MockDialogs onSaved={(made) => whenListed(({ key }) => key === made, openLine)} />
    </main>
  )
}

function Columns({ state }: { state: RegistryState }) {
  const narrow = useNarrow()
  const mode = narrow ? 'narrow' : 'wide'
  useKeptFocus(mode)
  const settings = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const group = `registry-${mode}`
  const [entries = 0, side = 0, below = 0] = settings[group] ?? DESIGNED[mode]
  const left = useRef<PanelImperativeHandle>(null)
  const right = useRef<PanelImperativeHandle>(null)
  const bottom = useRef<PanelImperativeHandle>(null)

  const remember = (
    _layout: unknown,
    { isUserInteraction }: { readonly isUserInteraction: boolean },
  ): void => {
    if (!isUserInteraction) return
    const size = (panel: PanelImperativeHandle | null, otherwise: number): number =>
      Math.round(panel?.getSize().inPixels ?? otherwise)
    const sizes = [size(left.current, entries), size(right.current, side), size(bottom.current, below)]
    save({ layout: { ...settings, [group]: sizes } })
  }

  return (
    <Group key={mode} orientation="horizontal" className={styles.columns} onLayoutChanged={remember}>
      <Panel
        id="registry-entries"
        panelRef={left}
        defaultSize={entries}
        minSize={240}
        maxSize={720}
        groupResizeBehavior="preserve-pixel-size"
      >
        <section
          className={frameStyles.panel}
          aria-label={registryText.registryPage.entries}
          data-region="entries"
          tabIndex={-1}
        >
          <PanelBoundary name="Entries">
            <EntriesPanel state={state} />
          </PanelBoundary>
        </section>
      </Panel>
      <Separator className={frameStyles.line} aria-label={registryText.registryPage.widthOfEntries} />
      <Panel id="registry-middle" minSize={320}>
        {state.trust === 'asked' ? (
          <section
            className={frameStyles.panel}
            aria-label={registryText.registryPage.editor}
            data-region="editor"
            tabIndex={-1}
          >
            {!state.opening && <TrustPage state={state} />}
          </section>
        ) : (
          <Middle
            state={state}
            hasSide={narrow}
            belowHeight={below}
            belowRef={bottom}
            onHeightChanged={remember}
          />
        )}
      </Panel>
      {!narrow && (
        <>
          <Separator className={frameStyles.line} aria-label={registryText.registryPage.tryWidth} />
          <Panel
            id="registry-side"
            panelRef={right}
            defaultSize={side}
            minSize={240}
            maxSize={640}
            groupResizeBehavior="preserve-pixel-size"
          >
            <aside
              className={frameStyles.panel}
              aria-label={registryText.registryPage.tryConnectedFaults}
              data-region="side"
              tabIndex={-1}
            >
              <PanelBoundary name={registryText.registryPage.tryConnectedFaults}>
                <SidePanel state={state} />
              </PanelBoundary>
            </aside>
          </Panel>
        </>
      )}
    </Group>
  )
}
