import { useMemo, useRef, useState } from 'react'
import { Checkbox } from '../../../controls/checkbox.tsx'
import { copyText } from '../../../controls/clipboard.ts'
import { IconButton } from '../../../controls/icon-button.tsx'
import { Segmented } from '../../../controls/segmented.tsx'
import { Select } from '../../../controls/select.tsx'
import { showFailure } from '../../../controls/toast.tsx'
import { countText } from '../../../text/measures.ts'
import { SafeText } from '../../../text/safe-text.tsx'
import { readTableRows, type TablePlace } from '../table/table-rows.ts'
import { BY_ROW, chartData, firstBase, seriesColumns } from './chart-data.ts'
import { ChartSvg, type ChartKind } from './chart-svg.tsx'
import styles from './chart.module.css'
import { svgText } from './svg-text.ts'
import { chartText } from './text.ts'

const KINDS = [
  { value: 'line', label: chartText.chartView.line },
  { value: 'bars', label: chartText.chartView.bars },
  { value: 'points', label: chartText.chartView.points },
] as const

/** Series that are drawn at first. */
const FIRST_SERIES = 2

/** The numbers of a list of objects, drawn over one of its columns. */
export default function ChartView({ source }: { source: TablePlace }) {
  const table = useMemo(() => readTableRows(source), [source])
  const all = useMemo(() => seriesColumns(table), [table])
  const [base, setBase] = useState(() => firstBase(table))
  const [chosen, setChosen] = useState<readonly number[]>(() => all.slice(0, FIRST_SERIES))
  const [kind, setKind] = useState<ChartKind>('line')
  const svg = useRef<SVGSVGElement>(null)
  const data = useMemo(() => chartData(table, base, chosen), [table, base, chosen])
  const bases = [
    { value: String(BY_ROW), label: chartText.chartView.rowNumber },
    ...table.columns.map(({ name }, place) => ({ value: String(place), label: name })),
  ]
  const copy = (): void => {
    if (svg.current === null) return
    copyText(svgText(svg.current)).catch((error: unknown) =>
      showFailure(chartText.chartView.couldNotCopy, error),
    )
  }
  return (
    <div className={styles.view}>
      <div className={styles.controls}>
        <span className={styles.word}>{chartText.chartView.base}</span>
        <span className={styles.base}>
          <Select
            label={chartText.chartView.over}
            options={bases}
            value={String(base)}
            onValueChange={(next) => setBase(Number(next))}
          />
        </span>
        <span className={styles.word}>{chartText.chartView.series}</span>
        <span className={styles.series} role="group" aria-label={chartText.chartView.series}>
          {all.map((column) => (
            <Checkbox
              key={column}
              checked={chosen.includes(column)}
              onCheckedChange={(checked) =>
                setChosen(all.filter((each) => (each === column ? checked : chosen.includes(each))))
              }
            >
              <SafeText>{table.columns[column]?.name ?? ''}</SafeText>
            </Checkbox>
          ))}
        </span>
        <span className={styles.end}>
          <Segmented label={chartText.chartView.kind} options={KINDS} value={kind} onValueChange={setKind} />
          <IconButton icon="copy" label={chartText.chartView.copyAsSvg} onClick={copy} />
        </span>
      </div>
      {chosen.length === 0 ? (
        <p className={styles.note}>{chartText.chartView.noSeries}</p>
      ) : (
        <ChartSvg
          data={data}
          kind={kind}
          base={bases.find(({ value }) => value === String(base))?.label ?? ''}
          svg={svg}
        />
      )}
      <p className={styles.note}>
        {chartText.chartView.pointCount(countText(data.labels.length))}.{' '}
        {data.leftOut > 0
          ? chartText.chartView.leftOut(countText(data.leftOut))
          : chartText.chartView.numbersNote}
      </p>
    </div>
  )
}
