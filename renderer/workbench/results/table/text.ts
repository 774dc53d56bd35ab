/** All text that a user reads in this module, by file. */
export const tableText = {
  tableView: {
    wholeResult: 'The result as a table',
    named: (name: string) => `${name} as a table`,
    filterRows: 'Filter rows',
    filterHint: 'text, column:text, column=text, column<10',
    rows: (shown: string, all: string) => (shown === all ? `${all} rows` : `${shown} of ${all} rows`),
    columns: (shown: number, all: number) =>
      shown === all ? `${String(all)} columns` : `${String(shown)} of ${String(all)} columns`,
    leftOut: (count: number) => `${String(count)} more columns are only in the tree.`,
    chooseColumns: 'Columns',
    copyAsCsv: 'Copy as CSV',
    copyAsJson: 'Copy as JSON',
    couldNotCopy: 'Could not copy the rows',
    noRows: 'No row matches the filter.',
    row: 'row',
    absent: 'absent',
  },
  sideTable: {
    firstRows: (shown: string, all: string) => `${shown} of ${all} rows; the tab Table has them all.`,
  },
} as const
