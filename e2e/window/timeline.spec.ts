import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { exchangeOf, formOf, frameOf, send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openInspector, openRegistry } from './registry-steps.ts'
import { expectState, openEntry, startServer } from './server-steps.ts'

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
  // The first row, whatever else the app has exchanged by now.
  await expect(exchangeOf(page, 'listening on')).toBeVisible()
  await openRegistry(page)
  await openInspector(page)
  await page.setViewportSize({ width: 1_440, height: 900 })
  await expect(follow(page)).toHaveAttribute('aria-pressed', 'false')
  expect(await rows(page).evaluate((grid) => grid.scrollTop)).toBeLessThan(30)
})

test('results of the timeline stay in their column, with the longest words there are', async ({ page }) => {
  await expectState(page, 'This app', 'connected')
  const row = exchangeOf(page, 'tools/list')
  const result = row.getByRole('gridcell').nth(3)
  for (const [width, height] of [
    [1_440, 900],
    [1_000, 700],
  ] as const) {
    await page.setViewportSize({ width, height })
    await expect(result).toBeVisible()
    for (const text of ['waits 59 min 59 s', 'isError 59 min 59 s', '-32601 59 min 59 s']) {
      const hidden = await result.evaluate((cell, words) => {
        const copy = cell.cloneNode(false) as HTMLElement
        copy.textContent = words
        cell.replaceWith(copy)
        const shown = document.createRange()
        shown.selectNodeContents(copy)
        // It ends at the right: what does not fit is cut off at the left.
        const pixels = copy.getBoundingClientRect().left - shown.getBoundingClientRect().left
        copy.replaceWith(cell)
        return pixels
      }, text)
      expect(hidden, `${text} at ${width} pixels`).toBeLessThanOrEqual(0)
    }
  }
})
