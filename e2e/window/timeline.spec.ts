import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { exchangeOf, formOf, frameOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openInspector, openRegistry } from './registry-steps.ts'
import { openEntry, startServer } from './server-steps.ts'

const FLOOD = {
  name: 'flood-one-of-many-servers',
  command: process.execPath,
  args: [path.join(import.meta.dirname, '../soak/flood-server.ts')],
}

function rows(page: Page): Locator {
  return page.getByRole('treegrid', { name: 'Exchanges' })
}

function follow(page: Page): Locator {
  return page.getByRole('button', { name: /^follow/ })
}

/** Lets the server send as many log notifications. */
async function flood(page: Page, count: number): Promise<void> {
  await openEntry(page, FLOOD.name, 'flood')
  await expect(formOf(page, 'flood')).toBeVisible()
  await typeJson(page, JSON.stringify({ count }))
  await send(page, 'Run')
}

test('the timeline keeps following, or its place, over changes of page and width', async ({ page }) => {
  await startServer(page, FLOOD)
  await flood(page, 300)
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(exchangeOf(page, 'tools/call')).toBeVisible()

  await openRegistry(page)
  await openInspector(page)
  await page.setViewportSize({ width: 1_000, height: 700 })
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')
  await expect(exchangeOf(page, 'tools/call')).toBeVisible()

  // A selection pauses following; closing the frames resumes it.
  await exchangeOf(page, 'tools/call').click()
  await expect(frameOf(page)).toBeVisible()
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'false')
  await page.getByRole('button', { name: 'Close frames' }).click()
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'true')

  // Scrolled away from the selected row, the list stays where it is.
  await follow(page).click()
  await rows(page).hover()
  await rows(page).evaluate((grid) => grid.scrollTo({ top: 0 }))
  await expect(exchangeOf(page, 'initialize').first()).toBeVisible()
  await openRegistry(page)
  await openInspector(page)
  await page.setViewportSize({ width: 1_440, height: 900 })
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'false')
  expect(await rows(page).evaluate((grid) => grid.scrollTop)).toBeLessThan(30)
})
