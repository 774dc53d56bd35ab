import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { expect, test } from './fixtures.ts'
import { editorOf, openRegistry, textOf } from './registry-steps.ts'

const FILE = 'tools/long.ts'
/** A type error with a message of several lines at the top, a long line, and an end that is out of sight. */
const SCRIPT = `import { tool } from 'patchbay'
export default tool({ description: 1, run: () => ({ content: [{ type: 'nothing', text: { a: { b: 'c' } } }] }) })
export const long = '${'x'.repeat(400)}'
${'// filler\n'.repeat(80)}`

test('a save that cannot be loaded shows its syntax error, in sight, and no type errors beside it', async ({
  page,
  app,
  profile,
}) => {
  test.setTimeout(180_000)
  await app.address()
  const file = path.join(profile, 'workspace', FILE)
  await mkdir(path.dirname(file), { recursive: true })
  await writeFile(file, SCRIPT)
  await openRegistry(page)
  await editorOf(page).getByRole('button', { name: 'Open file' }).click()
  await page.getByRole('dialog', { name: 'Open file' }).getByRole('button', { name: FILE }).click()
  const text = textOf(page, FILE)
  await expect(text).toBeVisible()
  const typeErrors = editorOf(page)
    .locator('.cm-reason')
    .filter({ hasText: / ts \d{4}/ })
  await expect(typeErrors.first()).toBeVisible({ timeout: 60_000 })

  await test.step('a message keeps inside the view when the code scrolls sideways', async () => {
    const scroller = editorOf(page).locator('.cm-scroller')
    await scroller.evaluate((element) => (element.scrollLeft = 1_500))
    const view = await scroller.boundingBox()
    const message = await typeErrors.first().boundingBox()
    if (view === null || message === null) throw new Error('the editor has no place')
    expect(message.x).toBeGreaterThanOrEqual(view.x)
    expect(message.x + message.width).toBeLessThanOrEqual(view.x + view.width + 1)
    await scroller.evaluate((element) => (element.scrollLeft = 0))
  })

  await test.step('the syntax error at the end is scrolled into view after the save', async () => {
    await text.focus()
    await page.keyboard.press('ControlOrMeta+End')
    await page.keyboard.insertText('export const broken = {{ ')
    // Back to the top, so that the end is out of sight when the script is loaded.
    await page.keyboard.press('ControlOrMeta+Home')
    await page.keyboard.press('ControlOrMeta+s')
    const failure = editorOf(page).locator('.cm-reason').filter({ hasText: 'syntax or imports' })
    await expect(failure).toBeInViewport({ timeout: 60_000 })
    await expect(page.getByText('cannot find')).toHaveCount(0)
  })

  await test.step('type errors come back once the syntax is right', async () => {
    await page.keyboard.press('ControlOrMeta+Home')
    await expect(typeErrors.filter({ hasText: / ts 2\d{3}/ })).toHaveCount(0)
    await page.keyboard.press('ControlOrMeta+z')
    await page.keyboard.press('ControlOrMeta+Home')
    await expect(typeErrors.first()).toBeVisible({ timeout: 60_000 })
  })
})
