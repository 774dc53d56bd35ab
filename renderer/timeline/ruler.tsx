import type { RefObject } from 'react'
import { classes } from '../controls/classes.ts'
import { TICKS, tickLabels, windowName, type TimeWindow } from './time-window.ts'
import styles from './timeline.module.css'
import { timelineText } from './text.ts'

interface RulerProps {
  window: TimeWindow
  plotRef: RefObject<HTMLSpanElement | null>
}

/** The header: names of the columns, and over the waterfall its ruler. */
export function Ruler({ window, plotRef }: RulerProps) {
  return (
    <div role="rowgroup" className={styles.head}>
      <div role="row" aria-rowindex={1} className={classes(styles.cells, styles.headRow)}>
        <span role="columnheader" className={styles.headTime}>
          {timelineText.ruler.time}
        </span>
        <span role="columnheader" className={styles.headExchange}>
          {timelineText.ruler.exchange}
        </span>
        <span role="columnheader">{timelineText.ruler.server}</span>
        <span role="columnheader" className={styles.headResult}>
          {timelineText.ruler.result}
        </span>
        <span
          ref={plotRef}
          role="columnheader"
          className={styles.plot}
          aria-label={timelineText.ruler.waterfall(windowName(window))}
        >
          {tickLabels(window).map((label, index) => (
            <span key={label} className={styles.tick} style={{ left: `${(index / TICKS) * 100}%` }}>
              {label}
            </span>
          ))}
        </span>
      </div>
    </div>
  )
}
