import { beforeEach, expect, test } from 'vitest'
import {
  closePage,
  openPage,
  pageId,
  registryPages,
  showFiles,
  type RegistryPageTarget,
} from './registry-view.ts'

const compare: RegistryPageTarget = { kind: 'compare', file: 'tools/a.ts', from: 1, to: 2 }
const add: RegistryPageTarget = { kind: 'add-source', source: 'openapi' }

const shown = (): string => {
  const { pages, front } = registryPages.get()
  const inFront = front === undefined ? 'files' : pageId(front)
  return [...pages.map(pageId), `(${inFront})`].join(', ')
}

beforeEach(() => registryPages.set({ pages: [], front: undefined }))

test('of entries one page is open at a time, and each other page once', () => {
  openPage({ kind: 'entry', key: 'tool:one' })
  openPage(compare)
  openPage({ kind: 'entry', key: 'tool:two' })
  openPage({ ...compare, to: 3 })
  expect(shown()).toBe('entry, compare tools/a.ts, (compare tools/a.ts)')
  expect(registryPages.get().pages).toEqual([
    { kind: 'entry', key: 'tool:two' },
    { ...compare, to: 3 },
  ])
})

test('a page that is closed in front gives way to its neighbour, at last to the files', () => {
  openPage(compare)
  openPage(add)
  closePage(add)
  expect(shown()).toBe('compare tools/a.ts, (compare tools/a.ts)')
  closePage(compare)
  expect(shown()).toBe('(files)')
})

test('a page that is closed behind another leaves that one in front, and pages stay while files are shown', () => {
  openPage(compare)
  openPage(add)
  closePage(compare)
  expect(shown()).toBe('add openapi, (add openapi)')
  showFiles()
  expect(shown()).toBe('add openapi, (files)')
})
