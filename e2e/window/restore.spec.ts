import { readdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { killSurvivors, signalAll } from '../process-tree.ts'
import { exchangeOf, formOf, frameOf, jsonOf, resultOf, send, typeJson } from './call-steps.ts'
import { ALONE, expect, test } from './fixtures.ts'
import { expectState, explorerOf, openEntry, serverPage, serverRow, startServer } from './server-steps.ts'
import type { StartedApp } from './start-app.ts'

/** `hold` is answered when `release` is called, `login` at once. */
const HOLDING = `
  let held
  const write = (message) => console.log(JSON.stringify({ jsonrpc: '2.0', ...message }))
  const text = (id, text) => write({ id, result: { content: [{ type: 'text', text }] } })
  const tool = (name, ...names) => ({
    name,
    inputSchema: { type: 'object', properties: Object.fromEntries(names.map((each) => [each, { type: 'string' }])) },
  })
  require('node:readline').createInterface({ input: process.stdin }).on('line', (line) => {
    const { id, method, params } = JSON.parse(line)
    if (method === 'initialize')
      write({ id, result: { protocolVersion: '2025-11-25', capabilities: { tools: {} }, serverInfo: { name: 'x', version: '1' } } })
    else if (method === 'tools/list')
      write({ id, result: { tools: [tool('hold', 'note'), tool('release'), tool('login', 'user', 'password')] } })
    else if (method === 'tools/call') {
      if (params.name === 'hold') held = id
      if (params.name === 'login') text(id, 'welcome ' + params.arguments.user)
      if (params.name === 'release') { text(id, 'released'); text(held, 'held until now') }
    } else if (id !== undefined) write({ id, error: { code: -32601, message: 'Method not found' } })
  })`
const SERVER = { name: 'holding', command: process.execPath, args: ['-e', HOLDING] }

function tabs(page: Page): Locator {
  return page.getByRole('tablist', { name: 'Open items' }).getByRole('tab')
}

function tab(page: Page, name: string): Locator {
  return page.getByRole('tab', { name: `${name} ${SERVER.name}` })
}

function filter(page: Page): Locator {
  return page.getByLabel('Filter timeline')
}

function cancel(page: Page): Locator {
  return page.getByRole('button', { name: 'Cancel', exact: true })
}

test.use(ALONE)

/** All that is stored of the window. */
async function stored(profile: string): Promise<string> {
  const folder = path.join(profile, 'window-state')
  const names = await readdir(folder, { recursive: true }).catch(() => [])
  const files = names.filter((name) => name.includes('.json') || name.includes('.ndjson'))
  return (
    await Promise.all(files.map((name) => readFile(path.join(folder, name), 'utf8').catch(() => '')))
  ).join('\n')
}

async function kill(app: StartedApp): Promise<void> {
  const running = app.processes()
  signalAll([app.pid], 'SIGKILL')
  await app.exited
  await killSurvivors(running)
}

test('a call that runs while the page is loaded again is shown as running and gets its result', async ({
  page,
}) => {
  await startServer(page, SERVER)
  await openEntry(page, SERVER.name, 'hold')
  await typeJson(page, '{ "note": "before" }')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  await expect(cancel(page)).toBeVisible()
  await typeJson(page, '{ "note": "half ty')

  await page.reload()
  await expect(cancel(page)).toBeVisible()
  await expect(jsonOf(page)).toContainText('half ty')
  await openEntry(page, SERVER.name, 'release')
  await send(page, 'Run')
  await tab(page, 'hold').click()
  await expect(resultOf(page)).toContainText('held until now')
  await page.getByRole('tab', { name: /^History/ }).click()
  await expect(page.getByRole('row').filter({ hasText: '"before"' })).toBeVisible()

  await page.reload()
  await expect(tab(page, 'hold')).toHaveAttribute('aria-selected', 'true')
  await expect(page.getByRole('row').filter({ hasText: '"before"' })).toHaveCount(1)
})

test.describe('after Patchbay was killed', () => {
  test('the window shows what it showed: tabs, arguments, results, history, filter, selection', async ({
    context,
    starter,
    profile,
  }) => {
    const first = starter.launch(['--headless', '--port', '0'])
    const page = await context.newPage()
    await page.goto(await first.address())
    await startServer(page, SERVER)
    await openEntry(page, SERVER.name, 'login')
    await typeJson(page, '{ "user": "Ada", "password": "first-s3cret" }')
    await send(page, 'Run')
    await expect(resultOf(page)).toContainText('welcome Ada')
    await typeJson(page, '{ "user": "Grace", "password": "second-s3cret", "extr')
    await openEntry(page, SERVER.name, 'hold')
    await formOf(page, 'hold').getByLabel('note', { exact: true }).fill('not sent yet')
    await page.getByRole('button', { name: 'Run', exact: true }).click()
    await expect(cancel(page)).toBeVisible()
    await filter(page).fill('method:tools/call')
    await exchangeOf(page, 'login').click()
    await expect(frameOf(page)).toBeVisible()
    const before = await tabs(page).allTextContents()
    await expect
      .poll(() => stored(profile))
      .toMatch(
        /(?=[^]*Grace)(?=[^]*welcome Ada)(?=[^]*"started"[^\n]*not sent yet)(?=[^]*method:tools\/call)(?=[^]*\\"selected\\")/,
      )
    expect(await stored(profile)).not.toContain('s3cret')
    await kill(first)
    await page.close()

    const second = starter.launch(['--headless', '--port', '0'])
    const next = await context.newPage()
    await next.goto(await second.address())
    await expect(tabs(next)).toHaveText(before)
    await expect(tab(next, 'hold')).toHaveAttribute('aria-selected', 'true')
    await expect(formOf(next, 'hold').getByLabel('note', { exact: true })).toHaveValue('not sent yet')
    await expect(resultOf(next)).toContainText('Patchbay ended before the result came')
    await expect(filter(next)).toHaveValue('method:tools/call')
    const row = exchangeOf(next, 'login')
    await expect(row).toHaveAttribute('aria-selected', 'true')
    await expect(row).toContainText('earlier run')
    await expect(frameOf(next)).toBeVisible()

    await tab(next, 'login').click()
    await expect(jsonOf(next)).toContainText('"user": "Grace", "password": "", "extr')
    await expect(resultOf(next)).toContainText('welcome Ada')
    await expect(resultOf(next)).toContainText('Result of an earlier run')
    await next.getByRole('tab', { name: /^History/ }).click()
    const call = next.getByRole('row').filter({ hasText: 'Ada' })
    await expect(call).toContainText('earlier run')
    await expect(call).toContainText('⟨redacted⟩')

    // Connected again, everything goes on, and what was there stays below what is new.
    await serverRow(next, SERVER.name).click()
    await serverPage(next).getByRole('button', { name: 'Connect', exact: true }).click()
    await expectState(next, SERVER.name, 'connected')
    await openEntry(next, SERVER.name, 'login')
    await next.getByRole('tab', { name: /^Call/ }).click()
    await typeJson(next, '{ "user": "Grace" }')
    await send(next, 'Run')
    await expect(resultOf(next)).toContainText('welcome Grace')
    await expect(resultOf(next)).not.toContainText('Result of an earlier run')
    await next.getByRole('tab', { name: 'History 2' }).click()
    await next.close()
    expect(await second.end()).toEqual([])
  })

  test('a damaged state is kept aside, a notice says so, and the window begins empty', async ({
    context,
    starter,
    profile,
  }) => {
    const first = starter.launch(['--headless', '--port', '0'])
    const page = await context.newPage()
    await page.goto(await first.address())
    await startServer(page, SERVER)
    await openEntry(page, SERVER.name, 'login')
    await expect.poll(() => stored(profile)).toContain('login')
    await kill(first)
    await page.close()
    const folder = path.join(profile, 'window-state')
    const files = (await readdir(folder, { recursive: true })).filter((name) => /state\.json/.test(name))
    for (const name of files) await writeFile(path.join(folder, name), '{ "version": 1, "parts": ')

    const second = starter.launch(['--headless', '--port', '0'])
    const next = await context.newPage()
    await next.goto(await second.address())
    await expect(next.getByText('state.json could not be used and was set aside')).toBeVisible()
    await expect(explorerOf(next, 'This app')).toBeVisible()
    await expect(tab(next, 'login')).toHaveCount(0)
    const kept = (await readdir(folder, { recursive: true })).filter((name) => name.includes('set-aside'))
    expect(kept.length).toBeGreaterThan(0)
    await next.close()
    expect(await second.end()).toEqual([])
  })

  test('a part that another version stored is kept aside, and the other parts come back', async ({
    context,
    starter,
    profile,
  }) => {
    const first = starter.launch(['--headless', '--port', '0'])
    const page = await context.newPage()
    await page.goto(await first.address())
    await filter(page).fill('is:error')
    await expect.poll(() => stored(profile)).toContain('is:error')
    await kill(first)
    await page.close()
    const folder = path.join(profile, 'window-state')
    const [name = ''] = (await readdir(folder, { recursive: true })).filter((each) =>
      /state\.json$/.test(each),
    )
    const document = JSON.parse(await readFile(path.join(folder, name), 'utf8')) as { parts: object }
    const other = { ...document, parts: { ...document.parts, tabs: '{"format":0}' } }
    await writeFile(path.join(folder, name), JSON.stringify(other))

    const second = starter.launch(['--headless', '--port', '0'])
    const next = await context.newPage()
    await next.goto(await second.address())
    await expect(next.getByText('Could not restore Open tabs.')).toBeVisible()
    await expect(next.getByText('The stored state of the window was set aside.')).toBeVisible()
    await expect(filter(next)).toHaveValue('is:error')
    await expect.poll(() => stored(profile)).toContain('{\\"format\\":0}')
    await next.close()
    expect(await second.end()).toEqual([])
  })
})
