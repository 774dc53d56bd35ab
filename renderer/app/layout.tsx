import { useEffect, useRef, type ReactNode } from 'react'
import { Cell, Grid, Gridline, useGridRef } from 'react-resizable-panels'
import type { DockPanel } from './dock.ts'
import styles from './frame.module.css'
import { largest, savedSizes, smallest, withSizes, type LayoutMode } from './layout-sizes.ts'
import { useSaveSettings, useSettings } from './settings.ts'
import { appText } from './text.ts'

/** A gridline takes no label, so its element is given one. */
const labelled =
  (label: string) =>
  (element: HTMLDivElement | null): void =>
    element?.setAttribute('aria-label', label)

const named = {
  'Width of servers': labelled(appText.layout.widthOfServers),
  'Width of explorer': labelled(appText.layout.widthOfExplorer),
  'Height of timeline': labelled(appText.layout.heightOfTimeline),
}

interface LayoutProps {
  mode: LayoutMode
  dock: DockPanel
  servers: ReactNode
  explorer: ReactNode
  workbench: ReactNode
  timeline: ReactNode
  inbox: ReactNode
}

/**
 * One cross of hairlines: servers and explorer over the inbox on the left, workbench over timeline on the right. In a
 * narrow window the rail is 44 px, and timeline and inbox share the place under everything: `dock` is the one that is
 * shown there. Sizes are kept in the settings, in pixels.
 */
export function Layout({ mode, dock, servers, explorer, workbench, timeline, inbox }: LayoutProps) {
  const layout = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const grid = useGridRef()
  const sizes = savedSizes(mode, layout)
  const narrow = mode === 'narrow'
  const shownMode = useRef(mode)

  useEffect(() => {
    if (shownMode.current === mode) return
    shownMode.current = mode
    grid.current?.getTrackById('column', 'servers').resize(sizes.servers)
    grid.current?.getTrackById('column', 'explorer').resize(sizes.explorer)
    grid.current?.getTrackById('row', 'timeline').resize(sizes.timeline)
  })

  const track = (axis: 'column' | 'row', id: string): number =>
    grid.current?.getTrackById(axis, id).getSize().inPixels ?? 0

  const remember = (): void => {
    save({
      layout: withSizes(layout, mode, {
        servers: track('column', 'servers'),
        explorer: track('column', 'explorer'),
        timeline: track('row', 'timeline'),
      }),
    })
  }

  return (
    <Grid
      id="frame"
      role="main"
      aria-label={appText.layout.inspector}
      className={styles.grid}
      gridRef={grid}
      onLayoutChanged={(_layout, { isUserInteraction }) => {
        if (isUserInteraction) remember()
      }}
      columns={[
        {
          id: 'servers',
          defaultSize: sizes.servers,
          minSize: narrow ? 44 : smallest.servers,
          maxSize: narrow ? 44 : largest.servers,
          groupResizeBehavior: 'preserve-pixel-size',
        },
        {
          id: 'explorer',
          defaultSize: sizes.explorer,
          minSize: smallest.explorer,
          maxSize: largest.explorer,
          groupResizeBehavior: 'preserve-pixel-size',
        },
        { id: 'main', minSize: 320 },
      ]}
      rows={[
        { id: 'upper', minSize: 120 },
        {
          id: 'timeline',
          defaultSize: sizes.timeline,
          minSize: smallest.timeline,
          groupResizeBehavior: 'preserve-pixel-size',
        },
      ]}
    >
      <Cell id="cell-servers" column={0} row={0}>
        {servers}
      </Cell>
      <Gridline
        type="column"
        column={1}
        row={0}
        rowSpan={1}
        disabled={narrow}
        className={styles.line}
        elementRef={named['Width of servers']}
      />
      <Cell id="cell-explorer" column={1} row={0}>
        {explorer}
      </Cell>
      <Gridline
        type="column"
        column={2}
        row={0}
        rowSpan={narrow ? 1 : 2}
        className={styles.line}
        elementRef={named['Width of explorer']}
      />
      <Cell id="cell-workbench" column={2} row={0}>
        {workbench}
      </Cell>
      <Gridline
        type="row"
        row={1}
        column={0}
        columnSpan={3}
        className={styles.line}
        elementRef={named['Height of timeline']}
      />
      {!narrow && (
        <Cell id="cell-inbox" column={0} columnSpan={2} row={1}>
          {inbox}
        </Cell>
      )}
      <Cell id="cell-timeline" column={narrow ? 0 : 2} columnSpan={narrow ? 3 : 1} row={1}>
        {narrow && dock === 'inbox' ? inbox : timeline}
      </Cell>
    </Grid>
  )
}
