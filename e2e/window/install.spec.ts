import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { PausableHost } from './pausable-host.ts'
import { approvalOf, openAddDialog, serverRow } from './server-steps.ts'

const CURSOR = '{ "mcpServers": { "docs": { "command": "npx", "args": ["-y", "@example/docs"] } } }'
const VS_CODE =
  '{\n\t// mine\n\t"servers": {\n\t\t"web": { "url": "https://web.example/mcp" }, // keep\n\t},\n}\n'

const files = (profile: string) => {
  const home = path.join(profile, 'home')
  return {
    home,
    cursor: path.join(home, '.cursor', 'mcp.json'),
    vscode: path.join(home, 'config', 'Code', 'User', 'mcp.json'),
  }
}

/** A home in which Cursor and VS Code have servers. */
test.use({
  startEnv: async ({ profile }, use) => {
    const { home, cursor, vscode } = files(profile)
    for (const [file, text] of [
      [cursor, CURSOR],
      [vscode, VS_CODE],
    ] as const) {
      await mkdir(path.dirname(file), { recursive: true })
      await writeFile(file, text)
    }
    const config = path.join(home, 'config')
    await use({ HOME: home, USERPROFILE: home, XDG_CONFIG_HOME: config, APPDATA: config })
  },
})

test('servers of other clients are taken over unapproved, and the workspace is put into one of them', async ({
  blankPage: page,
  profile,
  app,
}) => {
  const { vscode } = files(profile)
  const host = await PausableHost.between(page, await app.address())
  const add = await openAddDialog(page, 'Other clients')
  await expect(add.getByRole('region', { name: 'Cursor' })).toContainText('@example/docs')
  await add.getByRole('checkbox', { name: 'docs' }).click()
  expect(await dialogFaults(page)).toEqual([])
  await add.getByRole('button', { name: 'Add server' }).click()
  await serverRow(page, 'docs').click()
  await expect(approvalOf(page, 'docs')).toContainText('@example/docs')

  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('Add to a client')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add to a client' })
  const code = dialog.getByRole('listitem').filter({ hasText: 'VS Code' })
  await code.getByRole('button', { name: 'Add to VS Code' }).click()
  const entry = code.getByRole('group', { name: 'Entry patchbay' })
  await expect(entry).toContainText('current')
  expect(await readFile(vscode, 'utf8')).toContain(
    '"url": "https://web.example/mcp" }, // keep\n\t\t"patchbay": {\n',
  )
  expect(await dialogFaults(page)).toEqual([])

  await entry.getByRole('button', { name: 'Test' }).click()
  await expect(code.getByRole('status')).toContainText(/“patchbay” works: .*, \d+ tools/, {
    timeout: 60_000,
  })
  await expect(entry.getByRole('button', { name: 'Remove' })).toBeEnabled()
  host.hold('/install/clients')
  await entry.getByRole('button', { name: 'Remove' }).click()
  await expect(code.getByRole('status')).toContainText('from its file')
  await expect.poll(() => host.kept('/install/clients')).toBe(1)
  // Nothing can be done with an entry that was removed.
  await expect(entry.getByRole('button', { name: 'Test' })).toBeDisabled()
  host.release('/install/clients')
  await expect(entry).toBeHidden()
  expect(await readFile(vscode, 'utf8')).toBe(VS_CODE)
  await code.getByRole('button', { name: 'Undo' }).click()
  await expect(entry).toContainText('current')
})

/** What axe finds in the dialog that is open. */
async function dialogFaults(page: Page): Promise<string[]> {
  const { violations } = await new AxeBuilder({ page }).setLegacyMode(true).include('[role=dialog]').analyze()
  return violations.map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html).join(' ')}`)
}
