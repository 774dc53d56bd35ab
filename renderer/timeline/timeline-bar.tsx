import { DockTitle } from '../app/dock-title.tsx'
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
    api.traffic.clear().catch((error: unknown) => showFailure('The timeline was not cleared', error))
  }

  return (
    <>
      <Bar
        end={
          <>
            <LogLevelMenu onFilter={onFilterChange} />
            <Chip
              pressed={follow}
              title="Keep the newest rows in sight. Off, or with the pointer over the rows, nothing moves."
              onClick={() => onFollowChange(!follow)}
              {...(missed > 0 ? { 'aria-label': `follow, ${counted(missed, 'new row')}` } : {})}
            >
              {missed > 0 ? `${countText(missed)} new ↓` : 'follow'}
            </Chip>
            <Menu
              trigger={<IconButton icon="more" label="Timeline menu" />}
              entries={[
                {
                  type: 'item',
                  label: 'Expand all that is shown',
                  onSelect: () => timeline.setExpanded(shownParents(view), true),
                },
                { type: 'item', label: 'Collapse all', onSelect: () => timeline.collapseAll() },
                { type: 'separator', key: 'clear' },
                {
                  type: 'item',
                  icon: 'trash',
                  label: 'Clear the timeline…',
                  disabled: view.total === 0,
                  onSelect: () => askingToClear.set(true),
                },
              ]}
            />
          </>
        }
      >
        <DockTitle panel="timeline" />
        <TextField
          className={styles.query}
          icon="filter"
          mono
          type="search"
          aria-label="Filter timeline"
          placeholder="method:tools/call dur>500 is:error server:… text"
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
          {isFiltered ? `${countText(view.shown)} of ${countText(view.total)}` : countText(view.total)}
          <span className="vh"> {view.total === 1 ? 'exchange' : 'exchanges'}</span>
        </span>
        {dropped > 0 && (
          <span className="small is-warn clip" title={droppedTitle(droppedOf)}>
            {counted(dropped, 'frame')} dropped
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
        title="Clear the timeline?"
        description={`${counted(view.total, 'exchange')} and their bytes are forgotten. What is still open stays.`}
        confirm="Clear"
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
  return ['Oldest frames dropped to keep within the limits:', ...lines].join('\n')
}

function shownParents(view: TimelineView): readonly string[] {
  return view.places.flatMap((place) => {
    const row = view.rows[place]
    return row !== undefined && view.tree.childrenOf(row.id).length > 0 ? [row.id] : []
  })
}
