import { expect, test } from 'vitest'
import { indexJson } from '../../../json/json-index.ts'
import { filterRows } from './filter-rows.ts'
import { nextSort, sortRows } from './sort-rows.ts'
import { cellText, findTable, readTableRows, type TableRows } from './table-rows.ts'
import { csvOf, jsonOf } from './table-text.ts'

function tableOf(value: unknown): TableRows {
  const indexed = indexJson(typeof value === 'string' ? value : JSON.stringify(value))
  const place = indexed.ok ? findTable(indexed.index) : undefined
  if (place === undefined) throw new Error('expected a list of objects')
  return readTableRows(place)
}

const CITIES = tableOf({
  cities: [
    { name: 'Oslo', temp: 3.5, sky: 'clear' },
    { name: 'Bergen', temp: -1.2, sky: 'rain', note: 'a "port", wet' },
    { name: 'Alta', sky: 'snow', temp: null },
    { name: 'Vadsø 10', temp: -10, sky: 'clear sky' },
    { name: 'Vadsø 9', temp: 3.5, sky: null },
  ],
})

const names = (places: readonly number[]): readonly string[] =>
  places.map((place) => cellText(CITIES, CITIES.rows[place]?.[0] ?? -1))
const all = CITIES.rows.map((_, place) => place)

test('the columns are the members of all objects, in the order in which they come', () => {
  expect(CITIES.name).toBe('cities')
  expect(CITIES.columns).toEqual([
    { name: 'name', type: 'string', numbers: 0 },
    { name: 'temp', type: 'number', numbers: 4 },
    { name: 'sky', type: 'string', numbers: 0 },
    { name: 'note', type: 'string', numbers: 0 },
  ])
  expect(findTable(indexOf('[1, {"a": 1}]'))).toBeUndefined()
  expect(findTable(indexOf('{"a": []}'))).toBeUndefined()
  expect(findTable(indexOf('5'))).toBeUndefined()
  expect(cellText(CITIES, CITIES.rows[0]?.[3] ?? 0)).toBe('')
  const wide = Object.fromEntries(Array.from({ length: 70 }, (_, place) => [`c${String(place)}`, place]))
  expect(tableOf([wide])).toMatchObject({ leftOut: 10, columns: { length: 60 } })
})

function indexOf(text: string) {
  const indexed = indexJson(text)
  if (!indexed.ok) throw new Error(indexed.problem.message)
  return indexed.index
}

test('numbers keep their digits', () => {
  const table = tableOf('[{"id": 12345678901234567890, "sum": 1.10}]')
  expect(Array.from(table.rows[0] ?? [], (node) => cellText(table, node))).toEqual([
    '12345678901234567890',
    '1.10',
  ])
  expect(csvOf(table, [0], [0, 1])).toBe('id,sum\r\n12345678901234567890,1.10\r\n')
})

test('rows are ordered by number or by text, those without a value last in either direction', () => {
  expect(names(sortRows(CITIES, all, { column: 1, direction: 'ascending' }))).toEqual([
    'Vadsø 10',
    'Bergen',
    'Oslo',
    'Vadsø 9',
    'Alta',
  ])
  expect(names(sortRows(CITIES, all, { column: 1, direction: 'descending' }))).toEqual([
    'Oslo',
    'Vadsø 9',
    'Bergen',
    'Vadsø 10',
    'Alta',
  ])
  expect(names(sortRows(CITIES, all, { column: 0, direction: 'ascending' })).slice(3)).toEqual([
    'Vadsø 9',
    'Vadsø 10',
  ])
  expect(names(sortRows(CITIES, all, undefined))).toEqual(names(all))
})

test('a head is pressed for ascending, then descending, then the order of the server', () => {
  const first = nextSort(undefined, 1)
  expect(first).toEqual({ column: 1, direction: 'ascending' })
  expect(nextSort(first, 1)).toEqual({ column: 1, direction: 'descending' })
  expect(nextSort({ column: 1, direction: 'descending' }, 1)).toBeUndefined()
  expect(nextSort({ column: 1, direction: 'descending' }, 2)).toEqual({ column: 2, direction: 'ascending' })
})

test.each([
  ['', 5],
  ['CLEAR', 2],
  ['sky=clear', 1],
  ['sky:clear temp>0', 1],
  ['temp<0', 2],
  ['temp<-5', 1],
  ['temp>100', 0],
  // No column has this name: the word itself is looked for.
  ['nothing:here', 0],
  ['note:port', 1],
])('the filter %j lets %d rows through', (filter, count) => {
  expect(filterRows(CITIES, filter)).toHaveLength(count)
})

test('copied rows are CSV that no spreadsheet runs, and JSON as it was written', () => {
  const table = tableOf('[{"a": "=1+1", "b": -1, "c": "x\\"y"}, {"a": "two\\nlines", "c": null}]')
  expect(csvOf(table, [1, 0], [0, 1, 2])).toBe('a,b,c\r\n"two\nlines",,null\r\n\'=1+1,-1,"x""y"\r\n')
  expect(JSON.parse(jsonOf(table, [0, 1], [0, 2]))).toEqual([
    { a: '=1+1', c: 'x"y' },
    { a: 'two\nlines', c: null },
  ])
})
