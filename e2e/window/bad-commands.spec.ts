import { chmod, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { formOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import {
  addCommand,
  approvalOf,
  approve,
  expectState,
  openEntry,
  serverPage,
  serverRow,
  type CommandServer,
} from './server-steps.ts'

const node = (name: string, script: string): CommandServer => ({
  name,
  command: 'node',
  args: ['-e', script],
})

/** How many notes were made: each has a title of its own, so that no result of an earlier one is taken for it. */
let notes = 0

/** Starts a server that cannot work, and gives the page that says why. */
async function startBroken(page: Page, server: CommandServer): Promise<Locator> {
  await addCommand(page, server)
  await approve(page, server.name)
  await expectState(page, server.name, 'failed')
  return serverPage(page)
}

/** The rest of the app does what it did before. */
async function expectAppWorks(page: Page): Promise<void> {
  notes += 1
  const title = `Still here ${notes}`
  await serverRow(page, 'This app').getByRole('button', { name: 'This app', exact: true }).click()
  await openEntry(page, 'This app', 'create_note')
  await formOf(page, 'create_note').getByLabel('title', { exact: true }).fill(title)
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText(title)
}

/** Starts a server that lives and does not answer, and gives the page that says what it does instead. */
async function startSilent(page: Page, server: CommandServer): Promise<Locator> {
  await addCommand(page, server)
  await approve(page, server.name)
  await expectState(page, server.name, 'connecting')
  await expect(serverRow(page, server.name)).toContainText('no response yet')
  return serverPage(page)
}

test('a server that does not start, or ends at once', async ({ page, profile }) => {
  await test.step('a command that is unknown', async () => {
    await addCommand(page, { name: 'unknown', command: 'no-such-program-here' })
    await expect(approvalOf(page, 'unknown')).toContainText('not found in PATH')
    await approve(page, 'unknown')
    await expectState(page, 'unknown', 'failed')
    await expect(serverPage(page).getByRole('alert')).toContainText('no-such-program-here was not found')
    await expect(serverPage(page).getByRole('alert')).toContainText('PATH')
    await expectAppWorks(page)
  })

  await test.step('a file that may not be executed', async () => {
    const file = path.join(profile, 'server.sh')
    await writeFile(file, '#!/bin/sh\nexit 0\n')
    await chmod(file, 0o644)
    const shown = await startBroken(page, { name: 'plain file', command: file })
    await expect(shown.getByRole('alert')).toContainText('may not be executed')
    await expect(shown.getByRole('alert')).toContainText('chmod +x')
    await expectAppWorks(page)
  })

  await test.step('a server that ends at once: its code and its last words', async () => {
    const script = 'console.error("Error: API_KEY is not set"); process.exit(3)'
    const shown = await startBroken(page, node('ends', script))
    await expect(shown.getByRole('alert')).toContainText(/exit 3/)
    await expect(shown.getByRole('alert')).toContainText('exit code 3')
    await expect(shown.getByRole('region', { name: 'stderr' })).toContainText('Error: API_KEY is not set')
    await expectAppWorks(page)
  })
})

test('a server that lives and does not answer', async ({ page }) => {
  await test.step('it prints text on stdout: its first line that is not a message', async () => {
    const script = 'console.log("Welcome to my server!"); setInterval(() => {}, 1000)'
    const shown = await startSilent(page, node('talks', script))
    await expect(shown.getByRole('status', { name: 'Waiting for a response' })).toContainText(
      'text that is not an MCP message',
    )
    await expect(shown.getByRole('region', { name: /^stdout/ })).toContainText('Welcome to my server!')
    await expectAppWorks(page)
  })

  await test.step('it never answers: what it may be, what it says, and a way out', async () => {
    const script = 'console.error("fetching packages"); setInterval(() => {}, 1000)'
    const shown = await startSilent(page, node('silent', script))
    await expect(shown.getByRole('status', { name: 'Waiting for a response' })).toContainText(
      'It may be installing or starting, waiting for input, or not an MCP server.',
    )
    await expect(shown.getByRole('region', { name: 'stderr' })).toContainText('fetching packages')
    await expect(shown).toContainText(
      'no answer within 3.00 s: it may be starting still, or be an old server',
    )
    await shown.getByRole('button', { name: 'Disconnect' }).click()
    await expectState(page, 'silent', 'not connected')
    await expectAppWorks(page)
  })
})

// In an app of its own: what passed to the page before would be in the way of the flood.
test('a server that floods stdout', async ({ page }) => {
  const script =
    'const line = "x".repeat(1000) + "\\n"; setInterval(() => { for (let n = 0; n < 200; n += 1) process.stdout.write(line) }, 1)'
  const shown = await startBroken(page, node('floods', script))
  await expect(shown.getByRole('alert')).toContainText('What the process writes is not MCP')
  await expectAppWorks(page)
})
