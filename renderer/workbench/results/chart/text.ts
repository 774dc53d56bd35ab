/** All text that a user reads in this module, by file. */
export const chartText = {
  chartView: {
    base: 'x',
    over: 'Over',
    series: 'series',
    rowNumber: 'row number',
    kind: 'Kind of chart',
    line: 'line',
    bars: 'bars',
    points: 'points',
    copyAsSvg: 'Copy as SVG',
    couldNotCopy: 'Could not copy the chart',
    noSeries: 'Choose a series to draw.',
    pointCount: (count: string) => `${count} points`,
    leftOut: (count: string) => `${count} more rows are in the table.`,
    numbersNote: 'The numbers are in the table.',
  },
  chartSvg: {
    label: (names: string, count: string, base: string) => `${names} over ${base}, ${count} points`,
    range: (name: string, least: string, greatest: string) => `${name} from ${least} to ${greatest}`,
    none: 'none',
  },
} as const
