import { ABSENT, cellNumber, cellText, type TableRows } from './table-rows.ts'

/** One word of a filter: what a row must have. */
type Condition =
  | { readonly type: 'any'; readonly text: string }
  | { readonly type: 'has'; readonly column: number; readonly text: string }
  | { readonly type: 'is'; readonly column: number; readonly text: string }
  | { readonly type: 'below' | 'above'; readonly column: number; readonly value: number }

/**
 * The places of the rows that a filter lets through. Words are combined: `snow` looks in every column, `sky:snow` in
 * one, `sky=snow` wants the whole value, `temp<0` and `temp>0` compare numbers. Case does not matter. A word before
 * `:`, `=`, `<` or `>` that names no column is looked for as it is.
 */
export function filterRows(table: TableRows, filter: string): readonly number[] {
  const conditions = filter
    .split(/\s+/)
    .filter((word) => word !== '')
    .map((word) => readCondition(table, word))
  const places = table.rows.map((_, place) => place)
  if (conditions.length === 0) return places
  return places.filter((place) => {
    const row = table.rows[place]
    return row !== undefined && conditions.every((condition) => meets(table, row, condition))
  })
}

function readCondition(table: TableRows, word: string): Condition {
  const [, name, operator, text = ''] = /^([^:=<>]+)([:=<>])(.*)$/.exec(word) ?? []
  const column = table.columns.findIndex((each) => each.name.toLowerCase() === name?.toLowerCase())
  if (column >= 0 && operator === ':') return { type: 'has', column, text: text.toLowerCase() }
  if (column >= 0 && operator === '=') return { type: 'is', column, text: text.toLowerCase() }
  const value = Number(text)
  if (column >= 0 && text !== '' && !Number.isNaN(value)) {
    return { type: operator === '<' ? 'below' : 'above', column, value }
  }
  return { type: 'any', text: word.toLowerCase() }
}

function meets(table: TableRows, row: Int32Array, condition: Condition): boolean {
  switch (condition.type) {
    case 'any':
      return row.some((node) => lowerText(table, node).includes(condition.text))
    case 'has':
      return lowerText(table, row[condition.column] ?? ABSENT).includes(condition.text)
    case 'is':
      return lowerText(table, row[condition.column] ?? ABSENT) === condition.text
    case 'below':
    case 'above': {
      const value = cellNumber(table, row[condition.column] ?? ABSENT)
      if (value === undefined) return false
      return condition.type === 'below' ? value < condition.value : value > condition.value
    }
  }
}

function lowerText(table: TableRows, node: number): string {
  return cellText(table, node).toLowerCase()
}
