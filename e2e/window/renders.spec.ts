import { formOf, send } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { expectState, openEntry } from './server-steps.ts'

/** What React offers to its developer tools of a component, as far as it is read here. */
type Fiber = {
  readonly flags: number
  readonly stateNode: unknown
  readonly child: Fiber | null
  readonly sibling: Fiber | null
  readonly alternate: Fiber | null
}

/** Counts components that render, by the panel they are in, from now on in each page. */
function countRenders(): void {
  const counts: Record<string, number> = {}
  const performedWork = 1
  const count = (fiber: Fiber | null, panel: string): void => {
    for (let each = fiber; each !== null; each = each.sibling) {
      const { alternate, child, flags, stateNode } = each
      const region = stateNode instanceof HTMLElement ? stateNode.dataset['region'] : undefined
      const inside = region ?? panel
      if ((flags & performedWork) !== 0) counts[inside] = (counts[inside] ?? 0) + 1
      // The children of one that did not render, and none of whose descendants did, are the same.
      if (alternate === null || alternate.child !== child) count(child, inside)
    }
  }
  Object.assign(globalThis, {
    renderCounts: counts,
    __REACT_DEVTOOLS_GLOBAL_HOOK__: {
      renderers: new Map(),
      supportsFiber: true,
      inject: () => 1,
      onCommitFiberUnmount: () => undefined,
      onCommitFiberRoot: (_: number, { current }: { current: Fiber }) => {
        if (current.alternate?.child !== current.child) count(current.child, 'none')
      },
    },
  })
}

test('an answered call renders nothing of the panels in which nothing changed', async ({ page }) => {
  await page.addInitScript(countRenders)
  await page.reload()
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'search_notes')
  await formOf(page, 'search_notes').getByLabel('query', { exact: true }).fill('milk')
  // The first answer shows the figures that later ones change.
  await send(page, 'Run')
  const counts = (): Promise<Record<string, number>> =>
    page.evaluate(() => {
      const { renderCounts } = globalThis as unknown as { renderCounts: Record<string, number> }
      return { ...renderCounts }
    })
  const before = await counts()
  expect(before['explorer']).toBeGreaterThan(0)
  await send(page, 'Run')
  await expect.poll(async () => (await counts())['workbench']).toBeGreaterThan(before['workbench'] ?? 0)
  await expect.poll(async () => (await counts())['servers']).toBeGreaterThan(before['servers'] ?? 0)
  const after = await counts()
  expect(after['explorer']).toBe(before['explorer'])
  expect(after['inbox'] ?? 0).toBe(before['inbox'] ?? 0)
})
