import { exchangeOf, formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, expectState, openEntry, startServer } from './server-steps.ts'

test('opening a resource reads it; updates come after the user subscribed, and refresh it if asked to', async ({
  page,
}) => {
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'notes://index')
  await expect(resultOf(page)).toContainText('There are no notes yet')
  const notice = page.getByRole('status').filter({ hasText: 'an update of this resource' })
  const refresh = page.getByRole('button', { name: 'refresh on update' })
  await expect(refresh).toBeHidden()
  await page.getByRole('button', { name: 'subscribe', exact: true }).click()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  await expect(notice).toBeHidden()

  const create = async (title: string): Promise<void> => {
    await openEntry(page, 'This app', 'create_note')
    await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill(title)
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText(title)
    await page.getByRole('tab', { name: 'notes://index' }).click()
  }
  await create('Milk and bread')
  await expect(notice).toBeVisible()
  await expect(resultOf(page)).toContainText('There are no notes yet')
  await notice.getByRole('button', { name: 'Read again' }).click()
  await expect(resultOf(page)).toContainText('Milk and bread')
  await expect(notice).toBeHidden()

  await refresh.click()
  await create('Eggs')
  await expect(resultOf(page)).toContainText('Eggs')
  await expect(notice).toBeHidden()
})

test('a subscription is made and ended by the user alone: neither tabs nor a reload change it', async ({
  page,
}) => {
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, name, 'architecture.md')
  await expect(exchangeOf(page, 'resources/read')).toBeVisible()
  const rows = page.getByRole('treegrid', { name: 'Exchanges' }).getByRole('row')
  await expect(rows.filter({ hasText: 'resources/subscribe' })).toHaveCount(0)

  await page.getByRole('button', { name: 'subscribe', exact: true }).click()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  await page.reload()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  await page.getByRole('tab', { name: /architecture\.md/ }).click({ button: 'middle' })
  await openEntry(page, name, 'architecture.md')
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  await expect(rows.filter({ hasText: 'resources/subscribe' })).toHaveCount(1)
  await expect(rows.filter({ hasText: 'resources/unsubscribe' })).toHaveCount(0)

  await page.getByRole('button', { name: /^subscribed/ }).click()
  await expect(rows.filter({ hasText: 'resources/unsubscribe' })).toHaveCount(1)
})
