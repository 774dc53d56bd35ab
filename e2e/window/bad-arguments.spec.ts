import path from 'node:path'
import type { Page } from '@playwright/test'
import { exchangeOf, formOf, jsonOf, resultOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openEntry, startServer } from './server-steps.ts'

const SERVER = {
  name: 'arguments',
  command: 'node',
  args: [path.join(import.meta.dirname, 'servers/argument-server.ts')],
}

const run = (page: Page) => page.getByRole('button', { name: 'Run', exact: true })
const verdict = (page: Page) =>
  page.getByRole('region', { name: 'Arguments as JSON' }).getByRole('status').first()

test.beforeEach(async ({ page }) => {
  await startServer(page, SERVER)
  await openEntry(page, SERVER.name, 'wire')
})

test('JSON that is not finished is kept as it was typed, with the place', async ({ page }) => {
  await typeJson(page, '{\n  "count": 3,\n  "name": \n}')
  await expect(verdict(page)).toContainText('line 4, column 1')
  await expect(run(page)).toBeDisabled()
  await expect(jsonOf(page)).toContainText('"name":')

  await test.step('an edit of the form replaces it, and it can be put back', async () => {
    await formOf(page, 'wire').getByLabel('count', { exact: true }).fill('4')
    await expect(page.getByText('The form replaced JSON that was not finished.')).toBeVisible()
    await page.getByRole('button', { name: 'Put it back' }).click()
    await expect(verdict(page)).toContainText('line 4, column 1')
    await expect(jsonOf(page)).toContainText('"count": 3')
  })

  await test.step('finished, it is sent', async () => {
    await typeJson(page, '{ "count": 3, "name": "x" }')
    await expect(verdict(page)).toHaveText('valid')
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText('"count":3')
  })
})

test('arguments that break the schema are named, and can be sent all the same', async ({ page }) => {
  await typeJson(page, '{ "count": "many" }')
  await expect(verdict(page)).toContainText('/count')
  await expect(verdict(page)).not.toHaveText('valid')
  await expect(formOf(page, 'wire').getByLabel('count', { exact: true })).toHaveAttribute(
    'aria-invalid',
    'true',
  )
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('"arguments":{"count":"many"}')
})

test('what is missing is told once it was sent without', async ({ page }) => {
  await expect(verdict(page)).toContainText('count')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('"arguments":{}')
  await expect(formOf(page, 'wire')).toContainText(/required|missing/)
})

test('a number keeps what is typed, and is exact on the wire', async ({ page }) => {
  const field = formOf(page, 'wire').getByLabel('count', { exact: true })
  await field.pressSequentially('1e')
  await expect(field).toHaveValue('1e')
  await expect(formOf(page, 'wire')).toContainText('Not a number yet.')
  await field.pressSequentially('2')
  await expect(field).toHaveValue('1e2')
  await expect(formOf(page, 'wire')).not.toContainText('Not a number yet.')

  await field.fill('9007199254740993')
  await expect(jsonOf(page)).toContainText('9007199254740993')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('"arguments":{"count":9007199254740993}')
  await exchangeOf(page, 'wire').click()
  const frame = page.getByRole('region', { name: 'Frame', exact: true })
  await frame.getByRole('button', { name: 'Frame before' }).click()
  await expect(frame.getByRole('region', { name: 'raw, as sent' })).toContainText('"count":9007199254740993}')
})

test('a tool that fails says so, and what it said is there', async ({ page }) => {
  await openEntry(page, SERVER.name, 'tool_error')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('isError: true')
  await expect(resultOf(page)).toContainText('The disk is full.')
  await expect(exchangeOf(page, 'tool_error')).toContainText('isError')
})

test('a request that fails shows its code and its data', async ({ page }) => {
  await openEntry(page, SERVER.name, 'rpc_error')
  await send(page, 'Run')
  const alert = resultOf(page).getByRole('alert')
  await expect(alert).toContainText('-32044')
  await expect(alert).toContainText('The quota is used up')
  await expect(alert.getByRole('tree', { name: 'Data of the error' })).toContainText('"plan": "free"')
  await expect(exchangeOf(page, 'rpc_error')).toContainText('-32044')
})
