import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, it } from 'vitest'
import { loadCatalogue } from '../catalogue/load-catalogue.ts'
import { checkPages } from './check-page.ts'

const FOLDER = path.join(import.meta.dirname, '../../../docs/checks')

it('has a page for each check in docs/checks; npm run checks:pages writes them', async () => {
  const pages = checkPages(await loadCatalogue())
  expect((await readdir(FOLDER)).toSorted()).toEqual([...pages.keys()].toSorted())
  for (const [name, text] of pages) {
    expect(await readFile(path.join(FOLDER, name), 'utf8'), name).toBe(text)
  }
})
