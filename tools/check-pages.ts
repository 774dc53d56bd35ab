// Writes docs/checks: a page for each conformance check, from the catalogue.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { loadCatalogue } from '../server-core/conformance/catalogue/load-catalogue.ts'
import { checkPages } from '../server-core/conformance/report/check-page.ts'

const folder = path.join(import.meta.dirname, '../docs/checks')
await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const pages = checkPages(await loadCatalogue())
for (const [name, text] of pages) await writeFile(path.join(folder, name), text)
console.log(`wrote ${pages.size} pages to docs/checks`)
