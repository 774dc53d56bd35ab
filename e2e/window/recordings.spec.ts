import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { openEntry, startServer, everything } from './server-steps.ts'
import { send, typeJson } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'

const HEADER = '{"format":"patchbay-recording","version":2,"startedAt":"2026-11-22T14:00:00.000Z"}'
const CALLS = [
  '{"connection":1,"transport":"stdio","side":"client","server":"weather"}',
  '{"at":1000,"on":1,"from":"client","kind":"message","message":{"jsonrpc":"2.0","id":0,"method":"initialize","params":{"clientInfo":{"name":"robot","version":"3"}}}}',
  '{"at":3000,"on":1,"from":"server","kind":"message","message":{"jsonrpc":"2.0","id":0,"result":{"protocolVersion":"2025-11-25"}}}',
  '{"at":20000,"on":1,"from":"client","kind":"message","message":{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"forecast","arguments":{"city":"Oslo"}}}}',
  '{"at":90000,"on":1,"from":"server","kind":"message","message":{"jsonrpc":"2.0","id":1,"result":{"content":[{"type":"text","text":"{\\"rain\\":1.4,\\"at\\":\\"2026-11-22T14:00:00Z\\"}"}]}}}',
  '{"at":95000,"on":1,"from":"client","kind":"message","message":{"jsonrpc":"2.0","id":2,"method":"resources/read","params":{"uri":"<img src=x onerror=alert(1)>"}}}',
  '{"at":99000,"on":1,"from":"server","kind":"message","message":{"jsonrpc":"2.0","id":2,"error":{"code":-32002,"message":"Resource not found"}}}',
]
const END = '{"at":99500,"end":{"frames":6,"shed":0}}'
const RECORDING = [HEADER, ...CALLS, END, ''].join('\n')

async function axeFinds(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

async function openRecordings(page: Page): Promise<Locator> {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Recordings' }).click()
  const list = page.getByRole('list', { name: 'List of recordings' })
  await list.waitFor()
  return list
}

async function importText(page: Page, name: string, text: string): Promise<void> {
  await page
    .locator('input[type="file"]')
    .setInputFiles({ name, mimeType: 'application/x-ndjson', buffer: Buffer.from(text) })
}

const viewOf = (page: Page): Locator => page.getByRole('region', { name: 'Recording', exact: true })

test('a recording is imported, read, searched, commented, renamed, exported and deleted', async ({
  page,
}) => {
  const requests: string[] = []
  page.on('request', (request) => requests.push(request.url()))
  const list = await openRecordings(page)
  await importText(page, 'Oslo, before.ndjson', RECORDING)
  const view = viewOf(page)
  await expect(view.getByRole('heading', { name: 'Oslo, before' })).toBeVisible()
  await expect(view).toContainText('6 frames')
  const row = list.getByRole('button', { name: /Oslo, before/ })
  await expect(row).toContainText('imported')
  await expect(row).toContainText('client robot 3')
  const grid = view.getByRole('treegrid', { name: 'Exchanges' })
  await expect(grid.getByRole('row')).toHaveCount(4)

  await grid.getByRole('row').filter({ hasText: 'forecast' }).click()
  const frame = view.getByRole('region', { name: 'Frame', exact: true })
  await expect(frame).toContainText('rain')
  await expect(frame.getByRole('button', { name: 'Send again' })).toHaveCount(0)
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'recording')
  await view.getByRole('searchbox').fill('onerror')
  await expect(grid.getByRole('row')).toHaveCount(2)
  await view.getByRole('searchbox').fill('')
  await view.getByRole('button', { name: 'errors' }).click()
  await expect(grid.getByRole('row')).toHaveCount(2)
  await view.getByRole('button', { name: 'errors' }).click()

  await view.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Comment…' }).click()
  await page.getByRole('dialog').getByLabel('comment').fill('why 1.4?')
  await page.getByRole('dialog').getByRole('button', { name: 'Add' }).click()
  await expect(view.getByRole('region', { name: 'Marks and comments' })).toContainText('why 1.4?')

  await view.getByRole('button', { name: 'Rename…' }).click()
  await page.getByRole('dialog').getByLabel('name').fill('Oslo, renamed')
  await page.keyboard.press('Enter')
  await expect(view.getByRole('heading', { name: 'Oslo, renamed' })).toBeVisible()

  await view.getByRole('button', { name: 'Export' }).click()
  await page.getByRole('menuitem', { name: 'Recording (NDJSON)' }).click()
  const toast = page.getByRole('dialog').filter({ hasText: 'Exported' })
  await expect(toast).toContainText('Oslo- renamed.ndjson')
  const file = /\S.*Oslo- renamed\.ndjson/.exec(
    (await toast.innerText()).split('\n').find((line) => line.includes('.ndjson')) ?? '',
  )
  expect(await readFile(file?.[0] ?? '', 'utf8')).toContain('why 1.4?')

  // Rules are tried on the recording that is shown, and what looks like a secret beside them is named.
  await page.getByRole('button', { name: 'Recording settings' }).click()
  const settings = page.getByRole('dialog', { name: 'Recording settings' })
  await settings.getByLabel('also masked').fill('key city\nnonsense')
  await settings.getByRole('button', { name: 'Preview masks' }).click()
  await expect(settings.getByRole('alert')).toContainText('"nonsense": expected header NAME')
  await settings.getByLabel('also masked').fill('key city')
  await settings.getByRole('button', { name: 'Preview masks' }).click()
  await expect(settings).toContainText('Masked in 1 of 6 frames.')
  await settings.getByLabel('OTLP collector').fill('localhost:4318')
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings.getByRole('alert')).toContainText('expected the http or https address')
  await settings.getByLabel('OTLP collector').fill('')
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'recording-settings')
  await settings.getByRole('switch', { name: 'Record every connection' }).click()
  await settings.getByRole('button', { name: 'Save' }).click()
  await expect(settings).toBeHidden()
  await expect(page.getByRole('contentinfo')).toContainText('recording is off')

  const commands = page.getByRole('region', { name: 'Use', exact: true })
  await expect(commands).toContainText('serve --replay imported-')
  await expect(commands).toContainText('-- COMMAND')

  await view.getByRole('button', { name: 'More actions' }).click()
  await page.getByRole('menuitem', { name: 'Delete…' }).click()
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete' }).click()
  await expect(row).toHaveCount(0)
  await expect(view).toContainText('No recording is selected')
  expect(requests.filter((url) => !url.startsWith(new URL(page.url()).origin))).toEqual([])
})

test('truncated, damaged, foreign and newer files get a partial view or an error; a file can be dropped', async ({
  page,
}) => {
  await openRecordings(page)
  await importText(page, 'cut.ndjson', RECORDING.slice(0, -120))
  await expect(viewOf(page).getByRole('heading', { name: 'cut' })).toBeVisible()
  await expect(viewOf(page)).toContainText('It has no end')
  await expect(
    viewOf(page).getByRole('treegrid').getByRole('row').filter({ hasText: 'forecast' }),
  ).toBeVisible()
  await importText(page, 'damaged.ndjson', RECORDING.replace(`${CALLS[5]}\n`, '\u0000{{{\n'))
  await expect(viewOf(page)).toContainText('cannot be read')
  await expect(page.getByRole('list', { name: 'List of recordings' })).toContainText('damaged')
  expect(await axeFinds(page)).toEqual([])
  for (const [name, text, reason] of [
    ['trace.har', '{"log":{"version":"1.2"}}', 'trace.har is not a recording: expected NDJSON of Patchbay'],
    [
      'newer.ndjson',
      RECORDING.replace('"version":2', '"version":9'),
      'newer.ndjson is a recording of version 9',
    ],
  ] as const) {
    await importText(page, name, text)
    await expect(page.getByRole('dialog').filter({ hasText: `${name} could not be imported` })).toContainText(
      reason,
    )
  }
  const dropped = await page.evaluateHandle((text) => {
    const data = new DataTransfer()
    data.items.add(new File([text], 'dropped.ndjson'))
    return data
  }, RECORDING)
  const main = page.getByRole('main', { name: 'Recordings' })
  await main.dispatchEvent('dragover', { dataTransfer: dropped })
  await expect(main).toContainText('Drop to import')
  await main.dispatchEvent('drop', { dataTransfer: dropped })
  await expect(viewOf(page).getByRole('heading', { name: 'dropped' })).toBeVisible()
})

test('what the app recorded is listed while it is open, found by name and kept; keys walk the list', async ({
  page,
}) => {
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, 'everything', 'echo')
  await typeJson(page, '{"message":"as recorded"}')
  await send(page, 'Run')
  const list = await openRecordings(page)
  await page.getByRole('textbox', { name: 'Search recordings' }).fill('everything open')
  await expect(list.getByRole('button')).toHaveCount(1)
  await list.getByRole('button').click()
  const view = viewOf(page)
  await expect(view.getByRole('treegrid').getByRole('row').filter({ hasText: 'echo' })).toBeVisible()
  await view.getByRole('button', { name: 'Keep…' }).click()
  await page.getByRole('dialog').getByLabel('name').fill('first run')
  await page.getByRole('dialog').getByRole('button', { name: 'Keep', exact: true }).click()
  await expect(view.getByRole('heading', { name: 'first run' })).toBeVisible()
  const commands = page.getByRole('region', { name: 'Use', exact: true })
  await expect(commands).toContainText('--server everything')
  await page.getByRole('textbox', { name: 'Search recordings' }).fill('')
  await page.getByRole('combobox', { name: 'Order' }).click()
  await page.getByRole('option', { name: 'By name' }).click()
  await expect(list.getByRole('button')).not.toHaveCount(1)
  await list.getByRole('button').first().focus()
  await page.keyboard.press('End')
  await expect(list.getByRole('button').last()).toBeFocused()
  await page.keyboard.press('Enter')
  await expect(list.getByRole('button').last()).toHaveAttribute('aria-current', 'true')
  await look(page, 'list')
})

test('two recordings are compared: calls, values, values of the run, pointers left out, F8', async ({
  page,
}) => {
  await openRecordings(page)
  await importText(
    page,
    'after.ndjson',
    RECORDING.replace('1.4', String.raw`\"1.4\"`)
      .replace('T14:00:00Z', 'T15:00:00Z')
      .replace('not found', 'missing'),
  )
  await expect(viewOf(page).getByRole('heading', { name: 'after' })).toBeVisible()
  await importText(page, 'before.ndjson', RECORDING)
  await expect(viewOf(page).getByRole('heading', { name: 'before' })).toBeVisible()
  await viewOf(page).getByRole('button', { name: 'Compare…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare' })
  await dialog.getByRole('combobox', { name: 'After' }).click()
  await page.getByRole('option', { name: /^after/ }).click()
  await expect(dialog).toContainText('1 the same, 2 changed')
  const calls = dialog.getByRole('list', { name: 'Calls that differ' })
  await expect(calls.getByRole('button').first()).toHaveAttribute('aria-current', 'true')
  const table = dialog.getByRole('table', { name: 'Differences' })
  await expect(table).toContainText('/result/content/0/text/rain')
  await expect(dialog).toContainText('1 value of the run differs')
  await page.keyboard.press('F8')
  await expect(table.locator('tr[data-change]').first()).toBeFocused()
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'compare-recordings')
  await dialog.getByRole('switch', { name: 'Count times, ids and ports' }).click()
  await expect(table.locator('tr[data-change]')).toHaveCount(2)
  await table.getByRole('button', { name: /Leave out .*rain/ }).click()
  await expect(table.locator('tr[data-change]')).toHaveCount(1)
  await dialog.getByRole('radio', { name: 'JSON' }).click()
  await expect(dialog.getByRole('group', { name: 'Compare' })).toContainText('15:00:00')
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'compare-json')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
})

test('rows of the timeline have a menu, by pointer and key: compare, copy as, edit, send again', async ({
  page,
  context,
}) => {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, 'everything', 'echo')
  for (const message of ['one', 'two']) {
    await typeJson(page, JSON.stringify({ message }))
    await send(page, 'Run')
  }
  const filter = page.getByRole('searchbox', { name: 'Filter timeline' })
  await filter.fill('method:tools/call')
  const rows = page.getByRole('treegrid', { name: 'Exchanges' }).getByRole('row').filter({ hasText: 'echo' })
  await expect(rows).toHaveCount(2)
  await rows.last().click({ button: 'right' })
  await expect(page.getByRole('menu', { name: 'Actions for tools/call' })).toBeVisible()
  expect(await axeFinds(page)).toEqual([])
  await page.getByRole('menuitem', { name: 'Copy as' }).hover()
  const formats = page.getByRole('menu', { name: 'Copy as' })
  await expect(formats).toBeVisible()
  await look(page, 'menu')
  await formats.getByRole('menuitem', { name: 'patchbay command' }).click()
  await expect
    .poll(() => page.evaluate(() => navigator.clipboard.readText()))
    .toContain(`call echo '{"message":"two"}' --server everything`)

  // The menu key opens it at the selected row, and gives the focus back.
  await page.getByRole('treegrid', { name: 'Exchanges' }).focus()
  await page.keyboard.press('Shift+F10')
  await expect(page.getByRole('menu')).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('treegrid', { name: 'Exchanges' })).toBeFocused()
  await page.keyboard.press('Shift+F10')
  await page.getByRole('menuitem', { name: 'Compare with previous call' }).click()
  const dialog = page.getByRole('dialog', { name: 'Compare' })
  await expect(dialog.getByRole('table', { name: 'Differences' })).toContainText('/params/arguments/message')
  await expect(dialog).toContainText('2 changed')
  await look(page, 'compare-rows')
  await page.keyboard.press('Escape')
  await expect(dialog).toBeHidden()
  await expect(page.getByRole('treegrid', { name: 'Exchanges' })).toBeFocused()

  await rows.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Save as test…' }).click()
  const saving = page.getByRole('dialog', { name: 'Save as test' })
  const source = saving.getByRole('textbox', { name: 'Test', exact: true })
  await expect(source).toHaveValue(/mcp\.callTool\('echo', { message: 'one' }\)/)
  await expect(source).toHaveValue(/server: {\s+command: 'node'/)
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'save-as-test')
  await saving.getByLabel('file in tests/').fill('../echo.spec.ts')
  await expect(saving.getByRole('button', { name: 'Save', exact: true })).toBeDisabled()
  await saving.getByLabel('file in tests/').fill('echo.spec.ts')
  const download = page.waitForEvent('download')
  await saving.getByRole('button', { name: 'Download' }).click()
  expect((await download).suggestedFilename()).toBe('echo.spec.ts')
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saving).toBeHidden()
  await expect(page.getByText('Test saved', { exact: true })).toBeVisible()
  // A file that is there is not replaced; the shown result has the button too.
  await page.getByRole('button', { name: 'Save as test' }).click()
  await expect(source).toHaveValue(/message: 'two'/)
  await saving.getByRole('button', { name: 'Save', exact: true }).click()
  await expect(saving.getByRole('alert')).toContainText('echo.spec.ts is there already')
  await page.keyboard.press('Escape')

  await rows.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Edit and send…' }).click()
  await expect(page.getByRole('region', { name: 'Workbench' })).toContainText('"one"')
  await rows.first().click({ button: 'right' })
  await page.getByRole('menuitem', { name: 'Send again' }).click()
  await expect(rows).toHaveCount(3)
})

/** Calls of an earlier run: the timeline begins with the newest of them. */
const EARLIER_CALLS = 3_600

test.describe('with more frames on the disk than the timeline begins with', () => {
  test.use({
    startFlags: async ({ profile }, use) => {
      const folder = path.join(profile, 'recordings', '2026-11-22T14-00-00.000-earlier')
      await mkdir(folder, { recursive: true })
      // Old recordings are deleted.
      const startedAt = Date.now() - 3_600_000
      const at = new Date(startedAt).toISOString()
      const lines = [HEADER.replace('2026-11-22T14:00:00.000Z', at), CALLS[0]]
      for (let n = 0; n < EARLIER_CALLS; n += 1) {
        const call = { jsonrpc: '2.0', id: n, method: 'tools/call', params: { name: `count-${n}` } }
        const place = (micros: number, from: string) =>
          `{"at":${micros},"on":1,"from":"${from}","kind":"message","message":`
        lines.push(`${place(n * 1_000, 'client')}${JSON.stringify(call)}}`)
        lines.push(`${place(n * 1_000 + 500, 'server')}{"jsonrpc":"2.0","id":${n},"result":{"n":${n}}}}`)
      }
      lines.push(`{"at":${EARLIER_CALLS * 1_000},"end":{"frames":${2 * EARLIER_CALLS},"shed":0}}`, '')
      await writeFile(path.join(folder, '000001.ndjson'), lines.join('\n'))
      const manifest = {
        version: 1,
        serverId: 'earlier',
        serverName: 'weather',
        side: 'client',
        startedAt,
        pid: 1,
      }
      await writeFile(path.join(folder, 'recording.json'), JSON.stringify({ ...manifest, closed: true }))
      await use([])
    },
    ownProcess: true,
  })

  test('older rows come from the disk when the timeline is scrolled to its top', async ({ page }) => {
    const grid = page.getByRole('treegrid', { name: 'Exchanges' })
    const count = async (): Promise<number> => Number(await grid.getAttribute('aria-rowcount'))
    await grid.waitFor()
    const first = await count()
    expect(first).toBeLessThan(EARLIER_CALLS)
    await grid.evaluate((element) => element.scrollTo({ top: 0 }))
    await expect.poll(count).toBeGreaterThan(first)
    // Keys lead there too, page by page, until the first call of all.
    await grid.focus()
    await expect
      .poll(async () => {
        await page.keyboard.press('Home')
        return grid.getByRole('row').filter({ hasText: 'count-0' }).count()
      })
      .toBe(1)
    expect(await count()).toBeGreaterThan(EARLIER_CALLS)
    await grid.getByRole('row').filter({ hasText: 'count-0' }).click()
    await expect(page.getByRole('region', { name: 'Frame', exact: true })).toContainText(
      '{"jsonrpc":"2.0","id":0,"result":{"n":0}}',
    )
  })
})
