// Writes what is made from the catalogue of conformance checks: docs/checks, a page for each check, and the short list of
// the checks of servers.
import { mkdir, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { checkList } from '../server-core/conformance/catalogue/check-list.ts'
import { loadCatalogue } from '../server-core/conformance/catalogue/load-catalogue.ts'
import { loadChecks } from '../server-core/conformance/checks/load-checks.ts'
import { checkPages } from '../server-core/conformance/report/check-page.ts'
import frozen from '../server-core/conformance/suites/2026.11.json' with { type: 'json' }

const root = path.join(import.meta.dirname, '..')
const folder = path.join(root, 'docs/checks')
const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])

await rm(folder, { recursive: true, force: true })
await mkdir(folder, { recursive: true })
const pages = checkPages(catalogue)
for (const [name, text] of pages) await writeFile(path.join(folder, name), text)
console.log(`wrote ${pages.size} pages to docs/checks`)

const list = checkList(catalogue, checks, frozen)
const rows = list.map((row) => `  ${JSON.stringify(row)}`).join(',\n')
await writeFile(path.join(root, 'server-core/conformance/catalogue/server-checks.json'), `[\n${rows}\n]\n`)
console.log(`wrote ${list.length} checks to server-core/conformance/catalogue/server-checks.json`)
