import { expect, test } from './fixtures.ts'

test('mod+W closes the tab in front and leaves window and connections as they are', async ({
  shell,
  window,
}) => {
  await window.getByRole('treeitem', { name: /list_notes/ }).click()
  await window.getByRole('treeitem', { name: /create_note/ }).dblclick()
  const tabs = window.getByRole('tablist', { name: 'Open items' }).getByRole('tab')
  const before = await tabs.count()
  expect(before).toBeGreaterThan(0)
  const accelerator = await shell.evaluate(({ BrowserWindow, Menu }) => {
    const item = Menu.getApplicationMenu()?.getMenuItemById('close-tab')
    const [front] = BrowserWindow.getAllWindows()
    item?.click({}, front, front?.webContents)
    return item?.accelerator
  })
  expect(accelerator).toBe('CmdOrCtrl+W')
  await expect(tabs).toHaveCount(before - 1)
  expect(shell.windows()).toHaveLength(1)
})

test('no key of the menu but Shift+mod+W closes the window, and none loads the page again', async ({
  sharedShell: shell,
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const items = await shell.evaluate(({ Menu }) =>
    (Menu.getApplicationMenu()?.items ?? []).flatMap((item) =>
      [item, ...(item.submenu?.items ?? [])].map(({ role, accelerator }) => ({ role, accelerator })),
    ),
  )
  const roles = items.map(({ role }) => role?.toLowerCase())
  // These bring items of their own: a close with mod+W, a reload, the developer tools.
  for (const role of ['filemenu', 'windowmenu', 'viewmenu', 'reload', 'forcereload', 'toggledevtools']) {
    expect(roles).not.toContain(role)
  }
  const closing = items.filter(({ role }) => role?.toLowerCase() === 'close')
  expect(closing).toEqual([{ role: 'close', accelerator: 'Shift+CmdOrCtrl+W' }])
})
