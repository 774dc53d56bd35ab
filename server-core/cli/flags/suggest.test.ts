import { expect, test } from 'vitest'
import { suggest } from './suggest.ts'

const names = ['get-sum', 'create_note', 'search_notes', 'list_notes', 'x', 'getTinyImage']

test('the names that somebody may have meant, the most likely first', () => {
  expect(suggest('getsum', names)).toEqual(['get-sum'])
  expect(suggest('--urll', ['--url', '--all'])).toEqual(['--url'])
  expect(suggest('Create-Note', names)).toEqual(['create_note'])
  expect(suggest('create_notes', names)).toEqual(['create_note'])
  expect(suggest('notes', names)).toEqual(['list_notes', 'search_notes'])
  expect(suggest('get_tiny_imgae', names)).toEqual(['getTinyImage'])
})

test('no name when none is near', () => {
  expect(suggest('weather', names)).toEqual([])
  expect(suggest('', names)).toEqual(['x'])
})
