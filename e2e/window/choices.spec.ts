import { spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { exchangeOf, frameOf } from './call-steps.ts'
import { expect, test as base } from './fixtures.ts'
import {
  addUrl,
  approvalOf,
  approve,
  everything,
  expectState,
  explorerOf,
  openAddDialog,
  serverPage,
  serverRow,
  startServer,
} from './server-steps.ts'
import { repository } from './start-app.ts'

const test = base.extend<{ addresses: { sse: string; ws: string } }>({
  /** Where `patchbay serve --all` listens. */
  addresses: async ({ profile }, use) => {
    const cli = path.join(repository, 'server-core/launcher/patchbay.ts')
    const served = spawn(process.execPath, [cli, 'serve', '--all', '--port', '0'], {
      // It serves what the folder it runs in says, which says nothing.
      env: { ...process.env, INIT_CWD: profile },
      stdio: ['pipe', 'ignore', 'pipe'],
    })
    const addresses = { sse: '', ws: '' }
    for await (const line of createInterface({ input: served.stderr })) {
      addresses.sse ||= /http:\S+\/sse\b/.exec(line)?.[0] ?? ''
      addresses.ws ||= /ws:\S+\/ws\b/.exec(line)?.[0] ?? ''
      if (addresses.sse !== '' && addresses.ws !== '') break
    }
    await use(addresses)
    served.kill('SIGTERM')
  },
})

function stepsOf(page: Page): Locator {
  return serverPage(page).getByRole('table', { name: 'Connection steps' })
}

async function choose(page: Page, what: 'Transport' | 'Revision', choice: string): Promise<void> {
  const choices = serverPage(page).getByRole('radiogroup', { name: what })
  await choices.getByRole('radio', { name: choice }).click()
  await expect(choices.getByRole('radio', { name: choice })).toBeChecked()
}

test('transport and revision are found out with a reason for each step, or pinned by one press', async ({
  page,
  addresses,
}) => {
  await addUrl(page, 'served', addresses.sse)
  await approve(page, 'served')
  await expectState(page, 'served', 'connected')
  await expect(serverPage(page)).toContainText('HTTP+SSE')
  await expect(stepsOf(page)).toContainText('405')
  await expect(stepsOf(page)).toContainText('the session speaks 2025-11-25')

  // Pinned: no other is tried, and nothing has to be approved again.
  await choose(page, 'Revision', '2024-11-05')
  await expect(stepsOf(page)).toContainText('initialize (2024-11-05)')
  await choose(page, 'Transport', 'HTTP+SSE')
  await expectState(page, 'served', 'connected')
  await expect(stepsOf(page).getByRole('row')).toHaveCount(1)
  await expect(serverPage(page)).toContainText('no other is tried')
  await choose(page, 'Transport', 'Streamable HTTP')
  await expectState(page, 'served', 'failed')
  await expect(serverPage(page).getByRole('alert')).toContainText('405')
  await choose(page, 'Transport', 'Automatic')
  await expectState(page, 'served', 'connected')

  // A WebSocket says itself what it is, and is part of what is approved; so is a revision.
  const dialog = await openAddDialog(page, 'URL')
  await dialog.getByLabel('name', { exact: true }).fill('socket')
  await dialog.getByRole('textbox', { name: 'URL' }).fill(addresses.ws)
  await expect(dialog.getByLabel('transport')).toHaveValue('WebSocket')
  await dialog.getByRole('combobox', { name: 'Revision' }).click()
  await page.getByRole('option', { name: '2025-06-18' }).click()
  await dialog.getByRole('button', { name: 'Add server' }).click()
  await expect(approvalOf(page, 'socket')).toContainText('2025-06-18')
  await expect(approvalOf(page, 'socket')).toContainText('WebSocket')
  await approve(page, 'socket')
  await expectState(page, 'socket', 'connected')
  await expect(stepsOf(page)).toContainText('the session speaks 2025-06-18')
  await choose(page, 'Revision', 'Automatic')
  await expect(stepsOf(page)).toContainText('2026-07-28')
  await expect(serverPage(page).getByRole('radiogroup', { name: 'Transport' })).toBeHidden()
})

test('the declaration can be changed, and what the lists gained and lost by it is shown by name', async ({
  page,
}) => {
  const name = 'everything'
  await startServer(page, { name, command: 'node', args: [everything, 'stdio'] })
  const tree = explorerOf(page, name)
  await expect(tree.getByRole('treeitem', { name: 'trigger-sampling-request' }).first()).toBeVisible()
  // To another server and back: what is in the bar is of one server, once.
  const chip = page.getByRole('button', { name: /^Client capabilities/ })
  for (const each of ['This app', name, 'This app', name]) {
    await serverRow(page, each).getByRole('button', { name: each, exact: true }).click()
    await expect(page.getByRole('heading', { name: each, exact: true }).first()).toBeVisible()
    await expect(chip).toHaveCount(1)
    await expect(page.getByRole('button', { name: 'Server menu' })).toHaveCount(1)
  }
  await expect(chip).toHaveAccessibleName('Client capabilities 3/4: roots, sampling, elicitation')

  await chip.click()
  const editor = page.getByRole('dialog', { name: `Declared to ${name}` })
  await editor.getByRole('checkbox', { name: 'sampling', exact: true }).first().click()
  await editor.getByLabel('client name').fill('somebody-else')
  const json = editor.getByLabel('capabilities as JSON, with extensions and whatever else')
  await expect(json).not.toHaveValue(/sampling/)
  await json.fill('{ "elicitation": ')
  await expect(editor.getByRole('button', { name: 'Save and reconnect' })).toBeDisabled()
  await json.fill('{ "elicitation": {}, "extensions": { "org.example/own": { "deep": 1 } } }')
  await editor.getByRole('button', { name: 'Save and reconnect' }).click()
  await expect(editor).toBeHidden()

  await expectState(page, name, 'connected')
  await expect(chip).toHaveAccessibleName('Client capabilities 1/4: elicitation')
  const change = page.getByRole('status', { name: 'List changes' })
  await expect(change.getByRole('list', { name: 'Lost' })).toContainText('tool trigger-sampling-request')
  await expect(change.getByRole('list', { name: 'Lost' })).toContainText('tool get-roots-list')
  await expect(tree.getByRole('treeitem', { name: 'trigger-sampling-request' })).toHaveCount(0)
  await page.getByRole('searchbox', { name: 'Filter timeline' }).fill('method:initialize')
  await exchangeOf(page, 'somebody-else').click()
  await frameOf(page).getByRole('button', { name: 'Frame before' }).click()
  await expect(frameOf(page)).toContainText('org.example/own')

  await chip.click()
  await editor.getByRole('button', { name: 'Restore default' }).click()
  await expect(chip).toHaveAccessibleName('Client capabilities 3/4: roots, sampling, elicitation')
  await expect(change.getByRole('list', { name: 'Gained' })).toContainText('tool trigger-sampling-request')
  await change.getByRole('button', { name: 'Dismiss' }).click()
  await expect(change).toBeHidden()
})
