import type { Locator, Page } from '@playwright/test'
import { exchangeOf, formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, openEntry, serverRow, startServer } from './server-steps.ts'

/** Opens a page of the selected server. */
async function openPage(page: Page, title: string): Promise<Locator> {
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitem', { name: title }).click()
  return page.getByRole('region', { name: title, exact: true })
}

function rowOf(list: Locator, uri: string): Locator {
  return list.getByRole('row').filter({ hasText: uri })
}

test('subscriptions: by URI and from a resource, counted, kept over a new connection, ended', async ({
  page,
}) => {
  const list = await openPage(page, 'Subscriptions')
  await expect(list).toContainText('No subscriptions')
  await list.getByRole('textbox', { name: 'URI to subscribe to' }).fill('notes://index')
  await list.getByRole('button', { name: 'Subscribe', exact: true }).click()
  const row = rowOf(list, 'notes://index')
  await expect(row).toContainText('subscribed')
  await expect(row).toContainText('0')

  await openEntry(page, 'This app', 'create_note')
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill('Milk')
  await send(page, 'Run')
  await page.getByRole('tab', { name: /^Subscriptions/ }).click()
  await expect(row.getByRole('cell', { name: '1', exact: true })).toBeVisible()

  const listen = exchangeOf(page, 'subscriptions/listen')
  const before = (await listen.getAttribute('aria-rowindex')) ?? ''
  await page.keyboard.press('Alt+r')
  // Until the new connection listens everything looks as it did on the one before.
  await expect(listen).not.toHaveAttribute('aria-rowindex', before)
  await expect(listen).toContainText('resourceSubscriptions (1)')
  await expect(row).toContainText('subscribed')
  await row.getByRole('button', { name: 'Open notes://index' }).click()
  const chip = page.getByRole('button', { name: /^subscribed/ })
  await expect(chip).toHaveAttribute('aria-pressed', 'true')
  await chip.click()
  await expect(page.getByRole('button', { name: 'subscribe', exact: true })).toBeVisible()
  await page.getByRole('tab', { name: /^Subscriptions/ }).click()
  await expect(row).toBeHidden()
})

test('log level and completions: a session of 2025-11-25, its list of values by keyboard', async ({
  page,
}) => {
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  await page.getByRole('button', { name: 'Log level of everything: not set' }).click()
  await page.getByRole('menuitemradio', { name: 'warning' }).click()
  await expect(page.getByRole('button', { name: 'Log level of everything: warning' })).toBeVisible()
  await expect(exchangeOf(page, 'logging/setLevel')).toBeVisible()

  await page.getByRole('textbox', { name: 'Filter explorer' }).fill('completable')
  await openEntry(page, name, 'completable-prompt')
  const form = formOf(page, 'completable-prompt')
  const department = form.getByRole('combobox', { name: 'department' })
  await department.pressSequentially('Eng')
  await expect(page.getByRole('option', { name: 'Engineering' })).toBeVisible()
  await page.keyboard.press('ArrowDown')
  await page.keyboard.press('Enter')
  await expect(department).toHaveValue('Engineering')
  const person = form.getByRole('combobox', { name: 'name' })
  await person.focus()
  await page.keyboard.press('ArrowDown')
  // The values are those of the department.
  await expect(page.getByRole('option')).toHaveText(['Alice', 'Bob', 'Charlie'])
  await page.keyboard.press('Escape')
  await expect(page.getByRole('option')).toHaveCount(0)
  await person.fill('Bob')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(resultOf(page)).toContainText('Bob')
  await serverRow(page, 'This app').getByRole('button', { name: 'This app', exact: true }).click()
  await expect(page.getByRole('button', { name: 'Log level of This app: not set' })).toBeVisible()
})
