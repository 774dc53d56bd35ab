import { useRef, type ReactNode } from 'react'
import { Group, Panel, Separator, type PanelImperativeHandle } from 'react-resizable-panels'
import frameStyles from '../app/frame.module.css'
import { useNarrow } from '../app/narrow.ts'
import { PanelBoundary } from '../app/panel-boundary.tsx'
import { useSaveSettings, useSettings } from '../app/settings.ts'
import { useKeptFocus } from '../app/use-kept-focus.ts'
import styles from './conformance.module.css'
import { conformanceText } from './text.ts'

const { page: text } = conformanceText

/** Pixels of the columns left and right (wide), or of the left column and the check below (narrow). */
const DESIGNED = { wide: [232, 476], narrow: [204, 240] } as const

interface ColumnsProps {
  left: ReactNode
  middle: ReactNode
  /** Undefined: there is nothing to open. */
  detail: ReactNode | undefined
}

/** Run, checks and opened check side by side; in a narrow window the check is below the list. Sizes are kept. */
export function Columns({ left, middle, detail }: ColumnsProps) {
  const narrow = useNarrow()
  const mode = narrow ? 'narrow' : 'wide'
  useKeptFocus(mode)
  const settings = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const group = `conformance-${mode}`
  const [leftSize = 0, detailSize = 0] = settings[group] ?? DESIGNED[mode]
  const leftPanel = useRef<PanelImperativeHandle>(null)
  const detailPanel = useRef<PanelImperativeHandle>(null)
  const remember = (
    _layout: unknown,
    { isUserInteraction }: { readonly isUserInteraction: boolean },
  ): void => {
    if (!isUserInteraction) return
    const size = (panel: PanelImperativeHandle | null, otherwise: number): number =>
      Math.round(panel?.getSize().inPixels ?? otherwise)
    const sizes = [size(leftPanel.current, leftSize), size(detailPanel.current, detailSize)]
    save({ layout: { ...settings, [group]: sizes } })
  }

  const checks = (
    <section className={frameStyles.panel} aria-label={text.checksPanel} data-region="checks" tabIndex={-1}>
      <PanelBoundary name={text.checksPanel}>{middle}</PanelBoundary>
    </section>
  )
  const check = (
    <Panel
      id="conformance-check"
      panelRef={detailPanel}
      defaultSize={detailSize}
      minSize={narrow ? 120 : 280}
      groupResizeBehavior="preserve-pixel-size"
    >
      <aside className={frameStyles.panel} aria-label={text.detailPanel} data-region="check" tabIndex={-1}>
        <PanelBoundary name={text.detailPanel}>{detail}</PanelBoundary>
      </aside>
    </Panel>
  )

  return (
    <Group
      key={`${mode} ${detail === undefined}`}
      orientation="horizontal"
      className={styles.columns}
      onLayoutChanged={remember}
    >
      <Panel
        id="conformance-run"
        panelRef={leftPanel}
        defaultSize={leftSize}
        minSize={180}
        maxSize={420}
        groupResizeBehavior="preserve-pixel-size"
      >
        <nav className={frameStyles.rail} aria-label={text.runPanel} data-region="run" tabIndex={-1}>
          <PanelBoundary name={text.runPanel}>{left}</PanelBoundary>
        </nav>
      </Panel>
      <Separator className={frameStyles.line} aria-label={text.widthOfRun} />
      {detail === undefined ? (
        <Panel id="conformance-checks" minSize={320}>
          {checks}
        </Panel>
      ) : narrow ? (
        <Panel id="conformance-right" minSize={320}>
          <Group orientation="vertical" className={styles.rows} onLayoutChanged={remember}>
            <Panel id="conformance-checks" minSize={160}>
              {checks}
            </Panel>
            <Separator className={frameStyles.line} aria-label={text.heightOfCheck} />
            {check}
          </Group>
        </Panel>
      ) : (
        <>
          <Panel id="conformance-checks" minSize={320}>
            {checks}
          </Panel>
          <Separator className={frameStyles.line} aria-label={text.widthOfCheck} />
          {check}
        </>
      )}
    </Group>
  )
}
