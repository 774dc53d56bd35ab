import type { Locator, Page } from '@playwright/test'
import { resultOf } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openInbox } from './inbox-steps.ts'
import { addUrl, approve, expectState, openEntry } from './server-steps.ts'
import { startTaskServer } from './servers/task-server.ts'

function taskBar(page: Page): Locator {
  return page.getByRole('group', { name: 'Task', exact: true })
}

/** Answers what the task asks in the inbox. */
async function answer(page: Page, colour: string): Promise<void> {
  const question = (await openInbox(page)).getByRole('article').first()
  await question.getByRole('textbox', { name: 'colour' }).fill(colour)
  await question.getByRole('button', { name: 'Accept' }).click()
}

for (const { revision, verb } of [
  { revision: '2025-11-25', verb: 'Run as task' },
  // The server decides; a client only says that it knows tasks.
  { revision: '2026-07-28', verb: 'Run' },
] as const) {
  test(`a task of ${revision} is followed, asks in the inbox, gives its result, and is cancelled`, async ({
    page,
  }) => {
    const name = 'painter'
    const server = await startTaskServer(revision)
    await addUrl(page, name, server.url)
    await approve(page, name)
    await expectState(page, name, 'connected')
    await openEntry(page, name, 'paint')
    await page.getByRole('button', { name: verb, exact: true }).click()
    await expect(taskBar(page)).toContainText('input required')
    await answer(page, 'blue')
    await expect(taskBar(page)).toContainText('completed')
    await expect(resultOf(page)).toContainText('painted blue')

    await openEntry(page, name, 'wait')
    await page.getByRole('button', { name: verb, exact: true }).click()
    await expect(taskBar(page)).toContainText('working')
    await page.getByRole('button', { name: 'Server menu' }).click()
    await page.getByRole('menuitem', { name: 'Tasks' }).click()
    const list = page.getByRole('region', { name: 'Tasks', exact: true })
    await expect(list.getByRole('row')).toHaveCount(3)
    await expect(list).toContainText('2 tasks, 1 open')
    await list.getByRole('row').filter({ hasText: 'paint' }).getByRole('button', { name: /^Show/ }).click()
    await expect(page.getByRole('region', { name: 'Task result' })).toContainText('painted blue')
    const waiting = list.getByRole('row').filter({ hasText: 'wait' })
    await waiting.getByRole('button', { name: /^Cancel/ }).click()
    await expect(waiting).toContainText('cancelled')
    await waiting.getByRole('button', { name: /^Forget/ }).click()
    await expect(list.getByRole('row')).toHaveCount(2)
    await server.close()
  })
}
