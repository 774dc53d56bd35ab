import path from 'node:path'
import { exchangeOf, formOf, jsonOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { expectState, explorerOf, openEntry, serverPage, startServer } from './server-steps.ts'

const argumentServer = path.join(import.meta.dirname, 'servers/argument-server.ts')

test('a reload keeps the open tabs, their order and everything that was typed', async ({ page }) => {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  await openEntry(page, 'arguments', 'wire')
  await typeJson(page, '{ "big": 12345678901234567890, ')
  await openEntry(page, 'arguments', 'tool_error')
  const tabs = page.getByRole('tablist', { name: 'Open items' }).getByRole('tab')
  const before = await tabs.allTextContents()

  await page.reload()
  await expect(explorerOf(page, 'arguments')).toBeVisible()
  await expect(tabs).toHaveText(before)
  await expect(tabs.filter({ hasText: 'tool_error' })).toHaveAttribute('aria-selected', 'true')
  await tabs.filter({ hasText: 'wire' }).click()
  await expect(jsonOf(page)).toContainText('{ "big": 12345678901234567890, ')
  await expect(page.getByRole('button', { name: 'Run', exact: true })).toBeDisabled()

  // A field that is not finished comes back as it is too, and what is whole can be sent.
  await typeJson(page, '{ "count": 3 }')
  const count = formOf(page, 'wire').getByLabel('count', { exact: true })
  await count.fill('1e')
  await page.reload()
  await expect(count).toHaveValue('1e')
  await count.fill('7')
  await send(page, 'Run')
  await expect(exchangeOf(page, 'wire')).toBeVisible()
})

test('the button that runs says why it cannot', async ({ page }) => {
  await startServer(page, { name: 'arguments', command: process.execPath, args: [argumentServer] })
  await openEntry(page, 'arguments', 'wire')
  const run = page.getByRole('button', { name: 'Run', exact: true })
  await expect(run).toBeEnabled()
  await expect(run).toHaveAccessibleDescription('')
  await page.keyboard.press('Control+k')
  await page.getByRole('combobox').fill('disconnect')
  await page.keyboard.press('Enter')
  await expectState(page, 'arguments', 'not connected')
  await expect(run).toBeDisabled()
  await expect(run).toHaveAccessibleDescription('arguments is not connected: connect it first.')
  await serverPage(page).getByRole('button', { name: 'Connect', exact: true }).click()
  await expect(run).toHaveAccessibleDescription('')
})

test('the tab of a server that was removed is closed after a reload', async ({ page }) => {
  await page.evaluate(() => {
    const tab = { kind: 'tool', serverId: 'another profile', name: 'x' }
    const kept = JSON.stringify({ format: 1, serverId: 'another profile', tabs: [tab], works: [] })
    // After the page's own, which keeps what is open.
    addEventListener('pagehide', () => sessionStorage.setItem('patchbay.window', kept))
  })
  await page.reload()
  await expect(explorerOf(page, 'This app')).toBeVisible()
  await expect(
    page.getByRole('tablist', { name: 'Open items' }).getByRole('tab', { name: /^x/ }),
  ).toBeHidden()
})
