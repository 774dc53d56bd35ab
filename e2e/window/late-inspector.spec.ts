import { exchangeOf, formOf, frameOf, resultOf } from './call-steps.ts'
import { expect, test } from './fixtures.ts'
import { openInbox } from './inbox-steps.ts'
import { PausableHost } from './pausable-host.ts'
import { everything, expectState, openEntry, startServer } from './server-steps.ts'

test('a frame stays, with its actions, until the next one is there; one is asked for at a time', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  const tool = 'trigger-long-running-operation'
  await startServer(page, { name: 'everything', command: 'node', args: [everything, 'stdio'] })
  await openEntry(page, 'everything', tool)
  await formOf(page, tool).getByRole('textbox', { name: 'duration' }).fill('1')
  await formOf(page, tool).getByRole('textbox', { name: 'steps' }).fill('10')
  host.hold('/traffic/frames')
  // What else passes moves no row away under the pointer.
  const filter = page.getByRole('searchbox', { name: 'Filter timeline' })
  await filter.fill('method:tools/call')
  await page.getByRole('button', { name: 'Run', exact: true }).click()
  // What is asked for first is the call, or its answer where that was sooner; never both at once.
  await exchangeOf(page, tool).click()
  await expect(resultOf(page)).toContainText('completed')
  await expect(frameOf(page).getByRole('group', { name: 'Frames of this exchange' })).toContainText('2 of 2')
  // What the page asks for comes in order: what it asks for after the frames is here after them.
  await (await openInbox(page)).getByRole('button', { name: 'Rules' }).click()
  const rules = page.getByRole('dialog', { name: 'Responders' })
  await expect(rules).toBeVisible()
  await page.keyboard.press('Escape')
  await expect(rules).toBeHidden()
  expect(host.times('/traffic/frames')).toBe(1)
  host.release('/traffic/frames')
  await expect(frameOf(page)).toContainText('response to tools/call')

  await filter.fill('method:tools/list')
  await exchangeOf(page, 'tools/list').click()
  await expect(frameOf(page)).toContainText('response to tools/list')
  host.hold('/traffic/frames')
  await frameOf(page).getByRole('button', { name: 'Frame before' }).click()
  await expect.poll(() => host.kept('/traffic/frames')).toBe(1)
  await expect(frameOf(page)).toContainText('response to tools/list')
  await expect(frameOf(page).getByRole('button', { name: 'Copy bytes' })).toBeVisible()
  host.release('/traffic/frames')
  await expect(frameOf(page)).toContainText('request tools/list')
})

test('a press that was meant for the control before does nothing, and the focus stays', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  await expectState(page, 'This app', 'connected')
  await openEntry(page, 'This app', 'list_notes')
  const run = page.getByRole('button', { name: 'Run', exact: true })
  // There is another one beside what runs, further down.
  const cancel = page.getByRole('button', { name: 'Cancel', exact: true }).first()

  // The second click of a double-click finds "Cancel" there.
  host.hold('/inspect/request')
  await run.dblclick()
  await expect(cancel).toBeVisible()
  await expect.poll(() => host.kept('/inspect/request')).toBe(1)

  // A click just after the reply finds "Run" there.
  await cancel.hover()
  await expect(cancel).toBeEnabled()
  await cancel.evaluate((button) => {
    const observer = new MutationObserver(() => {
      if (button.ariaDisabled !== 'true') return
      observer.disconnect()
      button.dispatchEvent(new MouseEvent('click', { bubbles: true, cancelable: true, detail: 1 }))
    })
    observer.observe(button, { attributes: true, attributeFilter: ['aria-disabled'] })
  })
  host.release('/inspect/request')
  await expect(run).toBeEnabled()
  await expect(resultOf(page)).toContainText('matches outputSchema')

  // So does one that began before it.
  host.hold('/inspect/request')
  await run.click()
  await expect(cancel).toBeEnabled()
  await page.mouse.down()
  host.release('/inspect/request')
  await expect(run).toBeEnabled()
  await page.mouse.up()

  // By keyboard it is pressed as soon as it is there, and what takes its place has the focus.
  host.hold('/inspect/request')
  await run.focus()
  await page.keyboard.press('Enter')
  await expect(cancel).toBeFocused()
  await expect.poll(() => host.kept('/inspect/request')).toBe(1)
  expect(host.times('/inspect/request')).toBe(3)
  expect(host.times('/inspect/cancel')).toBe(0)
  await page.keyboard.press('Enter')
  await expect.poll(() => host.times('/inspect/cancel')).toBe(1)
  host.release('/inspect/request')
  await expect(run).toBeFocused()
})

test('what was begun goes on when its part of the window comes late, or while another page is shown', async ({
  blankPage: page,
  app,
}) => {
  const host = await PausableHost.between(page, await app.address())
  const late = Promise.withResolvers<undefined>()
  const latePage = Promise.withResolvers<undefined>()
  for (const [chunk, gate] of [
    [/\/composer-page[^/]*\.js/, late],
    [/\/registry-page[^/]*\.js/, latePage],
  ] as const) {
    await page.route(chunk, async (route) => {
      await gate.promise
      await route.continue()
    })
  }
  host.hold('/inspect/lists')
  await page.reload()
  await expectState(page, 'This app', 'connected')

  // Enter means what was typed, also before it is listed.
  await page.keyboard.press('ControlOrMeta+k')
  await page.keyboard.type('notes://')
  await page.keyboard.press('Enter')
  const palette = page.getByRole('dialog', { name: 'Command palette' })
  await expect(palette.getByText('Loading lists')).toBeVisible()
  host.release('/inspect/lists')
  await expect(palette).toBeHidden()
  await expect(page.getByRole('tab', { name: 'notes://index' })).toBeVisible()
  await expect.poll(() => host.times('/inspect/request')).toBe(1)

  // The focus goes to what was asked for, however late it is.
  await page.keyboard.press('Alt+c')
  await expect(page.getByRole('tab', { name: /^Composer/ })).toBeVisible()
  late.resolve(undefined)
  const composer = page.getByRole('region', { name: 'Composer', exact: true })
  await expect(composer.locator(':focus')).toHaveCount(1)
  const filter = page.getByRole('searchbox', { name: 'Filter timeline' })
  await filter.fill('method:tools/list')
  await page.keyboard.press('Alt+Shift+2')
  await page.keyboard.press('Alt+4')
  await expect(page.getByRole('main', { name: 'Registry' })).toHaveAttribute('aria-busy', 'true')
  latePage.resolve(undefined)
  await expect(page.locator('[data-region="side"]:focus-within')).toHaveCount(1)

  // What was typed there is there still, and what was read is not read again.
  await page.keyboard.press('Alt+Shift+1')
  await expect(filter).toHaveValue('method:tools/list')
  await (await openInbox(page)).getByRole('button', { name: 'Rules' }).click()
  await expect(page.getByRole('dialog', { name: 'Responders' })).toBeVisible()
  expect(host.times('/inspect/request')).toBe(1)
})
