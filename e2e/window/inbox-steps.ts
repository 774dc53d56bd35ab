import type { Locator, Page } from '@playwright/test'

/** The questions of servers, while they are shown. */
export function inboxOf(page: Page): Locator {
  return page.getByRole('region', { name: 'Inbox', exact: true })
}

/** Shows the inbox by its button, if it is hidden. */
export async function openInbox(page: Page): Promise<Locator> {
  const button = page.getByRole('button', { name: /^Inbox(?:$|: )/ })
  if ((await button.getAttribute('aria-expanded')) === 'false') await button.click()
  return inboxOf(page)
}
