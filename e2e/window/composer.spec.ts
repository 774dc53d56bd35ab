import type { Locator, Page } from '@playwright/test'
import { exchangeOf, frameOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, explorerOf, openEntry, startServer } from './server-steps.ts'

/** Chooses a template of the open composer. */
async function takeTemplate(page: Page, method: string): Promise<void> {
  await page.getByRole('button', { name: 'Template' }).click()
  await page.getByRole('menuitem', { name: method, exact: true }).click()
  // Until the menu has closed its item has the focus, and takes the keys that follow.
  await expect(page.getByRole('menu')).toBeHidden()
}

async function breakIt(page: Page, way: string): Promise<void> {
  await page.getByRole('button', { name: 'Break it' }).click()
  await page.getByRole('menuitem', { name: way }).click()
}

function cameBack(page: Page): Locator {
  return page.getByRole('region', { name: 'Received', exact: true })
}

function frames(page: Page, words: string | RegExp): Locator {
  return cameBack(page).getByRole('option').filter({ hasText: words })
}

test('anything is sent, well-formed or broken, and everything that comes back is shown with its findings', async ({
  page,
}) => {
  const composer = page.getByRole('region', { name: 'Composer', exact: true })
  const message = page.getByRole('textbox', { name: 'Message' })

  // Over HTTP, by the command's key: a template of the newest revision, as it is.
  await expect(explorerOf(page, 'This app')).toBeVisible()
  await page.keyboard.press('Alt+c')
  await expect(composer).toContainText('Nothing sent yet')
  await takeTemplate(page, 'server/discover')
  await expect(message).toContainText('io.modelcontextprotocol/clientCapabilities')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(cameBack(page)).toContainText('HTTP 200')
  await frames(page, 'response').last().click()
  await expect(cameBack(page)).toContainText('supportedVersions')
  await expect(cameBack(page)).toContainText('No findings')

  // Broken on purpose; the rules name what is wrong with what was sent.
  await breakIt(page, 'Leave out _meta')
  await composer.getByRole('button', { name: 'Send' }).click()
  await expect(cameBack(page)).toContainText('HTTP 400')
  await frames(page, 'server/discover').first().click()
  await expect(cameBack(page).getByRole('list', { name: 'Findings' })).toContainText('_meta')
  await breakIt(page, 'Cut off the end')
  await composer.getByRole('textbox', { name: 'HTTP headers' }).fill('X-Odd: yes')
  await composer.getByRole('button', { name: 'Send' }).click()
  await expect(cameBack(page)).toContainText('-32700')
  await frames(page, 'no valid message').first().click()
  await expect(cameBack(page)).toContainText('x-odd')

  // Over stdio, from a row of the timeline: again as it is, then edited; and bytes that are not text.
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, name, 'echo')
  await page.getByRole('form', { name: 'Arguments of echo' }).getByLabel('message').fill('once')
  await send(page, 'Run')
  await exchangeOf(page, 'tools/call').click()
  await frameOf(page).getByRole('button', { name: 'Frame before' }).click()
  await frameOf(page).getByRole('button', { name: 'Send again' }).click()
  await expect(cameBack(page)).toContainText('Echo: once')
  await expect(message).toContainText('"again-')
  await frameOf(page).getByRole('button', { name: 'Edit and send' }).click()
  await message.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText('{"jsonrpc":"2.0","id":"odd","method":"no/such/method"}')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(cameBack(page)).toContainText('-32601')
  await composer.getByRole('radio', { name: 'Hex' }).click()
  await composer.getByRole('textbox', { name: 'Bytes' }).fill('7b f')
  await expect(composer.getByRole('button', { name: 'Send' })).toBeDisabled()
  await composer.getByRole('textbox', { name: 'Bytes' }).fill('7b ff fe')
  await composer.getByRole('button', { name: 'Send' }).click()
  await expect(frames(page, '3 B')).toBeVisible()

  // The connection goes on, and what was typed outlives the page.
  await page.reload()
  await expect(composer.getByRole('textbox', { name: 'Bytes' })).toHaveValue('7b ff fe')
  await openEntry(page, name, 'echo')
  await send(page, 'Run')
  await expect(page.getByRole('region', { name: 'Result', exact: true })).toContainText('Echo: once')
})
