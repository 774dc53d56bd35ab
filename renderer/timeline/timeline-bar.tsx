import { AlertDialog } from '../controls/alert-dialog.tsx'
import { Bar } from '../controls/bar.tsx'
import { Chip } from '../controls/button.tsx'
import { IconButton } from '../controls/icon-button.tsx'
import { Menu } from '../controls/menu.tsx'
import { TextField } from '../controls/text-field.tsx'
import type { TrafficCounts } from '../../server-core/host/contract/traffic.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { showFailure } from '../controls/toast.tsx'
import { api } from '../host/api.ts'
import { useCounts } from '../host/live.ts'
import { useObservable } from '../state/observable.ts'
import { counted, countText } from '../text/measures.ts'
import { askingToClear } from './ask-to-clear.ts'
import { LogLevelMenu } from './log-level-menu.tsx'
import { timeline } from './selection.ts'
import type { TimelineView } from './timeline-model.ts'
import styles from './timeline.module.css'
import { timelineText } from './text.ts'

interface TimelineBarProps {
  view: TimelineView
  filterText: string
  /** Why the filter cannot be read. */
  problem: string | undefined
  onFilterChange: (text: string) => void
  follow: boolean
  /** Rows that came since it does not follow. */
  missed: number
  onFollowChange: (follow: boolean) => void
}

/** Title, filter, counts, "follow" and what can be done with the whole timeline. */
export function TimelineBar(props: TimelineBarProps) {
  const { view, filterText, problem, onFilterChange, follow, missed, onFollowChange } = props
  const asking = useObservable(askingToClear)
  const { dropped, droppedOf } = useCounts()
  const isFiltered = view.terms.length > 0

  const clear = (): void => {
    api.traffic.clear().catch((error: unknown) => showFailure(timelineText.timelineBar.clearFailed, error))
  }

  return (
    <>
      <Bar
        end={
          <>
            <LogLevelMenu onFilter={onFilterChange} />
            <Chip
              pressed={follow}
              title={timelineText.timelineBar.followTitle}
              onClick={() => onFollowChange(!follow)}
              {...(missed > 0 ? { 'aria-label': `follow, ${counted(missed, 'new row')}` } : {})}
            >
              {missed > 0
                ? timelineText.timelineBar.newText(countText(missed))
                : timelineText.timelineBar.follow}
            </Chip>
            <Menu
              trigger={<IconButton icon="more" label={timelineText.timelineBar.timelineMenu} />}
              entries={[
                {
                  type: 'item',
                  label: timelineText.timelineBar.expandAll,
                  onSelect: () => timeline.setExpanded(shownParents(view), true),
                },
                {
                  type: 'item',
                  label: timelineText.timelineBar.collapseAll,
                  onSelect: () => timeline.collapseAll(),
                },
                { type: 'separator', key: 'clear' },
                {
                  type: 'item',
                  icon: 'trash',
                  label: timelineText.timelineBar.clearTimeline,
                  disabled: view.total === 0,
                  onSelect: () => askingToClear.set(true),
                },
              ]}
            />
          </>
        }
      >
        <h2>{timelineText.timelineBar.timeline}</h2>
        <TextField
          className={styles.query}
          icon="filter"
          mono
          type="search"
          aria-label={timelineText.timelineBar.filterTimeline}
          placeholder={timelineText.timelineBar.filterPlaceholder}
          value={filterText}
          onValueChange={onFilterChange}
          invalid={problem !== undefined}
          {...(problem === undefined ? {} : { 'aria-describedby': 'timeline-filter-problem' })}
          onKeyDown={(event) => {
            if (event.key !== 'Escape' || filterText === '') return
            event.preventDefault()
            onFilterChange('')
          }}
        />
        <span className="small t3" role="status">
          {isFiltered
            ? timelineText.timelineBar.ofText(countText(view.shown), countText(view.total))
            : countText(view.total)}
          <span className="vh">
            {' '}
            {view.total === 1 ? timelineText.timelineBar.exchange : timelineText.timelineBar.exchanges}
          </span>
        </span>
        {dropped > 0 && (
          <span className="small is-warn clip" title={droppedTitle(droppedOf)}>
            {counted(dropped, 'frame')} {timelineText.timelineBar.dropped}
          </span>
        )}
      </Bar>
      {problem !== undefined && (
        <p id="timeline-filter-problem" className={styles.problem} role="alert">
          {problem}
        </p>
      )}
      <AlertDialog
        open={asking}
        onOpenChange={(open) => askingToClear.set(open)}
        title={timelineText.timelineBar.clearQuestion}
        description={timelineText.timelineBar.clearDetail(counted(view.total, 'exchange'))}
        confirm={timelineText.timelineBar.clear}
        danger
        onConfirm={clear}
      />
    </>
  )
}

/** Which servers lost frames. */
function droppedTitle(droppedOf: TrafficCounts['droppedOf']): string {
  const lines = (droppedOf ?? []).map(
    ({ serverName, side, dropped }) =>
      `${visibleText(serverName)}${side === 'server' ? ' (as a server)' : ''}: ${countText(dropped)}`,
  )
  return [timelineText.timelineBar.droppedFrames, ...lines].join('\n')
}

function shownParents(view: TimelineView): readonly string[] {
  return view.places.flatMap((place) => {
    const row = view.rows[place]
    return row !== undefined && view.tree.childrenOf(row.id).length > 0 ? [row.id] : []
  })
}
