import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import type { Locator, Page } from '@playwright/test'
import { expect, test as base } from './fixtures.ts'
import { PausableHost } from './pausable-host.ts'
import {
  chooseNew,
  editorOf,
  entryRow,
  openInspector,
  openRegistry,
  selectEntry,
  textOf,
  trialOf,
} from './registry-steps.ts'

const SECOND = `import { tool } from 'patchbay'

export default tool({ description: 'Says a word.', run: () => 'a word' })
`

const test = base.extend<{ workspace: string; host: PausableHost }>({
  /** The open folder, with files of this test. */
  workspace: async ({ profile, app }, use) => {
    await app.address()
    const folder = path.join(profile, 'workspace')
    await writeFile(path.join(folder, 'tools', 'second.ts'), SECOND)
    for (const name of ['one', 'two', 'three']) await writeFile(path.join(folder, `${name}.txt`), name)
    await use(folder)
  },
  host: async ({ blankPage: page, app, workspace }, use) => {
    const host = await PausableHost.between(page, await app.address())
    await openRegistry(page)
    await expect(entryRow(page, 'second'), `${workspace} is served`).toBeVisible()
    await use(host)
  },
  /** The page that `host` opened. */
  page: async ({ blankPage, host }, use) => {
    expect(host.asked).not.toEqual([])
    await use(blankPage)
  },
})

/** Waits until a reply is kept back: it was asked for, and the page does not have it. */
async function expectKept(host: PausableHost, procedure: string): Promise<void> {
  await expect.poll(() => host.kept(procedure)).toBeGreaterThan(0)
}

/** Lets the replies go, and the page draw the result. */
async function release(page: Page, host: PausableHost, procedure: string): Promise<void> {
  host.release(procedure)
  await page.evaluate(
    () =>
      new Promise((resolve) =>
        setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(resolve)), 100),
      ),
  )
}

async function openFile(page: Page, file: string): Promise<Locator> {
  await editorOf(page).getByRole('button', { name: 'Open file' }).click()
  await page.getByRole('textbox', { name: 'Filter files' }).fill(file)
  await page.keyboard.press('Enter')
  await expect(textOf(page, file)).toBeVisible()
  return textOf(page, file)
}

/** Brings a file to the front as something does that leaves the focus where it is. */
async function bringToFront(page: Page, file: string): Promise<void> {
  const tab = editorOf(page).getByRole('tab', { name: file })
  await tab.evaluate((element) => element instanceof HTMLElement && element.click())
  await expect(tab).toHaveAttribute('aria-selected', 'true')
}

/** The form below the table for the words of an entry. */
async function openWords(page: Page, name: string): Promise<Locator> {
  await selectEntry(page, name)
  await page.keyboard.press('F2')
  const form = page.getByRole('form', { name: `How clients see ${name}` })
  await expect(form).toBeVisible()
  return form
}

test('until a file is read, nothing goes to the one before it, and nothing leaves where the user is', async ({
  page,
  workspace,
  host,
}) => {
  const tab = (name: string): Locator => editorOf(page).getByRole('tab', { name, exact: true })

  await test.step('Enter is pressed before the files are listed', async () => {
    host.hold('/editor/files')
    await editorOf(page).getByRole('button', { name: 'Open file' }).click()
    await page.getByRole('textbox', { name: 'Filter files' }).fill('one.txt')
    await page.keyboard.press('Enter')
    await expectKept(host, '/editor/files')
    host.release('/editor/files')
    await expect(textOf(page, 'one.txt')).toBeVisible()
    for (const file of ['two.txt', 'three.txt', 'one.txt']) await openFile(page, file)
    await page.reload()
    await expect(textOf(page, 'one.txt')).toHaveText('one')
  })

  await test.step('the text before is left alone, and the next one gets its focus', async () => {
    host.hold('/editor/read')
    await textOf(page, 'one.txt').focus()
    await bringToFront(page, 'two.txt')
    await expectKept(host, '/editor/read')
    await page.keyboard.type('lost')
    await page.keyboard.press('ControlOrMeta+s')
    await expect(tab('one.txt')).toBeVisible()
    await release(page, host, '/editor/read')
    await expect(textOf(page, 'two.txt')).toBeFocused()
    host.hold('/editor/read')
    await bringToFront(page, 'three.txt')
    await editorOf(page).getByRole('button', { name: 'More for three.txt' }).click()
    await expect(page.getByRole('menuitem', { name: 'Remove' })).toBeDisabled()
    await page.keyboard.press('Escape')
    await release(page, host, '/editor/read')
    for (const name of ['three', 'two', 'one']) {
      await tab(`${name}.txt`).click()
      await expect(textOf(page, `${name}.txt`)).toHaveText(name)
    }
    expect(await readFile(path.join(workspace, 'one.txt'), 'utf8')).toBe('one')
  })

  await test.step('the cursor stays where somebody types, and the focus too', async () => {
    const notes = textOf(page, 'tools/notes.ts')
    await selectEntry(page, 'search_notes')
    await expect(notes.getByText('export const search_notes')).toBeInViewport()
    host.hold('/editor/read')
    await selectEntry(page, 'create_note')
    await expectKept(host, '/editor/read')
    await notes.getByText('export const search_notes').click()
    await page.keyboard.press('End')
    await page.keyboard.type(' // ours')
    await release(page, host, '/editor/read')
    await page.keyboard.type(' and more')
    await expect(notes).toContainText('// ours and more')

    await writeFile(path.join(workspace, 'tools', 'bad.ts'), 'export default tool(\n')
    await page.getByRole('tab', { name: /^Problems/ }).click()
    host.hold('/editor/read')
    await page
      .getByRole('list', { name: 'Problems' })
      .getByRole('button', { name: /tools\/bad\.ts/ })
      .click()
    await expectKept(host, '/editor/read')
    const filter = page.getByRole('textbox', { name: 'Filter entries' })
    await filter.click()
    await page.keyboard.type('sec')
    await release(page, host, '/editor/read')
    await expect(textOf(page, 'tools/bad.ts')).toBeVisible()
    await page.keyboard.type('ond')
    await expect(filter).toHaveValue('second')
  })
})

test('what is changed while the change before is under way comes after it, and what is open stays open', async ({
  page,
  workspace,
  host,
}) => {
  const serve = page.getByRole('switch', { name: 'Serve second' })

  await test.step('an entry is switched while its words are saved, and the next form is open', async () => {
    const form = await openWords(page, 'second')
    await form.getByLabel('title').fill('Another title')
    host.hold('/events/watch')
    host.hold('/registry/amend')
    await form.getByRole('button', { name: 'Save' }).click()
    await expectKept(host, '/registry/amend')
    await serve.click()
    await expect(serve).not.toBeChecked()
    await form.getByLabel('title').press('Escape')
    const next = await openWords(page, 'search_notes')
    await next.getByLabel('title').fill('typed')
    await release(page, host, '/registry/amend')
    await expect(page.getByText('second is off')).toBeVisible()
    host.release('/events/watch')
    await expect(next.getByLabel('title')).toHaveValue('typed')
    const again = await openWords(page, 'second')
    await expect(again.getByLabel('title')).toHaveValue('Another title')
    await expect(serve).not.toBeChecked()
  })

  await test.step('a form stays while its entry is off the list', async () => {
    const form = page.getByRole('form', { name: 'How clients see second' })
    await form.getByLabel('description').fill('typed')
    await rm(path.join(workspace, 'tools', 'second.ts'))
    await expect(entryRow(page, 'second')).toBeHidden()
    await expect(form.getByLabel('description')).toHaveValue('typed')
    await writeFile(path.join(workspace, 'tools', 'second.ts'), SECOND)
    await expect(entryRow(page, 'second')).toBeVisible()
    await form.getByRole('button', { name: 'Save' }).click()
    await expect(form).toBeHidden()
    await serve.click()
    await expect(page.getByText('second is on')).toBeVisible()
  })

  await test.step('a switch that is pressed twice is where it was', async () => {
    const all = page.getByRole('switch', { name: 'Serve everything' })
    host.hold('/registry/setServing')
    await all.click()
    await expect(all).not.toBeChecked()
    await all.click()
    await expect(all).toBeChecked()
    await release(page, host, '/registry/setServing')
    await expect(page.getByText('Serving stopped')).toBeVisible()
    await expect(all).toBeChecked()
  })

  await test.step('the second click on a button that runs does not cancel', async () => {
    await selectEntry(page, 'second')
    const side = page.getByRole('complementary', { name: 'Try, connected, faults' })
    host.hold('/inspect/request')
    await side.getByRole('button', { name: /^Run/ }).dblclick()
    await expectKept(host, '/inspect/request')
    await expect(side.getByRole('button', { name: 'Cancel' }).first()).toBeFocused()
    await release(page, host, '/inspect/request')
    await expect(trialOf(page)).toContainText('a word')
    expect(host.asked.filter((asked) => /\/inspect\/(?:request|cancel)$/.test(asked))).toHaveLength(1)
  })

  await test.step('revisions of one script are not shown as those of another', async () => {
    await page.getByRole('tab', { name: /^Reloads/ }).click()
    const reloads = (file: string): Locator => page.getByRole('list', { name: `Reloads of ${file}` })
    await expect(reloads('tools/second.ts').getByRole('listitem').first()).toBeVisible()
    host.hold('/registry/revisions')
    await selectEntry(page, 'search_notes')
    await expectKept(host, '/registry/revisions')
    await expect(reloads('tools/second.ts')).toBeHidden()
    await expect(reloads('tools/notes.ts')).toBeHidden()
    host.release('/registry/revisions')
    await expect(reloads('tools/notes.ts').getByRole('listitem').first()).toBeVisible()
  })
})

test('what is opened of another workspace while the inspector is shown stays open, and nothing of the one before', async ({
  page,
  workspace,
  host,
}) => {
  const other = `${workspace}-other`
  await mkdir(path.join(other, 'tools'), { recursive: true })
  await writeFile(path.join(other, 'tools', 'far.ts'), SECOND)
  const openFolder = async (folder: string): Promise<void> => {
    await page.getByRole('button', { name: /^Workspace/ }).click()
    await page.getByRole('menuitem', { name: 'Open another workspace folder…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Open a workspace folder' })
    await dialog.getByLabel('folder').fill(folder)
    await dialog.getByRole('button', { name: 'Open', exact: true }).click()
    await expect(dialog).toBeHidden()
  }
  await openFolder(other)
  await page.getByRole('button', { name: 'Trust and run' }).click()
  await expect(entryRow(page, 'far')).toBeVisible()
  await openFolder(workspace)
  await selectEntry(page, 'second')
  await expect(textOf(page, 'tools/second.ts')).toBeVisible()
  await chooseNew(page, 'New tool…')
  await expect(editorOf(page).getByRole('tab')).toHaveText(['tools/second.ts', 'New tool'])
  await openInspector(page)
  // The reply to the action is the first to show the other workspace.
  host.hold('/events/watch')
  await openFolder(other)
  host.release('/events/watch')
  await page.keyboard.press('ControlOrMeta+k')
  const script = page.getByRole('option', { name: /tools\/far\.ts/ })
  await page.getByRole('combobox').fill('tools/far.ts')
  await expect(script).toBeVisible()
  host.hold('/editor/drafts')
  await script.click()
  await expectKept(host, '/editor/drafts')
  await release(page, host, '/editor/drafts')
  await expect(textOf(page, 'tools/far.ts')).toBeVisible()
  await expect(editorOf(page).getByRole('tab')).toHaveText(['tools/far.ts'])
  await page.getByRole('button', { name: 'all scripts' }).click()
  const log = page.getByLabel('Log lines')
  await expect(log).toContainText('tools/far.ts')
  await expect(log).not.toContainText('tools/second.ts')
})
