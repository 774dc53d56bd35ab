import { Group, Panel, Separator, usePanelRef } from 'react-resizable-panels'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { useSaveSettings, useSettings } from '../app/settings.ts'
import { EmptyState } from '../controls/empty-state.tsx'
import { useObservable } from '../state/observable.ts'
import { FrameView } from './frame-view.tsx'
import { NoMatch } from './no-match.tsx'
import { olderRows } from './older-rows.ts'
import { rowsSince } from './rows-since.ts'
import { following, framesOpen, liveTimeline, selectedExchange, timeline } from './selection.ts'
import { useRowMenu } from './use-row-menu.tsx'
import { TimelineBar } from './timeline-bar.tsx'
import { TimelineGrid } from './timeline-grid.tsx'
import styles from './timeline.module.css'
import { changeFilter, typedFilter } from './typed-filter.ts'
import { timelineText } from './text.ts'

const FRAMES_HEIGHT = 190

const loadOlder = (): void => void olderRows.load()
const recordingOf = (row: Exchange): string | undefined => olderRows.recordingOf(row.id)

/**
 * What passed between Patchbay and every server: one row per exchange in time, nested, filtered, with a waterfall;
 * below it the frames of the selected row, byte for byte.
 */
export function Timeline() {
  const { text: filterText, problem } = useObservable(typedFilter)
  const now = useObservable(following.state)
  const view = useObservable(timeline.view)
  const layout = useSettings()?.layout ?? {}
  const save = useSaveSettings()
  const frames = usePanelRef()
  const { openMenu, menu } = useRowMenu(liveTimeline, recordingOf)
  const selectedId = useObservable(selectedExchange)
  const isOpen = useObservable(framesOpen)
  const selected = selectedId === undefined ? undefined : view.rows[view.tree.placeOf(selectedId) ?? -1]

  const rememberHeight = (): void => {
    const height = frames.current?.getSize().inPixels
    if (height !== undefined) save({ layout: { ...layout, 'frame-view': [Math.round(height)] } })
  }

  return (
    <>
      <TimelineBar
        view={view}
        filterText={filterText}
        problem={problem}
        onFilterChange={changeFilter}
        follow={now.follow}
        missed={now.follow ? 0 : rowsSince(view, now.lastSeen)}
        onFollowChange={following.setFollow}
      />
      <Group
        id="timeline-frames"
        orientation="vertical"
        className={styles.split}
        onLayoutChanged={(_layout, { isUserInteraction }) => {
          if (isUserInteraction) rememberHeight()
        }}
      >
        <Panel id="timeline-list" minSize={74} className={styles.list}>
          {view.total === 0 && (
            <EmptyState title={timelineText.timeline.noMessagesYet}>
              {timelineText.timeline.emptyStateDetail}
            </EmptyState>
          )}
          {view.total > 0 && view.shown === 0 && <NoMatch view={view} onChange={changeFilter} />}
          {view.shown > 0 && (
            <TimelineGrid view={view} follow={now.follow} onTop={loadOlder} onMenu={openMenu} />
          )}
        </Panel>
        {selected !== undefined && isOpen && (
          <>
            <Separator className={styles.line} aria-label={timelineText.timeline.heightOfFrames} />
            <Panel
              id="timeline-frame-view"
              className={styles.list}
              panelRef={frames}
              defaultSize={layout['frame-view']?.[0] ?? FRAMES_HEIGHT}
              minSize={90}
              groupResizeBehavior="preserve-pixel-size"
            >
              <FrameView
                key={selected.id}
                exchange={selected}
                recording={olderRows.recordingOf(selected.id)}
                onClose={following.closeFrames}
              />
            </Panel>
          </>
        )}
      </Group>
      {menu}
    </>
  )
}
