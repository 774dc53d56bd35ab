import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { exchangeOf, formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { everything, expectState, explorerOf, openEntry, serverRow, startServer } from './server-steps.ts'

const recorder = path.join(import.meta.dirname, 'servers/recording-server.ts')
const official = path.join(import.meta.dirname, 'servers/official-server.ts')
const programs = {
  everything: [everything, 'stdio'],
  arguments: [path.join(import.meta.dirname, 'servers/argument-server.ts')],
  asking: [path.join(import.meta.dirname, 'servers/asking-server.ts')],
  holding: [path.join(import.meta.dirname, 'servers/holding-server.ts')],
}

/** The methods of the requests and notifications that a server was sent. */
class Wire {
  readonly #file: string

  constructor(file: string) {
    this.#file = file
  }

  /** How much was sent since `sent` was called last. */
  async count(): Promise<number> {
    return (await readFile(this.#file, 'utf8')).split('\n').length - 1
  }

  /** What was sent since this was called last, in order. */
  async sent(): Promise<string[]> {
    const text = await readFile(this.#file, 'utf8')
    await writeFile(this.#file, '')
    return text.split('\n').filter((method) => method !== '')
  }
}

/** Starts a server whose client is recorded. */
async function startRecorded(
  page: Page,
  { name, folder, program }: { name: string; folder: string; program: readonly string[] },
): Promise<Wire> {
  const file = path.join(folder, `sent-to-${name}`)
  await startServer(page, {
    name,
    command: process.execPath,
    args: [recorder, file, process.execPath, ...program],
  })
  return new Wire(file)
}

/** Selects a server by its row. */
async function select(page: Page, name: string): Promise<void> {
  await serverRow(page, name).getByRole('button', { name, exact: true }).click()
  await expect(explorerOf(page, name)).toBeVisible()
}

test('looking around sends nothing: each request is one that the user asked for', async ({
  page,
  profile,
}) => {
  await expectState(page, 'This app', 'connected')
  const wire = await startRecorded(page, {
    name: 'recorded',
    folder: profile,
    program: [official],
  })
  const tree = explorerOf(page, 'recorded')
  await expect(tree).toContainText('echo')
  await expect.poll(() => wire.count()).toBe(7)
  const connecting = await wire.sent()
  expect(connecting.slice(0, 3)).toEqual(['server/discover', 'initialize', 'notifications/initialized'])
  expect(connecting.slice(3).sort()).toEqual([
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'tools/list',
  ])

  const walk = async (): Promise<void> => {
    // Tabs of everything that needs no request, filtered, hovered and closed.
    const filter = page.getByRole('textbox', { name: 'Filter explorer' })
    for (const entry of ['echo', 'nothing', 'greeting', 'demo://page']) {
      await filter.fill(entry)
      await tree.getByRole('treeitem', { name: entry }).first().hover()
      await openEntry(page, 'recorded', entry)
    }
    await filter.fill('')
    await page.getByRole('tab', { name: 'Definition' }).click()
    for (const title of ['Subscriptions', 'Tasks', 'Composer', 'Server page']) {
      await page.getByRole('button', { name: 'Server menu' }).click()
      await page.getByRole('menuitem', { name: title }).click()
    }
    await page.getByRole('tab', { name: /^nothing/ }).click()
    await page.getByRole('tab', { name: /^nothing/ }).click({ button: 'middle' })
    // The palette, the other page, another server, and the frames of an exchange.
    await page.keyboard.press('ControlOrMeta+k')
    await page.keyboard.type('echo')
    await page.keyboard.press('Escape')
    await page.keyboard.press('Alt+Shift+2')
    await page.keyboard.press('Alt+Shift+1')
    await select(page, 'This app')
    await select(page, 'recorded')
    await exchangeOf(page, 'initialize').click()
    await page.setViewportSize({ width: 1000, height: 700 })
    await page.setViewportSize({ width: 1440, height: 900 })
  }
  await walk()
  await page.reload()
  await expect(tree).toContainText('echo')
  await walk()

  // Each of these is sent because somebody asked for it, and was the first since the server was connected.
  await openEntry(page, 'recorded', 'echo')
  await formOf(page, 'echo').getByLabel('message', { exact: true }).fill('hello')
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('Echo: hello')
  expect(await wire.sent()).toEqual(['tools/call'])
  await openEntry(page, 'recorded', 'demo://readme')
  await expect(resultOf(page)).toContainText('All that is to be read')
  await page.getByRole('button', { name: 'subscribe', exact: true }).click()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  expect(await wire.sent()).toEqual(['resources/read', 'resources/subscribe'])
  await page.getByRole('button', { name: 'Server menu' }).click()
  await page.getByRole('menuitem', { name: 'Refresh lists' }).click()
  await expect.poll(() => wire.count()).toBe(4)
  expect((await wire.sent()).sort()).toEqual([
    'prompts/list',
    'resources/list',
    'resources/templates/list',
    'tools/list',
  ])
})

test('loading the page again sends nothing to any server', async ({ page, profile }) => {
  const wires: Wire[] = []
  for (const [name, program] of Object.entries(programs))
    wires.push(await startRecorded(page, { name, folder: profile, program }))
  await select(page, 'everything')
  await openEntry(page, 'everything', 'architecture.md')
  await expect(resultOf(page)).toContainText('Architecture')
  await page.getByRole('button', { name: 'subscribe', exact: true }).click()
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  for (const wire of wires) await wire.sent()

  await page.reload()
  for (const name of Object.keys(programs)) await select(page, name)
  await page.getByRole('tab', { name: /architecture\.md/ }).click()
  // What was read before is shown again, from the host.
  await expect(resultOf(page)).toContainText('Architecture')
  await expect(page.getByRole('button', { name: /^subscribed/ })).toBeVisible()
  for (const wire of wires) expect(await wire.sent()).toEqual([])
})
