import { mkdir, readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { AxeBuilder } from '@axe-core/playwright'
import type { Locator, Page } from '@playwright/test'
import { ALONE, expect, test as base } from './fixtures.ts'
import { measured, painted, typeAndMeasure, watchPaint } from './measuring.ts'
import { editorOf, openRegistry, textOf } from './registry-steps.ts'

const FORECAST = `import { tool, z } from 'patchbay'
import { highs } from '../lib/highs.ts'

export default tool({
  description: 'Forecast for a place.',
  input: z.object({ city: z.string() }),
  run({ city }, ctx) {
    ctx.progress(1, 2)
    return { city, highs: highs(city) }
  },
})
`
/** One that has a tab, one that had, and one that is never opened. */
const USING = ['tools/forecast.ts', 'lib/highs.ts', 'tools/second.ts']
/** What documentation must not bring into the page. */
const HIGHS = `/** Highs **of days**. <img src="https://example.org/x.png" onerror="alert(1)"> [a link](javascript:alert(2)) */
export function highs(city: string): number[] {
  return [city.length]
}
`

const test = base.extend<{ workspace: string }>({
  /** The open folder, with two files of this test. */
  workspace: async ({ profile, app }, use) => {
    await app.address()
    const folder = path.join(profile, 'workspace')
    await mkdir(path.join(folder, 'lib'), { recursive: true })
    await writeFile(path.join(folder, 'lib', 'highs.ts'), HIGHS)
    await writeFile(path.join(folder, 'tools', 'forecast.ts'), FORECAST)
    await writeFile(path.join(folder, 'tools', 'second.ts'), FORECAST.replace('Forecast', 'Second forecast'))
    await use(folder)
  },
})
// A colour that is still on its way to another has the contrast of neither.
test.use({ ...ALONE, contextOptions: { reducedMotion: 'reduce' } })

async function openFile(page: Page, file: string): Promise<Locator> {
  await editorOf(page).getByRole('button', { name: 'Open file' }).click()
  const dialog = page.getByRole('dialog', { name: 'Open file' })
  await dialog.getByRole('textbox', { name: 'Filter files' }).fill(file)
  await watchPaint(page, '.cm-line')
  await dialog.getByRole('button', { name: file }).click()
  const text = textOf(page, file)
  await expect(text).toBeVisible()
  return text
}

/** Puts the cursor behind the first place of a word. */
async function goToBackground(page: Page, text: Locator, word: string): Promise<void> {
  await text.focus()
  await page.keyboard.press('ControlOrMeta+f')
  await page.getByRole('textbox', { name: 'Find' }).pressSequentially(word)
  await page.keyboard.press('Enter')
  await page.keyboard.press('Escape')
  await page.keyboard.press('ArrowRight')
}

/** Puts the pointer on a word of the text. */
async function pointAt(page: Page, text: Locator, word: string): Promise<void> {
  const { x, y } = await text.evaluate((element, sought) => {
    const texts = document.createTreeWalker(element, NodeFilter.SHOW_TEXT)
    for (let node = texts.nextNode(); node !== null; node = texts.nextNode()) {
      const place = node.textContent?.indexOf(sought) ?? -1
      if (place < 0) continue
      const range = document.createRange()
      range.setStart(node, place)
      range.setEnd(node, place + sought.length)
      return range.getBoundingClientRect()
    }
    throw new Error(`there is no ${sought}`)
  }, word)
  await page.mouse.move(x + 12, y + 4)
  await page.mouse.move(x + 14, y + 5)
}

/** Asks for another name of what the cursor is at and goes on at once; reports whether it was still asked for. */
async function renameAndGoOn(page: Page): Promise<() => Promise<boolean>> {
  const seen = await page.evaluateHandle(() => {
    const asked = { isShown: false }
    new MutationObserver(() => {
      if (document.querySelector('[role=dialog]')?.textContent.startsWith('Rename') === true)
        asked.isShown = true
    }).observe(document.body, { childList: true, subtree: true })
    for (const key of ['F2', 'F9']) {
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', { key, bubbles: true }))
    }
    return asked
  })
  return () => seen.evaluate(({ isShown }) => isShown)
}

/** Renames `highs` by F2 after a look at where it is used; returns the files on the disk before and after. */
async function renameSymbol(page: Page, text: Locator, workspace: string) {
  const onDisk = () => Promise.all(USING.map((file) => readFile(path.join(workspace, file), 'utf8')))
  const before = await onDisk()
  await goToBackground(page, text, 'highs: hi')
  const wasAsked = await renameAndGoOn(page)
  await page.keyboard.press('Shift+F12')
  const references = page.getByRole('dialog', { name: 'References of highs' })
  await expect(references.getByRole('listitem')).toHaveCount(5)
  // The server answers in turn.
  expect(await wasAsked()).toBe(false)
  expect(await axeFinds(page)).toEqual([])
  await page.keyboard.press('Escape')
  await expect(text).toBeFocused()
  await page.keyboard.press('F2')
  const dialog = page.getByRole('dialog', { name: 'Rename highs' })
  await dialog.getByRole('textbox', { name: 'New name' }).fill('peaks')
  await page.keyboard.press('Enter')
  await expect(page.getByText('Renamed highs to peaks in 3 files')).toBeVisible()
  return { before, after: await onDisk() }
}

/** What axe finds on a page that holds still meanwhile: it tells elements by their places among the others. */
async function axeFinds(page: Page): Promise<string[]> {
  let found: string[] = []
  await expect(async () => {
    const watch = await page.evaluateHandle(() => {
      const seen = { changes: 0 }
      new MutationObserver(() => (seen.changes += 1)).observe(document.body, {
        childList: true,
        subtree: true,
      })
      return seen
    })
    const [outcome] = await Promise.allSettled([new AxeBuilder({ page }).setLegacyMode(true).analyze()])
    expect(await watch.evaluate(({ changes }) => changes)).toBe(0)
    if (outcome.status === 'rejected') throw outcome.reason
    found = outcome.value.violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${id}: ${html}`))
  }).toPass({ timeout: 30_000 })
  return found
}

test('a script is completed, checked, formatted, saved and merged, and nothing that was typed is lost', async ({
  page,
  workspace,
}) => {
  test.setTimeout(300_000)
  const onDisk = (file: string): Promise<string> => readFile(path.join(workspace, file), 'utf8')
  const reason = editorOf(page).locator('.cm-reason')
  await openRegistry(page)
  await openFile(page, 'lib/highs.ts')
  measured('editor shown after the click that opens the first file', await painted(page))
  const forecast = await openFile(page, 'tools/forecast.ts')

  await test.step('completed by what TypeScript knows of ctx', async () => {
    await goToBackground(page, forecast, 'progress(1, 2)')
    await page.keyboard.press('Enter')
    await page.keyboard.type('ctx.elicitU')
    const completions = page.getByRole('listbox', { name: 'Completions' })
    await expect(completions.getByRole('option')).toHaveText(['elicitUrl'], { timeout: 60_000 })
    await expect(page.locator('.cm-completionInfo')).toContainText('message: string, url: string')
    expect(await axeFinds(page)).toEqual([])
    await page.keyboard.press('Enter')
    await page.keyboard.type('(')
    await expect(page.locator('.cm-lsp-signature-tooltip')).toContainText('message: string')
  })

  await test.step('another file comes before the place of what floats over this one was looked at', async () => {
    await page.evaluate(async () => {
      const soon = window.requestAnimationFrame.bind(window)
      const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
      window.requestAnimationFrame = (act) => window.setTimeout(() => act(performance.now()), 300)
      window.dispatchEvent(new Event('resize'))
      await pause(100)
      const tabs = [...document.querySelectorAll<HTMLElement>('[role=tab]')]
      tabs.find(({ textContent }) => textContent.includes('lib/highs.ts'))?.click()
      await pause(500)
      window.requestAnimationFrame = soon
    })
    await expect(textOf(page, 'lib/highs.ts')).toBeVisible()
    await page.getByRole('tab', { name: /tools\/forecast/ }).click()
    await forecast.focus()
    await page.keyboard.press('Escape')
  })

  await test.step('checked, with the reason under the line', async () => {
    await expect(reason.filter({ hasText: 'Expected 2-3 arguments, but got 0. ts 2554' })).toBeVisible()
    await expect(page.getByRole('tab', { name: 'tools/forecast.ts 1 error, not saved' })).toBeVisible()
    await page.keyboard.type("'Look',    'https://example.org'")
    await expect(reason).toHaveCount(0)
  })

  await test.step('shown what something is, and where it comes from; its documentation brings nothing along', async () => {
    await goToBackground(page, forecast, 'highs: hi')
    await page.keyboard.press('F12')
    await expect(textOf(page, 'lib/highs.ts')).toBeFocused()
    await pointAt(page, textOf(page, 'lib/highs.ts'), 'highs')
    const tooltip = page.locator('.cm-lsp-hover-tooltip')
    await expect(tooltip.locator('strong')).toHaveText('of days')
    expect(await tooltip.locator('img, a').count()).toBe(0)
    await page.mouse.move(1, 1)
  })

  await test.step('what is typed in one file and not saved counts in the others', async () => {
    await goToBackground(page, textOf(page, 'lib/highs.ts'), 'city: ')
    await page.keyboard.type('number | ')
    await page.getByRole('tab', { name: /tools\/forecast/ }).click()
    await page.getByRole('tab', { name: /lib\/highs/ }).click()
    const told = "Property 'length' does not exist on type 'string | number'"
    await expect(reason.filter({ hasText: told })).toBeVisible()
    expect(await onDisk('lib/highs.ts')).toBe(HIGHS)
  })

  await test.step('undone and formatted, each file by itself', async () => {
    await textOf(page, 'lib/highs.ts').focus()
    await expect(async () => {
      await page.keyboard.press('ControlOrMeta+z')
      await expect(page.getByRole('tab', { name: 'lib/highs.ts', exact: true })).toBeVisible({ timeout: 500 })
    }).toPass()
    await page.getByRole('tab', { name: /tools\/forecast/ }).click()
    await forecast.focus()
    await page.keyboard.press('Shift+Alt+f')
    await expect.poll(() => forecast.innerText()).toContain("ctx.elicitUrl('Look', 'https://example.org')")
    await page.keyboard.press('ControlOrMeta+s')
    await expect(page.getByRole('tab', { name: 'tools/forecast.ts', exact: true })).toBeVisible()
    expect(await onDisk('tools/forecast.ts')).toBe(
      FORECAST.replace('(1, 2)\n', "(1, 2)\n    ctx.elicitUrl('Look', 'https://example.org')\n"),
    )
  })

  await test.step('the text keeps the focus where the window becomes narrow, and wide again', async () => {
    const wide = page.viewportSize() ?? { width: 1440, height: 900 }
    for (const size of [{ width: 1000, height: 700 }, wide]) {
      await page.setViewportSize(size)
      await expect(forecast).toBeFocused()
    }
  })

  await test.step('renamed in every file that uses it, and taken back', async () => {
    const { before, after } = await renameSymbol(page, forecast, workspace)
    expect(after.map((text, place) => text === before[place])).toEqual([false, false, false])
    expect(after.join('')).toContain('{ city, highs: peaks(city) }')
    await page.getByRole('button', { name: 'Undo' }).click()
    await expect.poll(() => Promise.all(USING.map(onDisk))).toEqual(before)
    await goToBackground(page, forecast, 'too')
    await page.keyboard.press('F2')
    const dialog = page.getByRole('dialog', { name: 'Rename tool' })
    await dialog.getByRole('textbox', { name: 'New name' }).fill('gadget')
    await page.keyboard.press('Enter')
    await expect(dialog).toContainText('Patchbay writes this file')
    await page.keyboard.press('Escape')
    expect(await Promise.all(USING.map(onDisk))).toEqual(before)
  })

  await test.step('taken over from the disk; merged where both changed it', async () => {
    const before = await onDisk('tools/forecast.ts')
    await writeFile(path.join(workspace, 'tools/forecast.ts'), before.replace('a place', 'a town'))
    await expect(forecast).toContainText('Forecast for a town.')
    await goToBackground(page, forecast, '(1, 2)')
    await page.keyboard.type(' // mine')
    await writeFile(path.join(workspace, 'tools/forecast.ts'), before.replace('a place', 'a village'))
    await page.keyboard.press('ControlOrMeta+s')
    const take = editorOf(page).getByRole('button', { name: 'Use disk version' })
    await expect(take).toHaveCount(2)
    expect(await axeFinds(page)).toEqual([])
    await take.first().click()
    await editorOf(page).getByRole('button', { name: 'Save right side' }).click()
    await expect(forecast).toBeFocused()
    await expect
      .poll(() => onDisk('tools/forecast.ts'))
      .toBe(before.replace('a place', 'a village').replace('(1, 2)', '(1, 2) // mine'))
  })

  await test.step('kept over loading the page again; closing asks', async () => {
    measured('keystroke in a script', await typeAndMeasure(page, forecast, '// quick brown fox'))
    await page.reload()
    await expect(forecast).toContainText('// quick brown fox')
    const tab = page.getByRole('tab', { name: /tools\/forecast.ts.* not saved/ })
    await tab.focus()
    await page.keyboard.press('Delete')
    await page.getByRole('dialog').getByRole('button', { name: 'Don’t save' }).click()
    await expect(tab).toBeHidden()
    const again = await openFile(page, 'tools/forecast.ts')
    await expect(again).not.toContainText('quick brown fox')
    // For two seconds after Escape the next Tab leaves the text; later ones belong to it again.
    await expect(async () => {
      await again.focus()
      await page.keyboard.press('Escape')
      await page.keyboard.press('Tab')
      await expect(again).not.toBeFocused({ timeout: 1_000 })
    }).toPass()
  })
})
