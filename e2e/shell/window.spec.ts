import { expect, test } from './fixtures.ts'

test('a window is never narrower than its page needs', async ({
  sharedShell: shell,
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const needed = await window.evaluate(() =>
    Math.max(
      ...[...document.querySelectorAll('#root, #root > *')].map(
        (element) => Number.parseFloat(getComputedStyle(element).minWidth) || 0,
      ),
    ),
  )
  expect(needed).toBeGreaterThan(0)
  const [width = 0] = await shell.evaluate(
    ({ BrowserWindow }) => BrowserWindow.getAllWindows()[0]?.getMinimumSize() ?? [],
  )
  expect(width).toBeGreaterThanOrEqual(needed)
})

test('behind the page is its own colour, in the light and in the dark', async ({ shell, window }) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const behind = (dark: boolean) =>
    shell.evaluate(({ BrowserWindow, nativeTheme }, isDark) => {
      Object.defineProperty(nativeTheme, 'shouldUseDarkColors', { value: isDark, configurable: true })
      nativeTheme.emit('updated')
      return BrowserWindow.getAllWindows()[0]?.getBackgroundColor().toLowerCase()
    }, dark)
  const page = async (colorScheme: 'light' | 'dark') => {
    await window.emulateMedia({ colorScheme })
    return window.evaluate(() => {
      const probe = document.createElement('i')
      probe.style.setProperty('color', 'var(--surface-base)')
      document.body.append(probe)
      const channels = getComputedStyle(probe).color.match(/\d+/g) ?? []
      probe.remove()
      return `#${channels.map((each) => Number(each).toString(16).padStart(2, '0')).join('')}`
    })
  }
  expect(await behind(false)).toBe(await page('light'))
  expect(await behind(true)).toBe(await page('dark'))
})

test('the question about a window that does not answer goes away when it answers again', async ({
  shell,
  window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const asked = await shell.evaluate(async ({ BrowserWindow, dialog }) => {
    const states: string[] = []
    const closed = new Promise<void>((resolve) => {
      const ask = (_window: unknown, { signal, cancelId = 0 }: Electron.MessageBoxOptions) => {
        states.push('asked')
        return new Promise<Electron.MessageBoxReturnValue>((answer) => {
          signal?.addEventListener('abort', () => {
            states.push('closed')
            // Electron answers so for one that is closed by its signal.
            answer({ response: cancelId, checkboxChecked: false })
            resolve()
          })
        })
      }
      dialog.showMessageBox = ask as typeof dialog.showMessageBox
    })
    const [front] = BrowserWindow.getAllWindows()
    front?.emit('unresponsive')
    front?.emit('responsive')
    await closed
    return states
  })
  expect(asked).toEqual(['asked', 'closed'])
  // It neither quits nor loads the page again.
  await window.getByRole('treeitem', { name: /list_notes/ }).click()
  expect(shell.windows()).toHaveLength(1)
})

test('files named after their contents are kept, the page itself is not', async ({
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const kept = await window.evaluate(async () => {
    const script = document.querySelector('script[src]')?.getAttribute('src') ?? ''
    const headers = await Promise.all(
      [script, '/', '/assets/none-12345678.js'].map(async (address) =>
        (await fetch(address)).headers.get('cache-control'),
      ),
    )
    return headers
  })
  expect(kept).toEqual(['public, max-age=31536000, immutable', 'no-store', null])
})
