import path from 'node:path'
import type { Page } from '@playwright/test'
import { exchangeOf, formOf, jsonOf, resultOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openEntry, startServer } from './server-steps.ts'

const SERVER = {
  name: 'arguments',
  command: process.execPath,
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

  await test.step('an edit of the form replaces it, and it can be restored', async () => {
    await formOf(page, 'wire').getByLabel('count', { exact: true }).fill('4')
    await expect(page.getByText('The form replaced unfinished JSON.')).toBeVisible()
    await page.getByRole('button', { name: 'Restore' }).click()
    await expect(verdict(page)).toContainText('line 4, column 1')
    await expect(jsonOf(page)).toContainText('"count": 3')
  })

  await test.step('finished, it is sent', async () => {
    await typeJson(page, '{ "count": 3, "name": "x" }')
    await expect(verdict(page)).toHaveText('valid')
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText('"arguments": { "count": 3, "name": "x" }')
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
  await expect(resultOf(page)).toContainText('"arguments": { "count": "many" }')
})

test('a missing value is shown once it was sent without it', async ({ page }) => {
  await expect(verdict(page)).toContainText('count')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('"arguments": {}')
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
  await expect(resultOf(page)).toContainText('"arguments": { "count": 9007199254740993 }')
  await exchangeOf(page, 'wire').click()
  const frame = page.getByRole('region', { name: 'Frame', exact: true })
  await frame.getByRole('button', { name: 'Frame before' }).click()
  await expect(frame.getByRole('region', { name: 'raw, as sent' })).toContainText('"count":9007199254740993}')
})

test('a field that holds no value is not sent with its old one', async ({ page }) => {
  const field = formOf(page, 'wire').getByLabel('count', { exact: true })
  await field.fill('5')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('"arguments": { "count": 5 }')
  for (const text of ['abc', '007']) {
    await field.fill(text)
    await expect(verdict(page)).toHaveText('count is not finished')
    await run(page).click()
    await expect(page.getByText('Nothing was sent: count is not finished').last()).toBeVisible()
    await expect(field).toBeFocused()
  }
  await expect(page.getByRole('tab', { name: 'History 1' })).toBeVisible()

  await test.step('folded arguments unfold to show the field', async () => {
    await page.getByRole('button', { name: 'Fold arguments' }).click()
    await expect(field).toHaveCount(0)
    await run(page).click()
    await expect(field).toBeFocused()
  })

  await test.step('finished, it is sent with the keys', async () => {
    await field.fill('7')
    await formOf(page, 'wire').getByLabel('name', { exact: true }).fill('x')
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(resultOf(page)).toContainText('"arguments": { "count": 7, "name": "x" }')
  })

  await test.step('an optional text is left out or sent empty, by buttons that say so', async () => {
    const name = formOf(page, 'wire').getByLabel('name', { exact: true })
    await name.fill('')
    await expect(name).toHaveAttribute('placeholder', 'optional')
    await formOf(page, 'wire').getByRole('button', { name: 'send empty name' }).click()
    await expect(jsonOf(page)).toContainText('"name": ""')
    await formOf(page, 'wire').getByRole('button', { name: 'omit name' }).click()
    await expect(jsonOf(page)).not.toContainText('"name"')
  })

  await test.step('the current time is inserted in the form that the schema asks for', async () => {
    await openEntry(page, SERVER.name, 'optional')
    const due = formOf(page, 'optional').getByLabel('due', { exact: true })
    await expect(due).toHaveAttribute('placeholder', /^2026-11-21T/)
    await formOf(page, 'optional').getByTitle('Insert the current date and time').click()
    await expect(due).toHaveValue(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/)
    await expect(verdict(page)).toHaveText('valid')
  })

  await test.step('an object without declared properties says that any name is allowed', async () => {
    await formOf(page, 'optional')
      .getByRole('button', { name: /labels/ })
      .click()
    await expect(formOf(page, 'optional')).toContainText(
      'The schema declares no properties: any name is allowed.',
    )
    await formOf(page, 'optional').getByRole('button', { name: 'Add property' }).click()
    await expect(formOf(page, 'optional').getByPlaceholder('name', { exact: true })).toBeFocused()
    await page.keyboard.type('color')
    await formOf(page, 'optional').getByLabel('value of color').fill('"red"')
    await expect(jsonOf(page)).toContainText(/"color":\s*"red"/)
  })
})

test('an array is begun with its first item, and what is opened from the palette has the focus', async ({
  page,
}) => {
  await formOf(page, 'wire').getByRole('button', { name: 'Add tags' }).click()
  await expect(formOf(page, 'wire').getByLabel('item 0', { exact: true })).toBeFocused()
  await page.keyboard.type('red')
  await expect(jsonOf(page)).toContainText('"red"')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('tool_err')
  await expect(page.getByRole('option', { name: 'tool_error' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('dialog', { name: 'Command palette' })).toBeHidden()
  await expect(run(page)).toBeFocused()
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('wire')
  await expect(page.getByRole('option', { name: 'wire' })).toBeVisible()
  await page.keyboard.press('Enter')
  await expect(formOf(page, 'wire').getByLabel('count', { exact: true })).toBeFocused()
})

test('a tool that fails shows what it said, a request that fails its code and its data', async ({ page }) => {
  await openEntry(page, SERVER.name, 'tool_error')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('isError: true')
  await expect(resultOf(page)).toContainText('The disk is full.')
  await expect(exchangeOf(page, 'tool_error')).toContainText('isError')

  await openEntry(page, SERVER.name, 'rpc_error')
  await send(page, 'Run')
  const alert = resultOf(page).getByRole('alert')
  await expect(alert).toContainText('-32044')
  await expect(alert).toContainText('The quota is used up')
  await expect(alert.getByRole('tree', { name: 'Data of the error' })).toContainText('"plan": "free"')
  await expect(exchangeOf(page, 'rpc_error')).toContainText('-32044')
})
