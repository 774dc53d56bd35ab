import { useEffect, useRef, type ReactNode } from 'react'
import { Cell, Grid, Gridline, useGridRef } from 'react-resizable-panels'
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
  side: labelled(appText.layout.widthOfExplorer),
  servers: labelled(appText.layout.heightOfServers),
  timeline: labelled(appText.layout.heightOfTimeline),
}

/** Pixels of the servers in a narrow window. */
const RAIL = 44

interface LayoutProps {
  mode: LayoutMode
  /** The timeline shows the frames of a row, and needs room for them. */
  showsFrames: boolean
  servers: ReactNode
  explorer: ReactNode
  workbench: ReactNode
  timeline: ReactNode
}

/**
 * Servers over the explorer on the left, the workbench over the timeline on the right. In a narrow window the servers are
 * a rail beside the explorer. Sizes are kept in the settings, in pixels.
 */
export function Layout({ mode, showsFrames, servers, explorer, workbench, timeline }: LayoutProps) {
  const layout = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const grid = useGridRef()
  const sizes = savedSizes(mode, layout)
  const isNarrow = mode === 'narrow'
  const timelineSize = showsFrames ? sizes.frames : sizes.timeline
  const shown = useRef({ mode, showsFrames })

  useEffect(() => {
    const before = shown.current
    shown.current = { mode, showsFrames }
    if (before.mode !== mode) {
      grid.current?.getTrackById('column', 'rail').resize(isNarrow ? RAIL : 0)
      grid.current?.getTrackById('column', 'side').resize(sizes.side)
      grid.current?.getTrackById('row', 'servers').resize(sizes.servers)
    }
    if (before.mode !== mode || before.showsFrames !== showsFrames)
      grid.current?.getTrackById('row', 'timeline').resize(timelineSize)
  })

  const track = (axis: 'column' | 'row', id: string): number =>
    grid.current?.getTrackById(axis, id).getSize().inPixels ?? 0

  const remember = (): void => {
    const height = track('row', 'timeline')
    save({
      layout: withSizes(layout, mode, {
        side: track('column', 'side'),
        servers: isNarrow ? sizes.servers : track('row', 'servers'),
        timeline: showsFrames ? sizes.timeline : height,
        frames: showsFrames ? height : sizes.frames,
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
          id: 'rail',
          defaultSize: isNarrow ? RAIL : 0,
          minSize: isNarrow ? RAIL : 0,
          maxSize: isNarrow ? RAIL : 0,
          groupResizeBehavior: 'preserve-pixel-size',
        },
        {
          id: 'side',
          defaultSize: sizes.side,
          minSize: smallest.side,
          maxSize: largest.side,
          groupResizeBehavior: 'preserve-pixel-size',
        },
        { id: 'main', minSize: 320 },
      ]}
      rows={[
        {
          id: 'servers',
          defaultSize: sizes.servers,
          minSize: smallest.servers,
          groupResizeBehavior: 'preserve-pixel-size',
        },
        { id: 'upper', minSize: 60 },
        {
          id: 'timeline',
          defaultSize: timelineSize,
          minSize: smallest.timeline,
          groupResizeBehavior: 'preserve-pixel-size',
        },
      ]}
    >
      <Cell id="cell-servers" column={isNarrow ? 0 : 1} row={0} rowSpan={isNarrow ? 3 : 1}>
        {servers}
      </Cell>
      {isNarrow ? (
        <Gridline type="column" column={1} row={0} rowSpan={3} disabled className={styles.line} />
      ) : (
        <Gridline
          type="row"
          row={1}
          column={1}
          columnSpan={1}
          className={styles.line}
          elementRef={named.servers}
        />
      )}
      <Cell id="cell-explorer" column={1} row={isNarrow ? 0 : 1} rowSpan={isNarrow ? 3 : 2}>
        {explorer}
      </Cell>
      <Gridline
        type="column"
        column={2}
        row={0}
        rowSpan={3}
        className={styles.line}
        elementRef={named.side}
      />
      <Cell id="cell-workbench" column={2} row={0} rowSpan={2}>
        {workbench}
      </Cell>
      <Gridline
        type="row"
        row={2}
        column={2}
        columnSpan={1}
        className={styles.line}
        elementRef={named.timeline}
      />
      <Cell id="cell-timeline" column={2} row={2}>
        {timeline}
      </Cell>
    </Grid>
  )
}
