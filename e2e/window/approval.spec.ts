import { existsSync } from 'node:fs'
import path from 'node:path'
import type { Page } from '@playwright/test'
import { aliveOf, commandLineOf, descendantsOf } from '../process-tree.ts'
import { expect, test } from './fixtures.ts'
import {
  addCommand,
  approvalOf,
  approve,
  expectState,
  openAddDialog,
  serverPage,
  serverRow,
  startServer,
} from './server-steps.ts'
import type { RunningApp } from './start-app.ts'

const argumentServer = path.join(import.meta.dirname, 'servers/argument-server.ts')
/** Writes the file that its argument names. */
const WRITE = 'require("node:fs").writeFileSync(process.argv[1], "started")'

/** The processes in which the app's own scripts are made and run, and their guards; a spare one may come at any time. */
const OWN_SCRIPTS =
  /^patchbay tool host|tool-process\.js|\/esbuild --service|^\/bin\/sh -c\s+trap '' HUP INT TERM/

/** How the programs were started that run for the app, besides those for its own scripts. */
const commandLines = (app: RunningApp): string[] =>
  descendantsOf(app.pid)
    .map(commandLineOf)
    // One that has ended meanwhile has none.
    .filter((line) => line !== '' && !OWN_SCRIPTS.test(line))

async function selectServer(page: Page, name: string): Promise<void> {
  await serverRow(page, name).getByRole('button', { name, exact: true }).click()
}

test("a client's pasted servers land unapproved, and nothing of them is started", async ({
  app,
  page,
  profile,
}) => {
  const mark = path.join(profile, 'started-by-the-paste')
  const config = {
    mcpServers: {
      writer: { command: 'node', args: ['-e', WRITE, mark], env: { LEVEL: 'debug' } },
      remote: { url: 'http://127.0.0.1:1/mcp', headers: { 'X-Team': 'blue' } },
    },
  }
  // One that is started just now has the command line of who starts it.
  let before: string[] = []
  await expect
    .poll(() => {
      const earlier = before
      before = commandLines(app).toSorted()
      return before.join() === earlier.join()
    })
    .toBe(true)
  const dialog = await openAddDialog(page, 'Paste')
  await dialog.getByLabel('Configuration').fill(JSON.stringify(config, null, 2))
  const understood = dialog.getByRole('group', { name: 'Servers found' })
  for (const part of ['writer', mark, 'LEVEL=debug', 'http://127.0.0.1:1/mcp', 'X-Team: blue'])
    await expect(understood).toContainText(part)
  await dialog.getByRole('button', { name: 'Add 2 servers' }).click()

  await expectState(page, 'writer', 'needs approval')
  await expectState(page, 'remote', 'needs approval')
  await page.reload()
  await expectState(page, 'writer', 'needs approval')
  await selectServer(page, 'remote')
  await expect(approvalOf(page, 'remote')).toContainText('http://127.0.0.1:1/mcp')
  await selectServer(page, 'writer')
  for (const part of ['node', WRITE, mark, 'LEVEL', 'debug'])
    await expect(approvalOf(page, 'writer').getByText(part, { exact: true })).toBeVisible()
  expect(existsSync(mark)).toBe(false)
  expect(commandLines(app).filter((line) => line.includes(mark))).toEqual([])
  await expect.poll(() => commandLines(app).toSorted()).toEqual(before)

  // With a yes it does run: what was looked for above would have been seen.
  await approve(page, 'writer')
  await expect.poll(() => existsSync(mark)).toBe(true)
})

test('all that an approval is about is shown', async ({ page, profile }) => {
  await test.step('what affects the code that runs, or keeps it from starting, is shown before anything else, each with its reason', async () => {
    const folder = path.join(profile, 'nowhere')
    const dialog = await openAddDialog(page, 'Paste')
    const server = {
      command: 'node',
      args: ['a.js'],
      cwd: folder,
      env: { NODE_OPTIONS: '--require ./hook.js' },
    }
    await dialog.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { hooked: server } }))
    await dialog.getByRole('button', { name: 'Add server' }).click()
    await selectServer(page, 'hooked')
    const warnings = approvalOf(page, 'hooked').getByRole('list', { name: 'Warnings' }).getByRole('listitem')
    await expect(warnings).toHaveText([
      `The folder ${folder} does not exist.`,
      'NODE_OPTIONS makes Node load modules that the command does not name.',
    ])
    await addCommand(page, { name: 'plain', command: 'node', args: ['a.js'] })
    await expect(approvalOf(page, 'plain').getByRole('list', { name: 'Warnings' })).toBeHidden()
  })

  await test.step('what is approved is shown exactly, and secrets are said to be hidden', async () => {
    const dialog = await openAddDialog(page, 'Paste')
    const server = {
      command: 'node',
      args: ['a\nfolder\n/safe', ' b'],
      env: {
        API_TOKEN: 'hidden-value',
        GIT_CONFIG_KEY_0: 'core.sshCommand',
        NODE_OPTIONS: '--no-warnings',
      },
    }
    await dialog.getByLabel('Configuration').fill(JSON.stringify({ mcpServers: { exact: server } }))
    await dialog.getByRole('button', { name: 'Add server' }).click()
    await selectServer(page, 'exact')
    const approval = approvalOf(page, 'exact')
    await expect(approval).toContainText('Secret values are hidden; everything else is shown in full.')
    await expect(approval).not.toContainText('hidden-value')
    await expect(approval).toContainText('core.sshCommand')
    await expect(approval.getByRole('list', { name: 'Warnings' }).getByRole('listitem')).toHaveText([
      'GIT_CONFIG_KEY_0 decides which programs git runs.',
    ])
    await expect(approval.getByText(/^a⏎\s*folder⏎\s*\/safe$/)).toBeVisible()
    await expect(approval.getByText('␣b', { exact: true })).toBeVisible()

    await addCommand(page, { name: 'open', command: 'node', args: ['a.js'] })
    await expect(approvalOf(page, 'open')).toContainText('Everything is shown in full.')
  })

  await test.step('the folder field says where a command without a folder starts', async () => {
    const dialog = await openAddDialog(page, 'Command')
    await expect(dialog.getByLabel('folder', { exact: true })).toHaveAccessibleDescription(
      /^Working directory\. Default: \/.+\.$/,
    )
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  })

  await test.step('an argument of 5,000 characters can be read to its end', async () => {
    const end = ';rm -rf everything'
    const argument =
      `${'a harmless beginning '.repeat(238)}${' '.repeat(60)}`.slice(0, 5_000 - end.length) + end
    expect(argument).toHaveLength(5_000)
    await addCommand(page, { name: 'long', command: 'node', args: ['-e', argument] })
    const shown = approvalOf(page, 'long').getByText(end)
    await expect(shown).toHaveText(argument, { useInnerText: false })
    // Its last characters can be brought under the eyes, and nothing covers them.
    await shown.evaluate((element) => element.scrollIntoView({ block: 'end' }))
    const isSeen = await shown.evaluate((element, length) => {
      const text = element.lastChild
      if (text === null) return false
      const range = document.createRange()
      range.setStart(text, (text.textContent?.length ?? 0) - length)
      range.setEnd(text, text.textContent?.length ?? 0)
      return [...range.getClientRects()].every(({ left, right, top, bottom }) => {
        const there = document.elementFromPoint((left + right) / 2, (top + bottom) / 2)
        return there === element
      })
    }, end.length)
    expect(isSeen).toBe(true)
  })
})

test('approval without a start starts nothing', async ({ page, profile }) => {
  const mark = path.join(profile, 'started')
  await addCommand(page, { name: 'later', command: 'node', args: ['-e', WRITE, mark] })
  await approvalOf(page, 'later').getByRole('button', { name: 'Approve, don’t start' }).click()
  await expectState(page, 'later', 'not connected')
  expect(existsSync(mark)).toBe(false)
  await serverRow(page, 'later').getByRole('button', { name: 'Connect later' }).click()
  await expect.poll(() => existsSync(mark)).toBe(true)
})

test('a changed argument ends what runs and asks again', async ({ app, page }) => {
  await startServer(page, { name: 'changing', command: process.execPath, args: [argumentServer] })
  const [running] = descendantsOf(app.pid).filter((pid) => commandLineOf(pid).includes(argumentServer))
  expect(running).toBeDefined()

  await serverPage(page).getByRole('button', { name: 'Edit…' }).click()
  const dialog = page.getByRole('dialog', { name: 'Edit changing' })
  await dialog.getByLabel('arguments', { exact: true }).fill(JSON.stringify([argumentServer, '--verbose']))
  await dialog.getByRole('button', { name: 'Save' }).click()

  const approval = approvalOf(page, 'changing')
  await expect(approval).toContainText('changed since approval')
  await expect(approval.getByText('--verbose', { exact: true })).toBeVisible()
  await expectState(page, 'changing', 'needs approval')
  await expect.poll(() => aliveOf(running === undefined ? [] : [running])).toEqual([])
  await expect.poll(() => commandLines(app).filter((line) => line.includes(argumentServer))).toEqual([])
  await page.reload()
  await expectState(page, 'changing', 'needs approval')

  await selectServer(page, 'changing')
  await approve(page, 'changing')
  await expectState(page, 'changing', 'connected')
  expect(commandLines(app).some((line) => line.includes('--verbose'))).toBe(true)
})
