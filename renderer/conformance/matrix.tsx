import type { KeyboardEvent } from 'react'
import type { CellState, RunView } from '../../server-core/host/contract/conformance.ts'
import { Icon } from '../controls/icon.tsx'
import styles from './matrix.module.css'
import { countsOf, isFailure, statusesOf } from './status-look.ts'
import { conformanceText } from './text.ts'
import { cellKey, type CellName } from './view-state.ts'

const { matrix: text } = conformanceText
const REVISIONS = ['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'] as const
const TRANSPORTS = ['stdio', 'http', 'sse', 'websocket'] as const

interface MatrixProps {
  run: RunView
  selected: CellName | undefined
  onSelect: (cell: CellName) => void
}

/** What each revision on each transport came to. Arrow keys walk the cells. */
export function Matrix({ run, selected, onSelect }: MatrixProps) {
  const { cells, unsupported } = run
  const known = [...cells, ...unsupported]
  const revisions = REVISIONS.filter((revision) => known.some((cell) => cell.revision === revision))
  const transports = TRANSPORTS.filter((transport) => known.some((cell) => cell.transport === transport))
  const cellAt = (revision: string, transport: string): CellState | undefined =>
    cells.find((cell) => cell.revision === revision && cell.transport === transport)

  const walk = (event: KeyboardEvent, { revision, transport }: CellName): void => {
    const [down, right] = STEPS[event.key] ?? [0, 0]
    if (down === 0 && right === 0) return
    event.preventDefault()
    let [row, column] = [revisions.indexOf(revision), transports.indexOf(transport)]
    for (;;) {
      row += down
      column += right
      const [nextRevision, nextTransport] = [revisions[row], transports[column]]
      if (nextRevision === undefined || nextTransport === undefined) return
      const next = cellAt(nextRevision, nextTransport)
      if (next === undefined) continue
      onSelect(next)
      document.getElementById(elementId(next))?.focus()
      return
    }
  }

  return (
    <table className={styles.matrix} role="grid" aria-label={text.matrix}>
      <thead>
        <tr>
          <th scope="col">
            <span className="vh">{text.revision}</span>
          </th>
          {transports.map((transport) => (
            <th key={transport} scope="col">
              {text.transports[transport]}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {revisions.map((revision) => (
          <tr key={revision}>
            <th scope="row">
              {revision}
              <span className="t3">{text.kinds[revision]}</span>
            </th>
            {transports.map((transport) => {
              const cell = cellAt(revision, transport)
              if (cell === undefined) {
                const why = unsupported.find(
                  (each) => each.revision === revision && each.transport === transport,
                )?.reason
                return (
                  <td key={transport} role="gridcell" className={styles.none} title={why}>
                    {why === undefined ? text.notInRevision : text.notSupported}
                  </td>
                )
              }
              const isSelected = selected !== undefined && cellKey(selected) === cellKey(cell)
              return (
                <td key={transport} role="gridcell" aria-selected={isSelected}>
                  <button
                    type="button"
                    id={elementId(cell)}
                    className={styles.cell}
                    tabIndex={isSelected || (selected === undefined && cell === cells[0]) ? 0 : -1}
                    onClick={() => onSelect(cell)}
                    onKeyDown={(event) => walk(event, cell)}
                  >
                    <Summary cell={cell} />
                    <Strip letters={cell.letters} />
                  </button>
                </td>
              )
            })}
          </tr>
        ))}
      </tbody>
    </table>
  )
}

/** Key → rows down and columns to the right. */
const STEPS: Readonly<Record<string, readonly [number, number]>> = {
  ArrowDown: [1, 0],
  ArrowUp: [-1, 0],
  ArrowRight: [0, 1],
  ArrowLeft: [0, -1],
}

function elementId(cell: CellName): string {
  return `cell-${cell.revision}-${cell.transport}`
}

function Summary({ cell: { letters } }: { cell: CellState }) {
  const { total, passed, failed, warned, left } = countsOf(letters)
  return (
    <span className={styles.summary}>
      <span>
        {passed}/{total}
        <span className="vh"> {text.passed}</span>
      </span>
      <span className={styles.end}>
        {left > 0 && (
          <span className="t2">
            <Icon name="st-busy" />
            {left}
            <span className="vh">, {text.leftCount(left)}</span>
          </span>
        )}
        {failed > 0 && (
          <span className="is-error">
            <Icon name="st-fail" />
            <b>{failed}</b>
            <span className="vh">, {text.failedCount(failed)}</span>
          </span>
        )}
        {warned > 0 && (
          <span className="is-warn">
            <Icon name="warn" />
            {warned}
            <span className="vh">, {text.warnedCount(warned)}</span>
          </span>
        )}
      </span>
    </span>
  )
}

/** Width of a strip in its own units, and the width of a notch at least. */
const WIDTH = 200
const NOTCH = 2

/** One line of checks: passed ones are a line, failures tall notches, warnings short ones, others gaps. */
function Strip({ letters }: { letters: string }) {
  const step = WIDTH / Math.max(1, letters.length)
  const statuses = statusesOf(letters)
  const lines = [...letters.matchAll(/p+/g)].map(({ index, 0: { length } }) => ({ index, length }))
  return (
    <svg className={styles.strip} viewBox={`0 0 ${WIDTH} 18`} preserveAspectRatio="none" aria-hidden="true">
      <rect className={styles.rest} x={0} y={9} width={WIDTH} height={1} />
      {lines.map(({ index, length }) => (
        <rect key={index} className={styles.passed} x={index * step} y={7} width={length * step} height={4} />
      ))}
      {statuses.map((status, index) =>
        isFailure(status) ? (
          <rect key={index} className={styles.failed} {...notch(index, step)} y={0} height={18} />
        ) : status === 'warned' ? (
          <rect key={index} className={styles.warned} {...notch(index, step)} y={3} height={12} />
        ) : null,
      )}
    </svg>
  )
}

function notch(index: number, step: number): { x: number; width: number } {
  const width = Math.max(NOTCH, step)
  return { x: Math.min(index * step, WIDTH - width), width }
}
