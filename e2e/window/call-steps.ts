import { expect, type Locator, type Page } from '@playwright/test'

/** The result of the request of the tab in front. */
export function resultOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Result', exact: true })
}

/** The form of the tool or prompt in front. */
export function formOf(page: Page, name: string): Locator {
  return page.getByRole('form', { name: `Arguments of ${name}` })
}

/** The arguments of the tab in front as JSON text, to be read and typed. */
export function jsonOf(page: Page): Locator {
  return page.getByRole('textbox', { name: 'Arguments as JSON' })
}

/** Replaces the JSON text as a person does: all selected, then typed over. */
export async function typeJson(page: Page, text: string): Promise<void> {
  await jsonOf(page).click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(text)
}

/** Presses the button that sends, and waits until an answer is there. */
export async function send(page: Page, verb: 'Run' | 'Read' | 'Get'): Promise<void> {
  await page.getByRole('button', { name: verb, exact: true }).click()
  await expect(page.getByRole('button', { name: verb, exact: true })).toBeEnabled()
}

/** The row of the newest exchange on the timeline whose text has these words. */
export function exchangeOf(page: Page, words: string | RegExp): Locator {
  return page.getByRole('treegrid', { name: 'Exchanges' }).getByRole('row').filter({ hasText: words }).last()
}

/** The frames of the exchange that is selected. */
export function frameOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Frame', exact: true })
}
