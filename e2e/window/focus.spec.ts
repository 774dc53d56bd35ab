import type { Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import { explorerOf } from './server-steps.ts'

/** What has the focus, as a reader of the screen would name it. */
function focused(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement
    if (element === null || element === document.body) return ''
    const labels =
      element instanceof HTMLInputElement || element instanceof HTMLTextAreaElement ? element.labels : null
    const label = element.getAttribute('aria-label') ?? labels?.[0]?.textContent ?? element.textContent
    return label.trim()
  })
}

/** Where to look for the mark of the focus: around the element, or around the row that it has made active. */
function focusBox(page: Page): Promise<{ x: number; y: number; width: number; height: number } | undefined> {
  return page.evaluate(() => {
    const focused = document.activeElement
    if (focused === null || focused === document.body) return undefined
    const row = document.getElementById(focused.getAttribute('aria-activedescendant') ?? '')
    const { left, top, right, bottom } = (row ?? focused).getBoundingClientRect()
    const [x, y] = [Math.max(0, left - 4), Math.max(0, top - 4)]
    const box = {
      x,
      y,
      width: Math.min(innerWidth, right + 4) - x,
      height: Math.min(innerHeight, bottom + 4) - y,
    }
    return box.width > 0 && box.height > 0 ? box : undefined
  })
}

/** Whether the screen shows where the focus is: it looks different there without it. */
async function isFocusShown(page: Page): Promise<boolean> {
  const clip = await focusBox(page)
  if (clip === undefined) return false
  const look = () => page.screenshot({ clip, animations: 'disabled' })
  const withFocus = await look()
  const focused = await page.evaluateHandle(() => document.activeElement)
  await focused.evaluate((element) => {
    if (element instanceof HTMLElement) element.blur()
  })
  const without = await look()
  // What was reached with a key is marked again, as the last thing that was used is a key.
  await focused.evaluate((element) => {
    if (element instanceof HTMLElement) element.focus()
  })
  return !withFocus.equals(without)
}

test('Tab reaches everything, always to be seen, and goes round', async ({ page }) => {
  await expect(explorerOf(page, 'This app')).toBeVisible()
  const reached: string[] = []
  for (let presses = 0; presses < 80; presses++) {
    await page.keyboard.press('Tab')
    const now = await focused(page)
    if (now !== '') expect(await isFocusShown(page), `the focus on ${now} is to be seen`).toBe(true)
    reached.push(now)
    // Once round is enough to have been everywhere.
    if (reached.filter((name) => name === 'Filter explorer').length > 1) break
  }
  const wanted = [
    /^Search tools, servers, commands/,
    'Theme',
    'Add server',
    'This app',
    'Inbox',
    'Height of servers',
    'Width of explorer',
    /^Client capabilities /,
    'Server menu',
    'Filter explorer',
    'What This app offers',
    'Reconnect',
    'Disconnect',
    'Copy address',
    'Copy configuration',
    'Reveal',
    'Copy token',
    'port',
    'Height of timeline',
    'Filter timeline',
    'follow',
    'Timeline menu',
    'Exchanges',
  ]
  const missed = wanted.filter(
    (name) => !reached.some((each) => (typeof name === 'string' ? each === name : name.test(each))),
  )
  expect(missed, `reached: ${[...new Set(reached)].join(', ')}`).toEqual([])
  // It comes back to where it began: nothing holds it.
  expect(reached.filter((name) => name === 'Filter explorer').length).toBeGreaterThan(1)
})

test('F6 walks the panels and Escape gives the focus back', async ({ page }) => {
  await expect(explorerOf(page, 'This app')).toBeVisible()
  const panelOf = async (): Promise<string | undefined> => {
    const panels = ['Servers', 'Explorer', 'Workbench', 'Timeline', 'Inbox'].map(
      (name) =>
        [name, page.getByRole(name === 'Servers' ? 'navigation' : 'region', { name, exact: true })] as const,
    )
    for (const [name, panel] of panels) if ((await panel.locator(':focus').count()) === 1) return name
    return undefined
  }
  const walked: (string | undefined)[] = []
  for (let presses = 0; presses < 6; presses++) {
    await page.keyboard.press('F6')
    expect(await isFocusShown(page)).toBe(true)
    walked.push(await panelOf())
  }
  expect(walked).toEqual(['Servers', 'Explorer', 'Workbench', 'Timeline', 'Servers', 'Explorer'])
  await page.keyboard.press('ControlOrMeta+i')
  await expect.poll(panelOf).toBe('Inbox')
  await page.keyboard.press('Shift+F6')
  expect(await panelOf()).toBe('Timeline')
  await page.keyboard.press('F6')
  await page.keyboard.press('Escape')
  const inboxButton = page.getByRole('button', { name: 'Inbox', exact: true })
  await expect(inboxButton).toBeFocused()
  await page.keyboard.press('Enter')
  await expect.poll(panelOf).toBe('Inbox')
  await page.keyboard.press('ControlOrMeta+i')
  await expect(inboxButton).toBeFocused()

  const filter = page.getByRole('textbox', { name: 'Filter explorer' })
  await filter.focus()
  for (const [keys, name] of [
    ['ControlOrMeta+k', 'Command palette'],
    ['Alt+n', 'Add server'],
  ] as const) {
    await page.keyboard.press(keys)
    const dialog = page.getByRole('dialog', { name })
    await expect(dialog).toBeVisible()
    await expect(dialog.locator(':focus')).toHaveCount(1)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
    await expect(filter).toBeFocused()
  }

  const menu = page.getByRole('button', { name: 'Server menu' })
  await menu.focus()
  await page.keyboard.press('Enter')
  await expect(page.getByRole('menuitem', { name: 'Server page' })).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(page.getByRole('menu')).toBeHidden()
  await expect(menu).toBeFocused()
})
