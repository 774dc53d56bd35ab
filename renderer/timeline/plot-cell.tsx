import type { CSSProperties } from 'react'
import type { Exchange } from '../../server-core/host/contract/traffic.ts'
import { classes } from '../controls/classes.ts'
import { Icon } from '../controls/icon.tsx'
import { plotOf } from './bars.ts'
import { endMarkOf, noteOf } from './row-facts.ts'
import type { TimeWindow } from './time-window.ts'
import styles from './timeline.module.css'

interface PlotCellProps {
  row: Exchange
  window: TimeWindow
  /** Pixels of the plot. */
  width: number
  now: number
}

/** The row's place in the waterfall. Everything it shows is in words in the other cells or in its note. */
export function PlotCell({ row, window, width, now }: PlotCellProps) {
  const note = noteOf(row)
  const plot = plotOf(row, window, now, width, note)
  const mark = endMarkOf(row)
  return (
    <span role="gridcell" aria-colindex={5} className={classes(styles.plot, barTone(row))}>
      {note !== '' && <span className="vh">{note}</span>}
      <span className={styles.lines} aria-hidden="true" title={note}>
        {plot.pieces.map((piece) => (
          <span
            key={`${piece.left} ${String(piece.hollow)}`}
            className={classes(styles.bar, piece.hollow && styles.hollow, piece.open && styles.open)}
            style={{ left: share(piece.left), width: share(piece.width) }}
          />
        ))}
        {plot.ticks.map((tick, index) => (
          <span key={index} className={styles.instant} style={{ left: share(tick) }} />
        ))}
        {plot.mark !== undefined && (
          <span className={classes(styles.mark, mark.tone)} style={{ left: share(plot.mark) }}>
            <Icon name={mark.icon} />
          </span>
        )}
        {plot.labels.map((label) => (
          <span
            key={`${label.place} ${label.left}`}
            className={classes(styles.note, styles[label.place])}
            style={{ left: share(label.left), width: share(label.width) }}
          >
            {label.text}
          </span>
        ))}
      </span>
    </span>
  )
}

function barTone(row: Exchange): string | undefined {
  if (row.kind === 'http') return styles.http
  return row.direction === 'received' ? styles.asked : undefined
}

function share(value: number): CSSProperties['left'] {
  return `${value * 100}%`
}
