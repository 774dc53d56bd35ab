import { execFile } from 'node:child_process'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { AxeBuilder } from '@axe-core/playwright'
import { expect, test } from '@playwright/test'

const root = path.resolve(import.meta.dirname, '../..')
const PATCHBAY = path.join(root, 'server-core/launcher/patchbay.ts')
const EVERYTHING = path.join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js')

async function patchbay(...words: readonly string[]): Promise<void> {
  await promisify(execFile)(process.execPath, [PATCHBAY, ...words], { cwd: root })
}

test('an exported recording opens offline: rows, frames and search, and nothing for axe to find', async ({
  browser,
}, info) => {
  const recording = info.outputPath('calls.ndjson')
  const file = info.outputPath('calls.html')
  const call = ['call', 'echo', '--arg', 'message=<img src=x onerror=alert(1)>', '--record', recording]
  await patchbay(...call, '--', process.execPath, EVERYTHING, 'stdio')
  await patchbay('recordings', 'export', recording, '--out', file)

  const context = await browser.newContext({ offline: true })
  const page = await context.newPage()
  const problems: string[] = []
  page.on('console', (message) => problems.push(message.text()))
  page.on('pageerror', (error) => problems.push(error.message))
  page.on('request', (request) => {
    if (!request.url().startsWith('file:')) problems.push(request.url())
  })
  await page.goto(pathToFileURL(file).href)
  await expect(page.getByRole('heading', { name: 'calls.ndjson' })).toBeVisible()
  await page.getByRole('searchbox').fill('onerror')
  await expect(page.getByRole('option')).toHaveCount(1)
  await page.getByRole('option', { name: 'tools/call' }).click()
  await expect(page.getByRole('article')).toContainText('<img src=x onerror=alert(1)>')
  await expect(page.locator('img')).toHaveCount(0)
  await page.getByRole('searchbox').fill('')
  await expect(page.getByRole('option', { name: '→ initialize' })).toBeVisible()
  const { violations } = await new AxeBuilder({ page }).analyze()
  expect(violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)).toEqual([])
  expect(problems).toEqual([])
  await context.close()
})
