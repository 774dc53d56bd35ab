import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { openEntry, startServer } from './server-steps.ts'

const server = {
  name: 'data',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'servers/data-server.ts')],
}

/** How many rows of a table are shown. */
function countOf(page: Page): Locator {
  return resultOf(page).getByRole('status').filter({ hasText: 'rows' })
}

/** The text of the first cells of a column, from the top of the table. */
async function firstCells(page: Page, column: number, count: number): Promise<string[]> {
  const rows = resultOf(page).getByRole('table').getByRole('row')
  const cells = Array.from({ length: count }, (_, place) =>
    rows
      .nth(place + 1)
      .getByRole('cell')
      .nth(column)
      .innerText(),
  )
  return Promise.all(cells)
}

test('a result is shown as what it is: a table, a chart, JSON in a text, Markdown; alone if wanted', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startServer(page, server)

  await test.step('a list of objects is a table that is sorted, filtered and copied', async () => {
    await openEntry(page, 'data', 'stations')
    await send(page, 'Run')
    await resultOf(page).getByRole('tab', { name: 'Table' }).click()
    await expect(countOf(page)).toHaveText('500 rows, 5 columns')
    await look(page, 'table')
    await resultOf(page).getByRole('button', { name: /^temp/ }).click()
    expect(await firstCells(page, 3, 2)).toEqual(['-15', '-15'])
    await resultOf(page).getByRole('button', { name: /^temp/ }).click()
    await expect(resultOf(page).getByRole('columnheader', { name: /^temp/ })).toHaveAttribute(
      'aria-sort',
      'descending',
    )
    expect(await firstCells(page, 3, 1)).toEqual(['15'])
    await resultOf(page).getByLabel('Filter rows').fill('sky:snow temp<0 wind=2')
    await expect(countOf(page)).toContainText(/^\d+ of 500 rows/)
    await resultOf(page).getByLabel('Filter rows').fill('HYPERLINK')
    await resultOf(page).getByRole('button', { name: 'Copy as CSV' }).click()
    await expect
      .poll(() => page.evaluate(() => navigator.clipboard.readText()))
      .toBe('id,name,temp,wind,sky\r\nS002,"\'=HYPERLINK(""http://example.com"")",0.7,7,rain\r\n')
  })

  await test.step('its numbers are a chart', async () => {
    await resultOf(page).getByRole('tab', { name: 'Chart' }).click()
    const chart = resultOf(page).getByRole('img')
    await expect(chart).toHaveAccessibleName(
      /^temp, wind over id, 500 points; temp from −15 to 15; wind from 0 to 22$/,
    )
    await look(page, 'chart')
    await resultOf(page).getByRole('checkbox', { name: 'wind' }).click()
    await expect(chart).toHaveAccessibleName(/^temp over id/)
  })

  await test.step('F9 gives the result the whole page, and gives everything back', async () => {
    await page.keyboard.press('F9')
    await expect(resultOf(page).getByRole('button', { name: 'Restore', exact: true })).toBeVisible()
    await look(page, 'maximized')
    // Neither pointer nor keys reach what is covered.
    const covered = page.locator('[inert]').filter({ has: page.getByRole('treegrid', { name: 'Exchanges' }) })
    await expect(covered).toHaveCount(1)
    await page.keyboard.press('ControlOrMeta+Enter')
    await expect(resultOf(page).getByRole('tab', { name: 'Chart' })).toBeVisible()
    await page.keyboard.press('F9')
    await expect(resultOf(page).getByRole('button', { name: 'Restore', exact: true })).toHaveCount(0)
    await expect(covered).toHaveCount(0)
  })

  await test.step('arguments are folded to a line by their key', async () => {
    await resultOf(page).focus()
    await page.keyboard.press('[')
    await expect(page.getByRole('form', { name: 'Arguments of stations' })).toHaveCount(0)
    await page.getByRole('button', { name: 'Unfold arguments' }).click()
    await expect(page.getByRole('form', { name: 'Arguments of stations' })).toBeAttached()
  })

  await test.step('the call is repeated, with percentiles and a histogram', async () => {
    await page.getByRole('tab', { name: 'Repeat', exact: true }).click()
    await page.getByRole('textbox', { name: 'times' }).fill('40')
    await page.getByRole('textbox', { name: 'at once' }).fill('4')
    await page.keyboard.press('Enter')
    await page.getByRole('button', { name: 'Repeat', exact: true }).click()
    await expect(page.getByRole('status').filter({ hasText: 'succeeded' })).toContainText(
      /^40 of 40 succeeded.*all results the same$/,
    )
    await expect(page.getByRole('img', { name: /^Histogram of 40 calls/ })).toBeVisible()
    await expect(page.getByRole('table', { name: 'Server time in milliseconds' })).toContainText('p95')
    await look(page, 'repeat')
    await page.getByRole('tab', { name: 'Call', exact: true }).click()
  })

  await test.step('JSON in a text is shown as JSON, and as a table', async () => {
    await openEntry(page, 'data', 'stations_as_text')
    await send(page, 'Run')
    await expect(resultOf(page).getByRole('tree')).toContainText('"S001"')
    await resultOf(page).getByRole('tab', { name: 'Table' }).click()
    await expect(countOf(page)).toHaveText('3 rows, 5 columns')
    expect(await firstCells(page, 3, 3)).toEqual(['0', '0.7', ''])
  })

  await test.step('Markdown is shown as what it means, without links, images or HTML', async () => {
    await openEntry(page, 'data', 'handbook')
    await send(page, 'Run')
    await expect(resultOf(page).getByRole('heading', { name: 'Stations' })).toBeVisible()
    await expect(resultOf(page).getByRole('cell', { name: '< 1 km' })).toBeVisible()
    await expect(resultOf(page)).toContainText('https://example.com/map')
    await expect(resultOf(page)).toContainText('first item with &lt;code&gt; & text')
    await expect(resultOf(page)).toContainText('<img src="https://example.com/pixel.png"')
    await expect(resultOf(page).locator('a, img')).toHaveCount(0)
    await look(page, 'markdown')
    await resultOf(page).getByRole('radio', { name: 'text' }).click()
    await expect(resultOf(page)).toContainText('**measures**')
  })

  await test.step('Markdown that takes too long to parse is shown as text', async () => {
    await openEntry(page, 'data', 'slow_handbook')
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText('# Slow')
    await expect.poll(() => page.workers().filter((worker) => worker.url().includes('markdown'))).toEqual([])
    await expect(resultOf(page)).toContainText('# Slow')
  })
})
