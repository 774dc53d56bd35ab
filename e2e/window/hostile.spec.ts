import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { exchangeOf, frameOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { explorerOf, openEntry, startServer } from './server-steps.ts'

const SERVER = {
  name: 'hostile',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'servers/hostile-server.ts')],
}

/** It is there as text: the markup to be read, what would hide or turn it named. */
async function expectAsText(place: Locator): Promise<void> {
  await expect(place).toContainText('<img src=x onerror=')
  await expect(place).toContainText(/<script>document\.title=\\?"owned\\?"<\/script>/)
  await expect(place).toContainText('U+202E')
  await expect(place).toContainText('U+200B')
  await expect(place).toContainText(/red/)
}

/** Nothing of it came alive: no element was made of it, no character of it hides, no script ran. */
async function expectHarmless(page: Page): Promise<void> {
  await expect(page).toHaveTitle(/Patchbay/)
  await expect(
    page.locator('img[src="x"], script:not([src]):not([nonce]), a[href^="javascript"]'),
  ).toHaveCount(0)
  const text = await page.locator('body').innerText()
  expect(text).not.toMatch(/[\u202e\u2066\u200b\u001b]/u)
}

/** Starts the server of these tests on a page on which nothing may ask for an answer. */
async function startHostile(page: Page): Promise<void> {
  page.on('dialog', (dialog) => void dialog.dismiss())
  await startServer(page, SERVER)
}

test('names and descriptions of a server are text, whatever is in them', async ({ page }) => {
  await startHostile(page)
  const tree = explorerOf(page, SERVER.name)
  await expectAsText(tree.getByRole('treeitem').nth(1))
  await expectHarmless(page)
  await tree.getByRole('treeitem').nth(1).click()
  const workbench = page.getByRole('region', { name: 'Workbench' })
  await expectAsText(workbench.getByRole('heading', { level: 2 }))
  await expectAsText(workbench.getByRole('form'))
  await expectHarmless(page)
  await page.getByRole('tab', { name: 'Definition' }).click()
  await expectAsText(workbench.getByRole('tabpanel').last())
  await expectHarmless(page)

  await page.keyboard.press('ControlOrMeta+k')
  await page.getByRole('combobox').fill('owned')
  await expect(page.getByRole('option').first()).toContainText('<img src=x')
  await expectHarmless(page)
})

test('results, errors and standard error are text, whatever is in them', async ({ page }) => {
  await startHostile(page)
  await openEntry(page, SERVER.name, 'hostile_result')
  await send(page, 'Run')
  for (const name of ['Content 1: text', 'Content 2: resource_link', 'Content 3: block'])
    await expectAsText(resultOf(page).getByRole('region', { name }).first())
  await expect(resultOf(page).getByRole('img', { name: /image\/svg\+xml/ })).toBeVisible()
  await expectHarmless(page)
  await page.getByRole('tab', { name: 'Message' }).click()
  await expect(resultOf(page)).toContainText('<img src=x')
  await expectHarmless(page)

  await openEntry(page, SERVER.name, 'hostile_error')
  await send(page, 'Run')
  await expectAsText(resultOf(page).getByRole('alert'))
  await expectHarmless(page)

  await exchangeOf(page, 'hostile_error').click()
  await expect(frameOf(page).getByRole('region', { name: 'raw, as received' })).toContainText('<img src=x')
  await expectHarmless(page)
  await exchangeOf(page, 'stderr').click()
  await expectAsText(frameOf(page))
  await expectHarmless(page)
})

test.describe('text that would become code', () => {
  test.use({ expectedErrors: [/policy violated|Trusted|Content Security Policy/i] })

  test('is refused by the page: markup, and scripts of workers', async ({ page }) => {
    const refusals = await page.evaluate(() => {
      const attempts = [
        () => (document.createElement('div').innerHTML = '<b>bold</b>'),
        () => document.body.insertAdjacentHTML('beforeend', '<b>bold</b>'),
        () => new DOMParser().parseFromString('<b>bold</b>', 'text/html'),
        () => new Worker('/assets/other.js'),
      ]
      return attempts.map((attempt) => {
        try {
          attempt()
          return 'allowed'
        } catch (error) {
          return error instanceof TypeError ? 'refused' : String(error)
        }
      })
    })
    expect(refusals).toEqual(['refused', 'refused', 'refused', 'refused'])
  })
})
