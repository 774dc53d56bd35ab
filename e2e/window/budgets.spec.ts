import path from 'node:path'
import { formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { firstPaint, measured, painted, typeAndMeasure, watchPaint } from './measuring.ts'
import { explorerOf, openEntry, serverRow, startServer } from './server-steps.ts'

const SERVER = {
  name: 'hostile',
  command: process.execPath,
  args: [path.join(import.meta.dirname, 'servers/hostile-server.ts')],
}

test('2,000 tools are listed, found and typed into', async ({ page }) => {
  measured('first contentful paint', await firstPaint(page))
  await startServer(page, SERVER)
  await serverRow(page, 'This app').getByRole('button', { name: 'This app', exact: true }).click()
  await expect(explorerOf(page, 'This app')).toBeVisible()
  const tree = explorerOf(page, SERVER.name)
  await watchPaint(page, '[aria-label="What hostile offers"] [role="treeitem"]:nth-child(12)')
  await serverRow(page, SERVER.name).getByRole('button', { name: SERVER.name, exact: true }).click()
  measured('2,000 tools listed after the click on their server', await painted(page))
  await expect(tree.getByRole('treeitem', { name: /^Tools 2,004/ })).toBeVisible()

  const filter = page.getByRole('textbox', { name: 'Filter explorer' })
  measured('keystroke in the filter of 2,000 tools', await typeAndMeasure(page, filter, 'tool_17'))
  await expect(tree.getByRole('treeitem', { name: /^Tools 100 of 2,004/ })).toBeVisible()
  await openEntry(page, SERVER.name, 'tool_1700')
  const field = formOf(page, 'tool_1700').getByLabel('text', { exact: true })
  measured('keystroke in a field beside 2,000 tools', await typeAndMeasure(page, field, 'quick brown fox'))
  await expect(field).toHaveValue('quick brown fox')

  await filter.fill('')
  await tree.focus()
  await page.keyboard.press('End')
  await expect(tree.getByRole('treeitem').last()).toBeVisible()
  await page.keyboard.press('Home')
  await expect(tree.getByRole('treeitem', { name: /^Tools 2,004/ })).toBeVisible()
})

for (const [words, bytes] of [
  ['200 KB', 200_000],
  ['5 MB', 5_000_000],
] as const) {
  test(`a result of ${words} is read to its end`, async ({ page }) => {
    await startServer(page, SERVER)
    await openEntry(page, SERVER.name, 'big_json')
    await formOf(page, 'big_json').getByLabel('bytes', { exact: true }).fill(String(bytes))
    await watchPaint(page, '[aria-label="structuredContent"] [role="treeitem"]')
    await send(page, 'Run')
    measured(`${words} of JSON readable after the click on Run`, await painted(page))

    const tree = resultOf(page).getByRole('tree', { name: 'structuredContent' })
    await watchPaint(page, '[aria-label="structuredContent"] [role="treeitem"]:nth-child(9)')
    await tree.getByRole('treeitem', { name: '"rows"' }).click()
    measured(`${words} unfolded after the click on its array`, await painted(page))
    await expect(tree).toContainText('"row 1"')
    await tree.focus()
    await page.keyboard.press('End')
    await page.keyboard.press('ArrowLeft')
    await expect(tree.getByRole('treeitem').last()).toContainText(/"place"|\}|\]/)

    await watchPaint(page, '[aria-label="Full response"] [role="treeitem"]')
    await page.getByRole('tab', { name: 'Message' }).click()
    measured(`${words} message after the click on Message`, await painted(page))
    await expect(resultOf(page).getByRole('tree', { name: 'Full response' })).toContainText('"result"')
  })
}
