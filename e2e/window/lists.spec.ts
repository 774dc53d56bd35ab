import type { Locator, Page } from '@playwright/test'
import { formOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { expectState, explorerOf, openEntry, serverPage, startServer } from './server-steps.ts'

/** Another run of it lists another tool. */
const CHANGING = `
  const name = 'of_run_' + process.pid
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
    'tools/list': { tools: [{ name, inputSchema: { type: 'object' } }] },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method } = JSON.parse(line)
    const result = answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

/** Lists a tool a page. */
const PAGED = `
  const answers = {
    initialize: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } },
  }
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    const at = Number(params?.cursor ?? 0)
    const tools = [{ name: 'tool_' + at, inputSchema: { type: 'object' } }]
    answers['tools/list'] = { tools, ...(at < 2 && { nextCursor: String(at + 1) }) }
    const result = answers[method]
    const answer = result === undefined ? { error: { code: -32601, message: 'no' } } : { result }
    if (id !== undefined) console.log(JSON.stringify({ jsonrpc: '2.0', id, ...answer }))
  })`

/** The requests of this method on the timeline. */
function requestsOf(page: Page, method: string): Locator {
  const timeline = page.getByRole('treegrid', { name: 'Exchanges' })
  return timeline.getByRole('row', { name: `client to server ${method}` })
}

/** Empties the timeline. */
async function clearTimeline(page: Page): Promise<void> {
  await page.getByRole('button', { name: 'Timeline menu' }).click()
  await page.getByRole('menuitem', { name: 'Clear timeline…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Clear', exact: true }).click()
  await expect(page.getByRole('alertdialog')).toBeHidden()
}

test('of a list that changed only that one is read again', async ({ page }) => {
  // Of each kind one is there: the lists were read after the scripts were loaded.
  for (const entry of ['notes://index', 'summarise_notes', 'create_note'])
    await openEntry(page, 'This app', entry)
  await clearTimeline(page)
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill('one more')
  await send(page, 'Run')
  await expect(explorerOf(page, 'This app').getByRole('treeitem', { name: 'notes://1' })).toBeVisible()
  await expect(requestsOf(page, 'resources/list')).toHaveCount(1)
  for (const method of ['tools/list', 'prompts/list']) await expect(requestsOf(page, method)).toHaveCount(0)
})

test('a server that was restarted is asked again what it offers', async ({ page }) => {
  await startServer(page, { name: 'changing', command: process.execPath, args: ['-e', CHANGING] })
  const tool = explorerOf(page, 'changing').getByRole('treeitem', { name: 'of_run_' })
  const before = (await tool.textContent()) ?? ''
  expect(before).toContain('of_run_')
  await serverPage(page).getByRole('button', { name: 'Restart', exact: true }).click()
  await expectState(page, 'changing', 'connected')
  await expect(tool).not.toHaveText(before)
  await expect(tool).toHaveCount(1)
})

test('a list is read whole, or paginated manually where that is chosen', async ({ page }) => {
  await startServer(page, { name: 'paged', command: process.execPath, args: ['-e', PAGED] })
  const tools = explorerOf(page, 'paged').getByRole('treeitem', { name: /^tool_/ })
  await expect(tools).toHaveCount(3)
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitemcheckbox', { name: 'Paginate manually' }).click()
  await page.keyboard.press('Escape')
  await expect(tools).toHaveText(['tool_0'])
  await expect(explorerOf(page, 'paged')).toContainText('1+')
  const next = explorerOf(page, 'paged').getByRole('treeitem', { name: 'Load next page' })
  await next.click()
  await expect(tools).toHaveCount(2)
  await explorerOf(page, 'paged').press('End')
  await page.keyboard.press('Enter')
  await expect(tools).toHaveCount(3)
  await expect(next).toBeHidden()
})
