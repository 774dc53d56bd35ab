import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { PausableHost } from './pausable-host.ts'
import { chooseNew, openRegistry, selectEntry } from './registry-steps.ts'
import { addUrl, approvalOf, expectState, openAddDialog, serverRow } from './server-steps.ts'

/** An address at which nothing answers. */
const NOWHERE = 'http://127.0.0.1:1/mcp'

/** Goes to what has exactly this name. */
async function runFromPalette(page: Page, name: string): Promise<void> {
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.insertText(name)
  await page
    .getByRole('option')
    .filter({ has: page.getByText(name, { exact: true }) })
    .first()
    .click()
}

test('a form holds what was typed into it, whatever was asked for before', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  await addUrl(page, 'one', NOWHERE)
  await addUrl(page, 'two', 'http://127.0.0.1:2/mcp')

  await test.step('a dialog begins with the server that it is about', async () => {
    await approvalOf(page, 'two').getByRole('button', { name: 'Edit…' }).click()
    await page
      .getByRole('dialog', { name: 'Edit two' })
      .getByRole('textbox', { name: 'URL' })
      .fill('half typed')
    await runFromPalette(page, 'one')
    await runFromPalette(page, 'Edit one…')
    const dialog = page.getByRole('dialog', { name: 'Edit one' })
    await expect(dialog.getByRole('textbox', { name: 'URL' })).toHaveValue(NOWHERE)
  })

  await test.step('the reply to a dialog that is closed closes no other', async () => {
    const dialog = page.getByRole('dialog', { name: 'Edit one' })
    await dialog.getByRole('textbox', { name: 'URL' }).fill('http://127.0.0.1:3/mcp')
    host.hold('/servers/update')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect.poll(() => host.kept('/servers/update')).toBe(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    const add = await openAddDialog(page, 'Paste')
    host.release('/servers/update')
    // What is read of this comes after that reply.
    await add.getByLabel('Configuration').fill('npx -y @example/server')
    await expect(add).toContainText('@example/server')
  })

  await test.step('a command line that was split leaves alone what was typed meanwhile', async () => {
    const add = page.getByRole('dialog', { name: 'Add server' })
    await add.getByRole('tab', { name: 'Command' }).click()
    await add.getByLabel('command', { exact: true }).fill('KEY=1 npx -y other')
    host.hold('/servers/readPaste')
    await add.getByRole('button', { name: 'Split into command and arguments' }).click()
    await expect.poll(() => host.kept('/servers/readPaste')).toBe(1)
    await add.getByLabel('name', { exact: true }).fill('typed meanwhile')
    host.release('/servers/readPaste')
    await expect(add.getByLabel('command', { exact: true })).toHaveValue('npx')
    await expect(add.getByLabel('arguments', { exact: true })).toHaveValue('-y\nother')
    await expect(add.getByLabel('name', { exact: true })).toHaveValue('typed meanwhile')
    await page.keyboard.press('Escape')
  })

  await test.step('what was subscribed to takes away only itself', async () => {
    await serverRow(page, 'This app').locator('button[data-server]').click()
    await page.getByRole('button', { name: 'Server menu' }).click()
    await page.getByRole('menuitem', { name: 'Subscriptions' }).click()
    const list = page.getByRole('region', { name: 'Subscriptions', exact: true })
    const uri = list.getByRole('textbox', { name: 'URI to subscribe to' })
    await uri.fill('notes://index')
    host.hold('/inspection/subscribe')
    await list.getByRole('button', { name: 'Subscribe', exact: true }).click()
    await expect.poll(() => host.kept('/inspection/subscribe')).toBe(1)
    await uri.fill('notes://next')
    host.release('/inspection/subscribe')
    await expect(list.getByRole('button', { name: 'Subscribe', exact: true })).toBeEnabled()
    await expect(uri).toHaveValue('notes://next')
  })

  await test.step('a second press subscribes again', async () => {
    const list = page.getByRole('region', { name: 'Subscriptions', exact: true })
    await list.getByRole('button', { name: 'Open notes://index' }).click()
    const chip = page.getByRole('button', { name: /^subscribed/ })
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
    const before = host.times('/inspection/subscribe')
    host.hold('/inspection/unsubscribe')
    host.hold('/events/watch')
    await chip.click()
    await expect.poll(() => host.kept('/inspection/unsubscribe')).toBe(1)
    await chip.click()
    host.release('/inspection/unsubscribe')
    host.release('/events/watch')
    await expect.poll(() => host.times('/inspection/subscribe')).toBe(before + 1)
    await expect(chip).toHaveAttribute('aria-pressed', 'true')
  })
})

test('mocks and faults show the last change', async ({ blankPage: page, app }) => {
  const host = await PausableHost.between(page, await app.address())
  await openRegistry(page)

  await test.step('a form stays, with what was typed, when its entry changes meanwhile', async () => {
    await chooseNew(page, 'New mock resource…')
    const made = page.getByRole('dialog', { name: 'New mock resource' })
    await made.getByLabel('URI', { exact: true }).fill('demo://first')
    await made.getByLabel('name', { exact: true }).fill('motto')
    await made.getByRole('button', { name: 'Save' }).click()
    await expect(made).toBeHidden()
    await page.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit mock resource' })
    await dialog.getByLabel('URI', { exact: true }).fill('demo://second')
    await dialog.getByLabel('name', { exact: true }).fill('second motto')
    host.hold('/mocks/save')
    await dialog.getByRole('button', { name: 'Save' }).click()
    // The event comes before the reply: there is no such entry any more.
    await expect(page.locator('[role=treegrid][aria-label=Entries]')).toContainText('demo://second')
    await expect(dialog.getByLabel('URI', { exact: true })).toHaveValue('demo://second')

    // And the reply to a form that was closed closes no other.
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await chooseNew(page, 'New mock prompt…')
    const next = page.getByRole('dialog', { name: 'New mock prompt' })
    await next.getByLabel('name', { exact: true }).fill('typed meanwhile')
    host.release('/mocks/save')
    await expect(page.getByText('Serving second motto')).toBeVisible()
    await expect(next.getByLabel('name', { exact: true })).toHaveValue('typed meanwhile')
    await page.keyboard.press('Escape')
  })

  await test.step('an answer in the place of a tool, too', async () => {
    await selectEntry(page, 'create_note')
    await page.getByRole('button', { name: 'More of create_note' }).click()
    await page.getByRole('menuitem', { name: 'Override result…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Override create_note' })
    const byHand = '{ "content": [{ "type": "text", "text": "by hand" }] }'
    await dialog.getByRole('textbox', { name: 'Result' }).fill(byHand)
    host.hold('/mocks/saveOverride')
    await dialog.getByRole('button', { name: 'Save' }).click()
    await expect(page.locator('[role=treegrid][aria-label=Entries]')).toContainText('override of')
    await dialog.getByRole('textbox', { name: 'Result' }).press('End')
    await page.keyboard.type(' ')
    await expect(dialog.getByRole('textbox', { name: 'Result' })).toHaveValue(`${byHand} `)
    // It is there now, and the form that made it does not know it yet.
    await expect(dialog.getByRole('button', { name: 'Remove' })).toBeHidden()
    host.release('/mocks/saveOverride')
    await expect(dialog).toBeHidden()
  })

  await test.step('a second press of a switch takes back the first', async () => {
    const drop = page.getByRole('table', { name: 'Faults' }).getByRole('switch', { name: 'drop' })
    // Neither the reply nor the event comes before the second press.
    host.hold('/faults/save')
    host.hold('/events/watch')
    await drop.click()
    await expect(drop).toBeChecked()
    await drop.click()
    await expect(drop).not.toBeChecked()
    host.release('/faults/save')
    host.release('/events/watch')
    await expect.poll(() => host.times('/faults/save')).toBe(2)
    await expect(page.getByRole('button', { name: 'All off' })).toBeDisabled()
    await expect(drop).not.toBeChecked()
  })
})

test('a server does what was pressed last, and no action is done twice', async ({ blankPage: page, app }) => {
  const host = await PausableHost.between(page, await app.address())
  await addUrl(page, 'far', NOWHERE)

  await test.step('it is connected as soon as it is approved', async () => {
    await expect(approvalOf(page, 'far')).toContainText(NOWHERE)
    host.hold('/servers/approval')
    host.hold('/events/watch')
    await approvalOf(page, 'far').getByRole('button', { name: 'Approve and connect' }).click()
    await expect.poll(() => host.asked).toContain('1 /servers/connect')
    host.release('/servers/approval')
    host.release('/events/watch')
    await expectState(page, 'far', 'failed')
  })

  await test.step('an authorization that has not begun yet can be held', async () => {
    await page.getByRole('button', { name: 'Server menu' }).click()
    await page.getByRole('menuitem', { name: 'Authorization' }).click()
    const authorization = page.getByRole('region', { name: 'Authorization', exact: true })
    const hold = authorization.getByRole('switch', { name: 'Pause before each request' })
    host.hold('/events/watch')
    host.hold('/authorization/pause')
    await authorization.getByRole('button', { name: 'Authorize', exact: true }).click()
    await hold.click()
    await expect(hold).toBeChecked()
    await expect.poll(() => host.asked).toContain('1 /authorization/pause')
    host.release('/authorization/pause')
    await expect(hold).toBeChecked()
    host.release('/events/watch')
    await expect(hold).toBeChecked()
    await page.keyboard.press('Alt+w')
  })

  await test.step('a server that is removed leaves the page of another', async () => {
    const far = serverRow(page, 'far').locator('button[data-server]')
    await far.focus()
    host.hold('/servers/remove')
    host.hold('/events/watch')
    await page.keyboard.press('Delete')
    await page.keyboard.press('Delete')
    await expect.poll(() => host.kept('/servers/remove')).toBe(1)
    // The event comes before the reply.
    host.release('/events/watch')
    await expect(far).toBeHidden()
    await expect(page.getByRole('region', { name: 'Address of This app' })).toBeVisible()
    host.release('/servers/remove')
    await expect(page.getByText('Removed far')).toBeVisible()
    await expect(page.getByRole('region', { name: 'Address of This app' })).toBeVisible()
    expect(host.times('/servers/remove')).toBe(1)
  })

  await test.step('a second press of a switch takes back the first', async () => {
    const token = page.getByRole('switch', { name: 'Require a token' })
    host.hold('/embedded/setTokenRequired')
    host.hold('/events/watch')
    await token.click()
    await expect(token).not.toBeChecked()
    await token.click()
    await expect(token).toBeChecked()
    host.release('/embedded/setTokenRequired')
    host.release('/events/watch')
    await expect.poll(() => host.times('/embedded/setTokenRequired')).toBe(2)
    await expect(token).toBeChecked()
  })
})

test('the theme chosen last stays, and what the lists gained is shown once they were read', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  const root = page.locator('html')
  await expectState(page, 'This app', 'connected')

  await test.step('the theme', async () => {
    host.hold('/app/saveSettings')
    await runFromPalette(page, 'Theme: dark')
    await expect.poll(() => host.kept('/app/saveSettings')).toBe(1)
    await runFromPalette(page, 'Theme: light')
    await expect(root).toHaveAttribute('data-theme', 'light')
    // The first reply comes, the second is kept back.
    host.release('/app/saveSettings')
    host.hold('/app/saveSettings')
    await expect.poll(() => host.kept('/app/saveSettings')).toBe(1)
    await expect(root).toHaveAttribute('data-theme', 'light')
    host.release('/app/saveSettings')
  })

  await test.step('the lists', async () => {
    const change = page.getByRole('status', { name: 'List changes' })
    await page.getByRole('button', { name: /^Client capabilities/ }).click()
    const editor = page.getByRole('dialog', { name: 'Declared to This app' })
    await editor.getByRole('checkbox', { name: 'sampling', exact: true }).first().click()
    host.hold('/inspect/lists')
    await editor.getByRole('button', { name: 'Save and reconnect' }).click()
    await expect(editor).toBeHidden()
    await expect.poll(() => host.kept('/inspect/lists')).toBeGreaterThan(0)
    await expect(change).toBeHidden()
    host.release('/inspect/lists')
    await expect(change).toContainText('The lists are the same as before.')
  })
})
