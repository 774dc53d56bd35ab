import type { Locator, Page } from '@playwright/test'
import { resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { addUrl, approve, expectState, openAddDialog, openEntry, serverPage } from './server-steps.ts'
import { startGuardedServer } from './servers/guarded-server.ts'

// No browser of this machine is opened: the test is the browser.
test.use({ permissions: ['clipboard-read', 'clipboard-write'] })

function stepsOf(page: Page): Locator {
  return page.getByRole('listbox', { name: 'Steps' })
}

/** Goes on from one request that is held to the next, until the browser's turn. */
async function continueToTheBrowser(page: Page): Promise<void> {
  const browser = page.getByRole('form', { name: 'Sign-in' })
  const held = page.getByRole('form', { name: 'Paused request' })
  await expect(async () => {
    if (await held.isVisible()) await held.getByRole('button', { name: 'Continue' }).click({ timeout: 1_000 })
    await expect(browser).toBeVisible({ timeout: 500 })
  }).toPass({ timeout: 60_000 })
}

test('an authorization is held before each request, changed, repeated and ended, and then forgotten', async ({
  page,
}) => {
  const server = await startGuardedServer()
  const name = 'guarded'
  await addUrl(page, name, server.url)
  await approve(page, name)
  await serverPage(page).getByRole('button', { name: 'Authorize…' }).click()
  const authorization = page.getByRole('region', { name: 'Authorization', exact: true })
  await expect(authorization).toContainText('needed')

  // Held, and one request changed.
  await authorization.getByRole('switch', { name: 'Pause before each request' }).click()
  await authorization.getByRole('button', { name: 'Authorize', exact: true }).click()
  const held = page.getByRole('form', { name: 'Paused request' })
  await held.getByLabel('headers').fill('accept: application/json\nX-Seen: by me')
  await held.getByRole('button', { name: 'Send changed' }).click()
  await continueToTheBrowser(page)
  await expect(stepsOf(page)).toContainText('Resource metadata')
  await stepsOf(page)
    .getByRole('option', { name: /Resource metadata/ })
    .last()
    .click()
  const step = page.getByRole('region', { name: 'Step', exact: true })
  await expect(step.getByRole('group', { name: 'response' })).toContainText(server.issuer)

  // Back to a step, and on from there without a stop; the person agrees in the browser.
  await authorization.getByRole('switch', { name: 'Pause before each request' }).click()
  const copiedAddress = async (): Promise<string> => {
    await authorization.getByRole('button', { name: 'Copy URL' }).click()
    return page.evaluate(() => navigator.clipboard.readText())
  }
  let before = ''
  await expect.poll(async () => (before = await copiedAddress())).toContain(server.issuer)
  await step.getByRole('button', { name: 'Repeat from here' }).click()
  // Where the address of before leads back to, nobody listens.
  let address = before
  await expect.poll(async () => (address = await copiedAddress())).not.toBe(before)
  expect(new URL(address).origin).toBe(new URL(server.issuer).origin)
  await fetch(address)
  await expect(authorization).toContainText('authorized')
  await expect(authorization).toContainText('dynamic registration')
  await expect(stepsOf(page)).toContainText('Token')
  await expectState(page, name, 'connected')
  await openEntry(page, name, 'whoami')
  await send(page, 'Run')
  await expect(resultOf(page)).not.toContainText('nobody')

  // What a person set comes back, a secret as one that is kept; and what was got is forgotten.
  await page.getByRole('tab', { name: /^Authorization/ }).click()
  await authorization.getByRole('button', { name: 'Settings…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Authorization settings' })
  await dialog.getByLabel('client id').fill('by-hand')
  await dialog.getByLabel('client secret').fill('very secret')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
  await authorization.getByRole('button', { name: 'Settings…' }).click()
  await expect(dialog.getByLabel('client id')).toHaveValue('by-hand')
  await expect(dialog).toContainText('Stored; leave empty')
  await page.keyboard.press('Escape')
  await expect(authorization.getByRole('button', { name: 'Authorize', exact: true })).toBeVisible()
  await server.close()
})

test('the authorization of a server with a bearer token says why it is not used', async ({ page }) => {
  const server = await startGuardedServer()
  const dialog = await openAddDialog(page, 'URL')
  await dialog.getByLabel('name', { exact: true }).fill('with a token')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(server.url)
  await dialog.getByLabel('bearer token').fill('not-a-good-one')
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await approve(page, 'with a token')
  await expectState(page, 'with a token', 'needs a token')
  await serverPage(page).getByRole('button', { name: 'Authorize…' }).click()
  const authorization = page.getByRole('region', { name: 'Authorization', exact: true })
  await expect(authorization).toContainText('Authorization not used')
  await expect(authorization).toContainText('This server has a bearer token.')
  await expect(authorization.getByRole('button', { name: 'Authorize', exact: true })).toBeDisabled()
  await server.close()
})
