import { beforeEach, expect, it } from 'vitest'
import {
  changeOpenFile,
  closeFile,
  openInBackground,
  openFile,
  openFileAt,
  openFiles,
  renameOpenFile,
  wantedPlace,
} from './open-files.ts'

beforeEach(() => {
  openFiles.set({ files: [], active: undefined })
  wantedPlace.set(undefined)
})

const shown = (): string =>
  openFiles
    .get()
    .files.map(
      ({ file, isUnsaved }) => `${file}${isUnsaved ? '*' : ''}${file === openFiles.get().active ? '!' : ''}`,
    )
    .join(' ')

it('opens files right of the one in front, once each, and shows the place that was asked for', () => {
  openFile('a.ts')
  openFile('b.ts')
  openFile('a.ts', { line: 3, column: 2 })
  expect(wantedPlace.get()).toMatchObject({ file: 'a.ts', place: { line: 3, column: 2 }, takesFocus: true })
  openFile('c.ts')
  expect(shown()).toBe('a.ts c.ts! b.ts')
})

it('wants no place any more of a file that another one came before, or that was closed', () => {
  openFile('a.ts', { line: 3, column: 2 })
  openFile('b.ts')
  expect(wantedPlace.get()).toBeUndefined()
  openFile('a.ts', { line: 3, column: 2 })
  openInBackground('c.ts')
  openFile('a.ts')
  expect(wantedPlace.get()).toMatchObject({ file: 'a.ts' })
  closeFile('a.ts')
  expect(wantedPlace.get()).toBeUndefined()
  expect(shown()).toBe('b.ts! c.ts')
})

it('goes to a place that was looked for only if nothing else was wanted meanwhile', async () => {
  const late = Promise.withResolvers<{ line: number; column: number }>()
  const first = openFileAt('a.ts', late.promise)
  await openFileAt('a.ts', Promise.resolve({ line: 5, column: 1 }))
  late.resolve({ line: 2, column: 1 })
  await first
  expect(wantedPlace.get()).toMatchObject({ file: 'a.ts', place: { line: 5, column: 1 }, takesFocus: false })
  await openFileAt('a.ts', Promise.resolve(undefined))
  expect(wantedPlace.get()).toBeUndefined()
})

it('shows the right neighbour of a closed file, else the left one, and leaves another file in front', () => {
  for (const file of ['a.ts', 'b.ts', 'c.ts']) openFile(file)
  openFile('b.ts')
  closeFile('b.ts')
  expect(shown()).toBe('a.ts c.ts!')
  closeFile('c.ts')
  expect(shown()).toBe('a.ts!')
  openFile('d.ts')
  closeFile('a.ts')
  expect(shown()).toBe('d.ts!')
  closeFile('d.ts')
  expect(openFiles.get()).toEqual({ files: [], active: undefined })
})

it('tells those who watch only of what changed', () => {
  openFile('a.ts')
  let told = 0
  const leave = openFiles.subscribe(() => (told += 1))
  changeOpenFile('a.ts', { isUnsaved: true })
  changeOpenFile('a.ts', { isUnsaved: true })
  changeOpenFile('none.ts', { isUnsaved: true })
  leave()
  expect(told).toBe(1)
  renameOpenFile('a.ts', 'lib/a.ts')
  expect(shown()).toBe('lib/a.ts*!')
})
