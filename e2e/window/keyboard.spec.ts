import type { Page } from '@playwright/test'
import { exchangeOf, frameOf, resultOf } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { approvalOf, everything, expectState } from './server-steps.ts'

/** Presses Tab until the element that has the focus answers to a name. Throws if sixty were not enough. */
async function tabTo(page: Page, name: RegExp): Promise<void> {
  for (let presses = 0; presses < 60; presses += 1) {
    const words = await page.evaluate(() => {
      const focused = document.activeElement
      const label = focused?.getAttribute('aria-label') ?? focused?.textContent ?? ''
      // What holds everything else, as the page itself does, answers to no name.
      return focused === document.body || label.length > 80 ? '' : label
    })
    if (name.test(words)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`Tab does not reach ${String(name)}`)
}

/** Whether what has the focus shows it. */
async function focusIsVisible(page: Page): Promise<boolean> {
  return page.evaluate(() => {
    for (let shown = document.activeElement; shown !== null; shown = shown.parentElement) {
      const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(shown)
      if ((outlineStyle !== 'none' && outlineWidth !== '0px') || boxShadow !== 'none') return true
    }
    return false
  })
}

/** Fills the field that has the focus and presses Enter before the page can draw anything. */
async function fillAndEnter(page: Page, text: string): Promise<void> {
  await page.evaluate((value) => {
    const field = document.activeElement
    if (!(field instanceof HTMLInputElement)) throw new Error('expected a text field with the focus')
    Object.getOwnPropertyDescriptor(HTMLInputElement.prototype, 'value')?.set?.call(field, value)
    field.dispatchEvent(new InputEvent('input', { bubbles: true }))
    field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true, cancelable: true }))
  }, text)
}

test('a server is added, approved, called and looked at with the keyboard alone', async ({ page }) => {
  await expectState(page, 'This app', 'connected')
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('add server')
  await page.keyboard.press('Enter')
  const dialog = page.getByRole('dialog', { name: 'Add server' })
  await expect(dialog).toBeVisible()
  // The dialog opens ready for a paste.
  await expect(dialog.getByRole('textbox').first()).toBeFocused()
  await page.keyboard.type(`node ${everything} st`)
  await expect(dialog.getByRole('checkbox')).toBeChecked()
  await tabTo(page, /Add server/)
  expect(await focusIsVisible(page)).toBe(true)
  // However fast the keys follow one another, they mean what was typed.
  await dialog
    .getByRole('textbox')
    .first()
    .evaluate((field: HTMLTextAreaElement) => {
      field.focus()
      field.setRangeText('dio', field.value.length, field.value.length, 'end')
      field.dispatchEvent(new InputEvent('input', { bubbles: true }))
      field.dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', ctrlKey: true, bubbles: true }))
    })
  await expect(approvalOf(page, 'server-everything')).toBeVisible()
  await tabTo(page, /Approve and start/)
  expect(await focusIsVisible(page)).toBe(true)
  await page.keyboard.press('Enter')
  await expectState(page, 'server-everything', 'connected')
  // It is connected before its tools are listed.
  await expect(page.getByRole('treeitem', { name: /get-sum/ })).toBeVisible()

  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('combobox')).toBeFocused()
  await fillAndEnter(page, 'get-sum')
  const first = page.getByRole('form', { name: 'Arguments of get-sum' }).getByLabel('a', { exact: true })
  await expect(first).toBeFocused()
  await page.keyboard.type('40')
  await page.keyboard.press('Tab')
  await page.keyboard.type('2')
  await page.keyboard.press('ControlOrMeta+Enter')
  await expect(resultOf(page)).toContainText('42')

  // F6 goes from panel to panel; arrows choose a row, Enter opens its frames.
  for (let presses = 0; presses < 12; presses += 1) {
    if (
      await page
        .getByRole('treegrid', { name: 'Exchanges' })
        .evaluate((grid) => grid === document.activeElement)
    )
      break
    await page.keyboard.press('F6')
  }
  await expect(page.getByRole('treegrid', { name: 'Exchanges' })).toBeFocused()
  // What the server asks of its own accord, its roots, may come after the call.
  await expect(exchangeOf(page, 'get-sum')).toBeVisible()
  await page.keyboard.press('End')
  await expect(page.getByRole('treegrid').locator('[aria-selected="true"]')).toBeVisible()
  for (let presses = 0; presses < 12; presses += 1) {
    if ((await exchangeOf(page, 'get-sum').getAttribute('aria-selected')) === 'true') break
    await page.keyboard.press('ArrowUp')
  }
  await expect(exchangeOf(page, 'get-sum')).toHaveAttribute('aria-selected', 'true')
  await page.keyboard.press('Enter')
  await expect(frameOf(page)).toContainText('response to tools/call')
})

test('Escape, arrows and the palette lead on, and give the focus back', async ({ page }) => {
  await expectState(page, 'This app', 'connected')
  const add = page.getByRole('button', { name: 'Add server', exact: true })

  await test.step('Escape closes what floats and gives the focus back', async () => {
    await add.focus()
    await page.keyboard.press('Enter')
    await expect(page.getByRole('dialog', { name: 'Add server' })).toBeVisible()
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(add).toBeFocused()
  })

  await test.step('arrows walk the explorer and Enter opens what they reach', async () => {
    const tree = page.getByRole('tree', { name: 'What This app offers' })
    // It is connected before its tools are listed.
    await expect(tree.getByRole('treeitem', { name: 'delete_note' })).toBeVisible()
    await tree.focus()
    for (const name of ['export_notes', 'create_note', 'delete_note']) {
      await page.keyboard.press('ArrowDown')
      await expect(tree.getByRole('treeitem', { name })).toBeVisible()
    }
    await page.keyboard.press('Enter')
    await expect(page.getByRole('tab', { name: 'delete_note This app' })).toBeVisible()
  })

  await test.step('the palette takes the keys that follow at once and gives the focus back', async () => {
    await add.focus()
    const focused = await page.evaluate(async () => {
      const keys = { key: 'k', code: 'KeyK', ctrlKey: true, bubbles: true, cancelable: true }
      document.activeElement?.dispatchEvent(new KeyboardEvent('keydown', keys))
      // The next key is a task of its own, so it comes after this.
      await Promise.resolve()
      return document.activeElement?.getAttribute('aria-label')
    })
    expect(focused).toBe('Search tools, servers, commands')
    await page.keyboard.press('Escape')
    await expect(page.getByRole('dialog')).toBeHidden()
    await expect(add).toBeFocused()
    await expect(page.getByRole('treeitem', { name: /create_note/ })).toBeVisible()
    await page.keyboard.press('ControlOrMeta+k')
    await fillAndEnter(page, 'create_note')
    // What was chosen has the focus, not what had it before.
    const form = page.getByRole('form', { name: 'Arguments of create_note' })
    await expect(form.getByRole('textbox').first()).toBeFocused()
  })
})
