import { useVirtualizer } from '@tanstack/react-virtual'
import { useLayoutEffect, useRef } from 'react'
import type { ScriptLogLine } from '../../server-core/host/contract/registry.ts'
import { visibleText } from '../../server-core/protocol/visible-text.ts'
import { LinkButton } from '../controls/button.tsx'
import { classes } from '../controls/classes.ts'
import { SafeText } from '../text/safe-text.tsx'
import styles from './below.module.css'
import { openScript } from './open-line.ts'
import { timeText } from '../text/times.ts'
import { registryText } from './text.ts'

interface LogLinesProps {
  lines: readonly ScriptLogLine[]
  /** Show the script of each line. */
  isOfAll: boolean
}

const ROW_HEIGHT = 20

const TONES: Record<ScriptLogLine['kind'], string> = {
  info: 't2',
  call: 'k-request',
  done: 'k-response',
  error: 'is-error',
  stdout: 't2',
  stderr: 'is-warn',
}

/** The log of a script, or of all. Follows the newest line while its end is visible. */
export function LogLines({ lines, isOfAll }: LogLinesProps) {
  const scroll = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const virtual = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroll.current,
    estimateSize: () => ROW_HEIGHT,
    getItemKey: (index) => lines[index]?.id ?? index,
    overscan: 10,
  })
  const last = lines.at(-1)?.id

  useLayoutEffect(() => {
    if (isAtEnd.current && last !== undefined) virtual.scrollToIndex(lines.length - 1)
  }, [last, lines.length, virtual])

  if (lines.length === 0) {
    return <p className={styles.note}>{registryText.logLines.emptyState}</p>
  }
  return (
    <div
      ref={scroll}
      role="log"
      aria-label={registryText.logLines.logLines}
      tabIndex={0}
      data-panel-focus
      className={styles.lines}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < ROW_HEIGHT
      }}
    >
      <div className={styles.content} style={{ height: virtual.getTotalSize() }}>
        {virtual.getVirtualItems().map((item) => {
          const line = lines[item.index]
          if (line === undefined) return null
          return <LogRow key={item.key} line={line} top={item.start} isOfAll={isOfAll} />
        })}
      </div>
    </div>
  )
}

function LogRow({ line, top, isOfAll }: { line: ScriptLogLine; top: number; isOfAll: boolean }) {
  const { at, file, revision, kind, text, place } = line
  // Who writes the line often names the place in it.
  const isPlaced = place === undefined || text.includes(`${place.file}:${place.line}`)
  const shown = isPlaced ? text : `${place.file}:${place.line}:${place.column} ${text}`
  return (
    <div
      className={classes(styles.logRow, isOfAll && styles.ofAll, kind === 'error' && styles.bad)}
      style={{ transform: `translateY(${top}px)` }}
    >
      <span className={styles.at}>{timeText(at)}</span>
      {isOfAll && (
        <span className={classes(styles.file, 'clip')} title={visibleText(file)}>
          <SafeText>{file}</SafeText>
        </span>
      )}
      <span className={styles.revision}>
        {registryText.logLines.rev} {revision}
      </span>
      <span className={TONES[kind]}>{kind}</span>
      {place === undefined ? (
        <span className="clip" title={visibleText(shown)}>
          <SafeText>{shown}</SafeText>
        </span>
      ) : (
        <LinkButton className="clip" title={visibleText(shown)} onClick={() => openScript(place.file, place)}>
          <SafeText>{shown}</SafeText>
        </LinkButton>
      )}
    </div>
  )
}
