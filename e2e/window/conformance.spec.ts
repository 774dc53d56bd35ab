import { readFile } from 'node:fs/promises'
import { expect, test } from './fixtures.ts'
import {
  checkDetail,
  checksTable,
  chooseFew,
  openConformance,
  optionsOf,
  plantFault,
  runAndWait,
  waitForRun,
  type FaultyServer,
} from './conformance-steps.ts'
import { everything, startServer } from './server-steps.ts'

let faulty: FaultyServer
test.beforeEach(async () => {
  faulty = await plantFault()
})
test.afterEach(() => faulty.remove())

test('finds a planted fault, expects it, and finds it repaired', async ({ page }) => {
  test.setTimeout(180_000)
  await startServer(page, { name: 'faulty', command: process.execPath, args: faulty.args })
  await openConformance(page)
  await expect(page.getByRole('heading', { name: 'No checks run yet' })).toBeVisible()
  await page.getByRole('button', { name: 'Run checks…' }).click()
  const dialog = optionsOf(page, 'faulty')
  await expect(dialog.getByRole('radio', { name: 'None' })).toBeChecked()
  await chooseFew(page, 'faulty', 'jsonrpc.')
  await runAndWait(page, 'faulty', 1)
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText(/[1-9]\d* failed/)

  await page.getByRole('radio', { name: 'failed', exact: true }).click()
  await checksTable(page)
    .getByRole('row', { name: /^failed Unknown methods are refused/ })
    .click()
  const detail = checkDetail(page)
  await expect(detail.getByText('jsonrpc.unknown-method.server', { exact: true })).toBeVisible()
  await expect(detail).toContainText('error -32000')
  await expect(detail.getByRole('region', { name: 'Specification' })).toContainText(
    'modelcontextprotocol.io/specification/',
  )
  await expect(detail.getByRole('region', { name: /Server to client$/ }).last()).toContainText('-32000')
  await expect(detail).toContainText('check --grep jsonrpc.unknown-method.server')

  await detail.getByRole('button', { name: 'Expect failure' }).click()
  await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('1 expected')
  await detail.getByRole('button', { name: 'Expect no failure' }).click()

  await page.getByRole('button', { name: 'Export report' }).click()
  const download = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'JUnit XML' }).click()
  const file = await download
  expect(file.suggestedFilename()).toBe('faulty-run-1.junit.xml')
  expect(await readFile(await file.path(), 'utf8')).toContain('jsonrpc.unknown-method.server')

  await faulty.repair()
  await detail.getByRole('button', { name: 'Re-run' }).click()
  await waitForRun(page, 2)
  await expect(detail).toContainText('passed')
  await expect(detail.getByRole('listitem')).toHaveText(['run 1: failed', 'run 2: passed'])

  const runs = page.getByRole('list', { name: 'last runs' }).getByRole('listitem')
  await expect(runs).toHaveText([/^Run 1, .*: [1-9]\d* failed/, /^Run 2, .*, 1 check again: /])
  await page.getByRole('button', { name: 'Export report' }).click()
  const saved = page.waitForEvent('download')
  await page.getByRole('menuitem', { name: 'HTML, one file' }).click()
  expect(await readFile(await (await saved).path(), 'utf8')).toContain('last 2 runs')

  await page.reload()
  await expect(page.getByRole('combobox', { name: 'run', exact: true })).toContainText('Run 2,')
})

test('examines a real server, and calls the tools that were chosen alone', async ({ page }) => {
  test.setTimeout(180_000)
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  await openConformance(page)
  await page.getByRole('button', { name: 'Run checks…' }).click()
  const dialog = optionsOf(page, 'everything')
  await dialog.getByText('Chosen tools').click()
  await dialog.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(dialog.getByRole('alert')).toHaveText('Choose a tool, or None.')
  await dialog.getByRole('checkbox', { name: /^echo/ }).click()
  await chooseFew(page, 'everything', 'tools.server')
  await runAndWait(page, 'everything', 1)
  await expect(page.getByRole('navigation', { name: 'Run', exact: true })).toContainText('1 tool')
  const cell = page.getByRole('gridcell').getByRole('button')
  await expect(cell).toHaveCount(1)
  await expect(
    checksTable(page)
      .getByRole('row', { name: /^passed/ })
      .first(),
  ).toBeVisible()
  await expect(checksTable(page)).not.toContainText('broken')
})

test('is used by the keyboard alone', async ({ page }) => {
  test.setTimeout(120_000)
  await startServer(page, { name: 'faulty', command: process.execPath, args: faulty.args })
  await page.keyboard.press('Alt+Shift+3')
  await expect(page.getByRole('heading', { name: 'No checks run yet' })).toBeVisible()
  await page.keyboard.press('ControlOrMeta+Shift+Enter')
  const dialog = optionsOf(page, 'faulty')
  await dialog.getByLabel('filter').focus()
  await page.keyboard.type('jsonrpc.unknown')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeHidden()
  await waitForRun(page, 1)
  await page.keyboard.press('Alt+1')
  const areas = page.getByRole('listbox', { name: 'Areas' })
  await areas.focus()
  await page.keyboard.press('ArrowDown')
  await expect(areas.getByRole('option', { selected: true })).not.toContainText('All checks')
  await page.keyboard.press('Home')
  await page.keyboard.press('Alt+2')
  await expect(checksTable(page)).toBeFocused()
  await page.keyboard.press('End')
  await page.keyboard.press('Home')
  await expect(checksTable(page).getByRole('row', { selected: true })).toHaveCount(1)
  await page.keyboard.press('Enter')
  await expect(checkDetail(page).getByRole('button', { name: 'Re-run' })).toBeVisible()
  await page.getByRole('gridcell').getByRole('button').first().focus()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('F6')
  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('dialog', { name: 'Command palette' }).getByRole('combobox').fill('Run conformance')
  await page.keyboard.press('Enter')
  await expect(dialog).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('cancels a run', async ({ page }) => {
  test.setTimeout(120_000)
  await startServer(page, { name: 'faulty', command: process.execPath, args: faulty.args })
  await openConformance(page)
  await page.getByRole('button', { name: 'Run checks…' }).click()
  await optionsOf(page, 'faulty').getByRole('button', { name: 'Run', exact: true }).click()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(page.getByRole('region', { name: 'Checks', exact: true })).toContainText('Cancelled')
})

test('examines a client that connects by itself, live', async ({ page }) => {
  await openConformance(page)
  await page.getByRole('radio', { name: 'Client' }).click()
  await page.getByRole('button', { name: 'Start exam server' }).click()
  const checks = page.getByRole('region', { name: 'Checks', exact: true })
  await expect(checks).toContainText('Waiting for a client')
  const url = (await checks.getByText(/^http:\/\/127\.0\.0\.1:\d+\/mcp$/).textContent()) ?? ''
  const params = {
    protocolVersion: '2025-11-25',
    capabilities: {},
    clientInfo: { name: 'by hand', version: '1' },
  }
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept: 'application/json, text/event-stream' },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params }),
  })
  await response.text()
  await expect(checks).toContainText('by hand 1')
  await expect(checks.getByRole('listitem').filter({ hasText: 'Connect the client.' })).toContainText('done')
  await checksTable(page)
    .getByRole('row', { name: /^passed/ })
    .first()
    .click()
  await expect(checkDetail(page)).toContainText('examined by')
  await page.getByRole('button', { name: 'Stop', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Start exam server' })).toBeVisible()
})
