import path from 'node:path'
import { formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, expectState, openEntry, serverPage, serverRow, startServer } from './server-steps.ts'

const server = {
  name: 'holding',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'servers/holding-server.ts')],
}

test('a call goes on while the page is loaded again, and its result and history come back', async ({
  page,
}) => {
  await startServer(page, server)
  await openEntry(page, 'holding', 'hold')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(resultOf(page)).toContainText('Waiting for the server')

  await page.reload()
  await expect(resultOf(page)).toContainText('Waiting for the server')
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(1)
  await openEntry(page, 'holding', 'release')
  await send(page, 'Run')
  await page.getByRole('tab', { name: 'hold holding', exact: true }).click()
  await expect(resultOf(page)).toContainText('held until it was released')

  await page.reload()
  await expect(resultOf(page)).toContainText('held until it was released')
  await page.getByRole('tab', { name: 'History 1' }).click()
  await expect(page.getByRole('table').getByRole('row').filter({ hasText: 'result' })).toHaveCount(2)

  // Cancelling stays an act of the user, also after a reload.
  await page.getByRole('tab', { name: 'Call', exact: true }).click()
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(resultOf(page)).toContainText('Waiting for the server')
  await page.reload()
  await page.getByRole('button', { name: 'Cancel', exact: true }).click()
  await expect(resultOf(page)).toContainText('Cancelled')
})

test('a call whose server dies shows what the server wrote, and the list of servers shows why', async ({
  page,
}) => {
  await startServer(page, server)
  await openEntry(page, 'holding', 'die')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(resultOf(page)).toContainText('exit 3 · Error: the disk is full')
  await expect(resultOf(page).getByRole('region', { name: 'stderr' })).toContainText(
    'Error: the disk is full',
  )
  await expect(serverRow(page, 'holding')).toContainText('exit 3 · Error: the disk is full')
})

test('a call that waits for the user says so, and leads to the question', async ({ page }) => {
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, name, 'trigger-elicitation-request')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(resultOf(page).getByRole('status')).toHaveText('Waiting for you')
  await expect(page.getByRole('button', { name: 'Cancel', exact: true })).toHaveCount(1)
  await resultOf(page).getByRole('button', { name: 'Open the question' }).click()
  const inbox = page.getByRole('region', { name: 'Inbox' })
  await expect(inbox.getByRole('button', { name: /^Elicitation/ })).toBeFocused()
  await expect(inbox.getByRole('timer')).toHaveAccessibleName(/^Waiting for 0:(0[3-9]|[1-5]\d)$/)
  await inbox.getByRole('button', { name: 'Cancel the question' }).click()
  await expect(resultOf(page)).toContainText('answering')
  // Latency does not include the time in which the server waited for a person.
  await expect(serverRow(page, name)).toContainText(/\d+ ms/)
  const latency = Number(/([\d,]+) ms/.exec(await serverRow(page, name).innerText())?.[1]?.replace(',', ''))
  expect(latency).toBeLessThan(3_000)
})

test('faults that are on are shown on every page, at the server, and with each result', async ({ page }) => {
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'create_note')
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill('Milk')
  await send(page, 'Run')
  await expect(resultOf(page)).not.toContainText('fault')
  const status = page.getByRole('contentinfo', { name: 'Status' })
  await expect(status).not.toContainText('fault')

  await page.keyboard.press('Alt+Shift+2')
  const side = page.getByRole('complementary', { name: 'Try, connected, faults' })
  await side
    .getByRole('table', { name: 'Faults' })
    .getByRole('row')
    .filter({ hasText: 'delay' })
    .getByRole('switch')
    .click()
  await expect(status).toContainText('1 fault on')
  await page.keyboard.press('Alt+Shift+1')
  await expect(status).toContainText('1 fault on')
  await expect(serverRow(page, 'This app')).toContainText('1 fault on')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('1 fault on')
  await serverRow(page, 'This app').getByRole('button', { name: 'This app', exact: true }).click()
  await serverPage(page).getByRole('button', { name: '1 fault on' }).click()
  await expect(side).toBeVisible()
})
