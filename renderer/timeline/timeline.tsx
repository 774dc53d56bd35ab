import { useState, type ReactNode } from 'react'
import { Group, Panel, Separator } from 'react-resizable-panels'
import { useSaveSettings, useSettings } from '../app/settings.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { useObservable } from '../state/observable.ts'
import { readFilter } from './filter.ts'
import { FrameView } from './frame-view.tsx'
import { NoMatch } from './no-match.tsx'
import { framesOpen, selectedExchange, timeline } from './selection.ts'
import { TimelineBar } from './timeline-bar.tsx'
import { TimelineGrid } from './timeline-grid.tsx'
import styles from './timeline.module.css'

const FRAME_VIEW_HEIGHT = 190

/**
 * What passed between Patchbay and every server: one row per exchange in time, nested, filtered, with a waterfall;
 * below it the frames of the selected row, byte for byte.
 */
export function Timeline() {
  const [filterText, setFilterText] = useState('')
  const [problem, setProblem] = useState<string | undefined>(undefined)
  const [follow, setFollow] = useState(true)
  const view = useObservable(timeline.view)
  const selectedId = useObservable(selectedExchange)
  const isOpen = useObservable(framesOpen)
  const selected = selectedId === undefined ? undefined : view.rows[view.tree.placeOf(selectedId) ?? -1]

  const changeFilter = (text: string): void => {
    setFilterText(text)
    const read = readFilter(text, Date.now())
    setProblem(read.ok ? undefined : read.problem)
    if (read.ok) timeline.filter(read.terms)
  }

  const list = (
    <>
      {view.total === 0 && (
        <EmptyState title="Nothing has passed yet">
          Connect a server: every message, HTTP head and line of standard error appears here as it passes.
        </EmptyState>
      )}
      {view.total > 0 && view.shown === 0 && (
        <NoMatch view={view} text={filterText} onChange={changeFilter} />
      )}
      {view.shown > 0 && <TimelineGrid view={view} follow={follow} onFollowChange={setFollow} />}
    </>
  )

  return (
    <>
      <TimelineBar
        view={view}
        filterText={filterText}
        problem={problem}
        onFilterChange={changeFilter}
        follow={follow}
        onFollowChange={setFollow}
      />
      {selected !== undefined && isOpen ? (
        <WithFrames list={list}>
          <FrameView key={selected.id} exchange={selected} onClose={() => framesOpen.set(false)} />
        </WithFrames>
      ) : (
        <div className={styles.list}>{list}</div>
      )}
    </>
  )
}

/** The list over the frames; the height of the frames is kept in the settings. */
function WithFrames({ list, children }: { list: ReactNode; children: ReactNode }) {
  const layout = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const height = layout['frame-view']?.[0] ?? FRAME_VIEW_HEIGHT

  return (
    <Group id="timeline-frames" orientation="vertical" className={styles.split}>
      <Panel id="timeline-list" minSize={74} className={styles.list}>
        {list}
      </Panel>
      <Separator className={styles.line} aria-label="Height of frames" />
      <Panel
        id="timeline-frame-view"
        className={styles.list}
        defaultSize={height}
        minSize={90}
        groupResizeBehavior="preserve-pixel-size"
        onResize={({ inPixels }, _id, previous) => {
          if (previous === undefined || Math.abs(previous.inPixels - inPixels) < 1) return
          save({ layout: { ...layout, 'frame-view': [Math.round(inPixels)] } })
        }}
      >
        {children}
      </Panel>
    </Group>
  )
}
