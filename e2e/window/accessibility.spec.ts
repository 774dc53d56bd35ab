import { AxeBuilder } from '@axe-core/playwright'
import type { Page } from '@playwright/test'
import { exchangeOf, formOf, frameOf, resultOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import {
  addCommand,
  approve,
  everything,
  expectState,
  openAddDialog,
  explorerOf,
  serverPage,
} from './server-steps.ts'

const SERVER = { name: 'everything', command: 'node', args: [everything, 'stdio'] }
/** Both themes. */
const LOOKS = [
  { colorScheme: 'dark', viewport: { width: 1440, height: 900 } },
  { colorScheme: 'light', viewport: { width: 1440, height: 900 } },
] as const

/** Everything that axe finds on the screen as it is, in words; the fixture watches the policy and the console. */
async function expectNoFindings(page: Page, screen: string): Promise<void> {
  const rules = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']
  const { violations } = await new AxeBuilder({ page }).withTags(rules).analyze()
  const findings = violations.flatMap(({ id, nodes }) => nodes.map(({ html }) => `${screen}: ${id} ${html}`))
  expect(findings).toEqual([])
}

/** Opens what the server offers, wherever it stands in a list of which only a part is rendered. */
async function openByFilter(page: Page, name: string): Promise<void> {
  await page.getByRole('textbox', { name: 'Filter explorer' }).fill(name)
  await explorerOf(page, SERVER.name).getByRole('treeitem', { name }).first().click()
}

/** Walks every screen of servers and their approval. */
async function walkServers(page: Page): Promise<void> {
  await expectState(page, 'This app', 'connected')
  await expectNoFindings(page, 'This app')
  for (const way of ['Paste', 'Command', 'URL'] as const) {
    const dialog = await openAddDialog(page, way)
    await expectNoFindings(page, `add by ${way}`)
    await page.keyboard.press('Escape')
    await expect(dialog).toBeHidden()
  }
  await addCommand(page, { name: 'nothing', command: 'no-such-command' })
  await expectNoFindings(page, 'approval')
  await approve(page, 'nothing')
  await expect(
    serverPage(page)
      .getByText(/was not found/)
      .first(),
  ).toBeVisible()
  await expectNoFindings(page, 'failure')
}

/** Walks every kind of tab with its answers. */
async function walkTabs(page: Page): Promise<void> {
  await addCommand(page, SERVER)
  await approve(page, SERVER.name)
  await expectState(page, SERVER.name, 'connected')
  await openByFilter(page, 'get-structured-content')
  await expectNoFindings(page, 'a form')
  await send(page, 'Run')
  await expectNoFindings(page, 'a tool error')
  await formOf(page, 'get-structured-content').getByText('Chicago').click()
  await send(page, 'Run')
  await expect(resultOf(page)).toContainText('matches outputSchema')
  await expectNoFindings(page, 'a structured result')
  await openByFilter(page, 'get-tiny-image')
  await send(page, 'Run')
  await expect(resultOf(page).getByRole('img')).toBeVisible()
  await expectNoFindings(page, 'an image')
  await openByFilter(page, 'simple-prompt')
  await send(page, 'Get')
  await expectNoFindings(page, 'a prompt')
  await openByFilter(page, 'architecture.md')
  await send(page, 'Read')
  await expectNoFindings(page, 'a resource')
}

/** Walks what lies over the panels and what the timeline opens. */
async function walkTheRest(page: Page): Promise<void> {
  await exchangeOf(page, 'get-tiny-image').click()
  await expect(frameOf(page)).toContainText('response to tools/call')
  await expectNoFindings(page, 'frames')
  await page.getByRole('searchbox', { name: 'Filter timeline' }).fill('method:none')
  await expect(page.getByText('No exchange matches')).toBeVisible()
  await expectNoFindings(page, 'a filter that leaves nothing')
  await page.keyboard.press('ControlOrMeta+k')
  await expect(page.getByRole('dialog')).toBeVisible()
  await expectNoFindings(page, 'the palette')
}

for (const { colorScheme, viewport } of LOOKS) {
  test.describe(`${colorScheme}, ${viewport.width}×${viewport.height}`, () => {
    test.use({ colorScheme, viewport })
    test('every screen has names, roles and contrast, and breaks no policy', async ({ page }) => {
      test.setTimeout(300_000)
      await walkServers(page)
      await walkTabs(page)
      await walkTheRest(page)
    })
  })
}
