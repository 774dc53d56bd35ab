import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { createRequire } from 'node:module'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { look } from './look.ts'
import { repository } from './start-app.ts'

const EVERYTHING = createRequire(import.meta.url).resolve(
  '@modelcontextprotocol/server-everything/dist/index.js',
)
const PATCHBAY = path.join(repository, 'dist/cli/patchbay.js')
const CURSOR = `{ "mcpServers": { "everything": { "command": "node", "args": [${JSON.stringify(EVERYTHING)}] } } }\n`

const cursorFile = (profile: string) => path.join(profile, 'home', '.cursor', 'mcp.json')

test.use({
  startEnv: async ({ profile }, use) => {
    const home = path.join(profile, 'home')
    await mkdir(path.dirname(cursorFile(profile)), { recursive: true })
    await writeFile(cursorFile(profile), CURSOR)
    const config = path.join(home, 'config')
    await use({ HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: config, APPDATA: config })
  },
})

async function axeFinds(page: Page): Promise<readonly string[]> {
  const { violations } = await new AxeBuilder({ page }).analyze()
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`))
}

test('an official client is tapped: messages appear, one is held by a rule and forwarded', async ({
  page,
  profile,
}) => {
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Tap' }).click()
  const messages = page.getByRole('region', { name: 'Messages', exact: true })
  await expect(messages).toContainText('No tap is running')
  expect(await axeFinds(page)).toEqual([])

  const client = new Client({ name: 'official', version: '1' })
  const flags = ['--profile', profile, '--client', 'Cursor', '--name', 'everything']
  const args = [PATCHBAY, 'tap', ...flags, '--', process.execPath, EVERYTHING, 'stdio']
  await client.connect(new StdioClientTransport({ command: process.execPath, args, stderr: 'ignore' }))
  await client.listTools()
  await expect(page.getByRole('button', { name: /Cursor to everything/ })).toHaveAttribute(
    'aria-current',
    'true',
  )
  await expect(messages).toContainText('tools/list')

  const rules = page.getByRole('region', { name: 'Rules' })
  await rules.getByLabel('Target').fill('echo')
  await rules.getByRole('button', { name: 'Add rule' }).click()
  await expect(rules.getByRole('switch', { name: 'Rule hold 1' })).toBeChecked()

  const called = client.callTool({ name: 'echo', arguments: { message: 'as typed' } })
  const held = page.getByRole('region', { name: 'Held: tools/call echo' })
  await expect(held.getByRole('timer')).toBeVisible()
  const editor = held.getByRole('textbox', { name: 'Message to forward' })
  await expect(editor).toContainText('as typed')
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'held')
  await held.getByRole('button', { name: 'Forward' }).click()
  expect(JSON.stringify((await called).content)).toContain('as typed')
  await expect(held).toBeHidden()

  // The server starts again while the client stays connected; another one that cannot be started changes nothing.
  const server = page.getByRole('region', { name: 'Server', exact: true })
  await server.getByLabel('Command of another server').fill('no-such-program-here')
  await server.getByRole('button', { name: 'Swap' }).click()
  await expect(page.getByRole('dialog').filter({ hasText: 'The server was not replaced' })).toContainText(
    'no-such-program-here',
  )
  await server.getByLabel('Command of another server').fill('')
  await server.getByRole('button', { name: 'Restart' }).click()
  await expect(server).toContainText('swapped once')
  await expect(server).toContainText('Nothing changed for the client.')
  expect((await client.listTools()).tools.map(({ name }) => name)).toContain('echo')
  expect(await axeFinds(page)).toEqual([])
  await look(page, 'swapped')
  await client.close()
  await expect(page.getByRole('button', { name: /Cursor to everything/ })).toContainText('ended')
})

test('the entry of a client is wrapped and unwrapped', async ({ page, profile }) => {
  await page.goto(`${page.url().replace(/#.*/, '')}#tap`)
  const cursor = page.getByRole('region', { name: 'Cursor' })
  await expect(cursor).toContainText('not wrapped')
  await cursor.getByRole('button', { name: 'Wrap everything', exact: true }).click()
  await expect(cursor.getByRole('button', { name: 'Unwrap everything' })).toBeVisible()
  expect(await readFile(cursorFile(profile), 'utf8')).toContain('"tap"')
  await cursor.getByRole('button', { name: 'Unwrap everything' }).click()
  await expect(cursor.getByRole('button', { name: 'Wrap everything', exact: true })).toBeVisible()
  expect(await readFile(cursorFile(profile), 'utf8')).toBe(CURSOR)
})
