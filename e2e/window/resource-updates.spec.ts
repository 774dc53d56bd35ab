import { exchangeOf, formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, expectState, openEntry, startServer } from './server-steps.ts'

test('a resource that is open tells that it changed, and is read again', async ({ page }) => {
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'notes://index')
  await send(page, 'Read')
  await expect(resultOf(page)).toContainText('There are no notes yet')
  const notice = page.getByRole('status').filter({ hasText: 'this resource changed' })
  await expect(notice).toBeHidden()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()

  await openEntry(page, 'This app', 'create_note')
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill('Milk and bread')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('Milk and bread')

  await page.getByRole('tab', { name: 'notes://index' }).click()
  await expect(notice).toBeVisible()
  await notice.getByRole('button', { name: 'Read again' }).click()
  await expect(resultOf(page)).toContainText('Milk and bread')
  await expect(notice).toBeHidden()
})

test('a resource is subscribed while its tab is open, and let go when that is closed', async ({ page }) => {
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, name, 'architecture.md')
  await expect(exchangeOf(page, 'resources/subscribe')).toBeVisible()
  await expect(exchangeOf(page, 'resources/unsubscribe')).toBeHidden()
  await page.getByRole('tab', { name: /architecture\.md/ }).click({ button: 'middle' })
  await expect(exchangeOf(page, 'resources/unsubscribe')).toBeVisible()
})
