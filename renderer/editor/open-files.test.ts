import { beforeEach, expect, it } from 'vitest'
import { changeOpenFile, closeFile, openFile, openFiles, renameOpenFile, wantedPlace } from './open-files.ts'

beforeEach(() => openFiles.set({ files: [], active: undefined }))

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
  openFile('c.ts')
  expect(shown()).toBe('a.ts c.ts! b.ts')
  expect(wantedPlace.get()).toEqual({ file: 'a.ts', line: 3, column: 2 })
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
