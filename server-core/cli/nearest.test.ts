import { expect, test } from 'vitest'
import { nearest } from './nearest.ts'

const names = ['get-sum', 'create_note', 'search_notes', 'list_notes', 'x', 'getTinyImage']

test('the names that somebody may have meant, the most likely first', () => {
  expect(nearest('getsum', names)).toEqual(['get-sum'])
  expect(nearest('Create-Note', names)).toEqual(['create_note'])
  expect(nearest('create_notes', names)).toEqual(['create_note'])
  expect(nearest('notes', names)).toEqual(['list_notes', 'search_notes'])
  expect(nearest('get_tiny_imgae', names)).toEqual(['getTinyImage'])
})

test('no name when none is near', () => {
  expect(nearest('weather', names)).toEqual([])
  expect(nearest('', names)).toEqual(['x'])
})
