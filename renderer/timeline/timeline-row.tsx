import { memo } from 'react'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { markOf, methodText, resultOf } from './row-facts.ts'
import { MiddleClip } from '../text/middle-clip.tsx'
import { PlotCell } from './plot-cell.tsx'
import { dayText, timeText } from '../text/times.ts'
import type { TimeWindow } from './time-window.ts'
import styles from './timeline.module.css'
import { timelineText } from './text.ts'

interface TimelineRowProps {
  id: string
  row: Exchange
  index: number
  /** Pixels from the top of all rows. */
  top: number
  depth: number
  /** The last one inside its exchange. */
  isLast: boolean
  /** Undefined if nothing stands inside. */
  expanded: boolean | undefined
  selected: boolean
  window: TimeWindow
  plotWidth: number
  /** The present time for an open row; 0 for others, which do not change with it. */
  now: number
}

/** One exchange: when, what, with whom, how it ended, and its bar. A row inside another leaves out the server. */
export const TimelineRow = memo(function TimelineRow(props: TimelineRowProps) {
  const { id, row, index, top, depth, isLast, expanded, selected, window, plotWidth, now } = props
  const mark = markOf(row)
  const result = resultOf(row, now)
  const method = methodText(row)
  return (
    <div
      id={id}
      role="row"
      data-index={index}
      aria-rowindex={index + 2}
      aria-level={depth + 1}
      aria-selected={selected}
      {...(expanded === undefined ? {} : { 'aria-expanded': expanded })}
      className={classes(
        styles.cells,
        styles.row,
        depth > 0 && styles.child,
        isLast && styles.last,
        row.earlierRun === true && styles.earlier,
        selected && styles.selected,
      )}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span
        role="gridcell"
        aria-colindex={1}
        className={styles.time}
        title={
          row.earlierRun === true ? timelineText.timelineRow.earlierRun(dayText(row.startedAt)) : undefined
        }
      >
        {timeText(row.startedAt)}
        {row.earlierRun === true && <span className="vh"> {timelineText.timelineRow.ofAnEarlierRun}</span>}
      </span>
      <span
        role="gridcell"
        aria-colindex={2}
        {...(depth > 0 ? { 'aria-colspan': 2 } : {})}
        className={styles.exchange}
        style={{ paddingLeft: depth * 18 }}
        title={`${row.method} ${row.label}`}
      >
        <span className={styles.twisty} {...(expanded === undefined ? {} : { 'data-twisty': '' })}>
          {expanded !== undefined && <Icon name={expanded ? 'chev-d' : 'chev-r'} />}
        </span>
        <span className={mark.tone}>
          <Icon name={mark.icon} />
          <span className="vh">{mark.name}</span>
        </span>
        <span className={styles.method}>{method}</span>
        {row.faults !== undefined && (
          <span className="is-warn" title={timelineText.timelineRow.fault(row.faults.join('; '))}>
            <Icon name="fault" />
            <span className="vh">
              {timelineText.timelineRow.hitByAFault} {row.faults.join('; ')}
            </span>
          </span>
        )}
        <span className={classes(styles.label, 'clip')}>{row.label}</span>
      </span>
      {depth === 0 && (
        <span role="gridcell" aria-colindex={3} className={styles.server} title={row.serverName}>
          <MiddleClip>{row.serverName}</MiddleClip>
        </span>
      )}
      <span role="gridcell" aria-colindex={4} className={styles.result}>
        {result.verdict !== '' && <span className={result.tone}>{result.verdict}</span>}
        {result.tick && (
          <span className="t3">
            <Icon name="check" />
            <span className="vh">{timelineText.timelineRow.ok}</span>
          </span>
        )}
        {result.measure}
      </span>
      <PlotCell row={row} window={window} width={plotWidth} now={now} />
    </div>
  )
})
