import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { aliveOf, commandLineOf, descendantsOf } from '../process-tree.ts'
import { shellExecutable } from './executable.ts'
import { expect, repository, test } from './fixtures.ts'

type Bridge = { platform: string; post(data: unknown): void; onMessage(listener: unknown): unknown }
declare global {
  interface Window {
    patchbay: Bridge
  }
}

test('boots with this app connected, and a call goes through the bridge', async ({
  sharedShell: shell,
  sharedWindow: window,
}) => {
  await expect(window.getByRole('navigation', { name: 'Servers' }).getByText('This app')).toBeVisible()
  await expect(window.getByRole('treeitem', { name: /create_note/ })).toBeVisible()
  await window.getByRole('treeitem', { name: /list_notes/ }).click()
  await window.getByRole('button', { name: /^Run/ }).click()
  await expect(window.getByText(/matches outputSchema/)).toBeVisible()
  const shown = await shell.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => [one.getTitle(), one.isVisible()]),
  )
  expect(shown).toEqual([['Patchbay', true]])
})

test('the page sees one small frozen bridge and nothing of Node or Electron', async ({
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const seen = await window.evaluate(() => ({
    bridge: Object.keys(globalThis.window.patchbay).sort(),
    frozen: Object.isFrozen(globalThis.window.patchbay),
    platform: globalThis.window.patchbay.platform,
    node: ['require', 'process', 'module', 'Buffer', 'ipcRenderer', 'electron'].filter(
      (name) => name in globalThis,
    ),
  }))
  expect(seen).toEqual({
    bridge: ['onCommand', 'onMessage', 'platform', 'post'],
    frozen: true,
    platform: process.platform,
    node: [],
  })
  const refusal = await window.evaluate(() => {
    try {
      globalThis.window.patchbay.post(42)
      return 'taken'
    } catch (error) {
      return String(error)
    }
  })
  expect(refusal).toContain('post expects text or bytes, got number')
})

test('the page has its fixed origin and its policy stops foreign script and requests', async ({
  sharedShell: shell,
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const address = await shell.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows()[0]?.webContents.getURL(),
  )
  expect(address).toMatch(/^app:\/\/patchbay\//)
  const directive = await window.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
        const script = document.createElement('script')
        // Trusted Types reject the text of a script as a property; as a node, the policy blocks it.
        script.append('window.inline = 1')
        document.head.append(script)
      }),
  )
  expect(directive).toMatch(/^(script-src-elem|require-trusted-types-for)$/)
  expect(await window.evaluate(() => 'inline' in globalThis)).toBe(false)
  const blocked = await window.evaluate(
    () =>
      new Promise<string>((resolve) => {
        document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
        const frame = document.createElement('iframe')
        frame.src = 'https://example.com/'
        document.body.append(frame)
      }),
  )
  expect(blocked).toMatch(/frame-src|default-src|child-src/)
  expect(await window.evaluate(() => isSecureContext)).toBe(true)
})

test('no page, link or script leads the window away or opens another', async ({
  sharedShell: shell,
  sharedWindow: window,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const before = await shell.evaluate(({ BrowserWindow }) => BrowserWindow.getAllWindows().length)
  await window.evaluate(() => {
    globalThis.window.open('https://example.com/')
    const link = Object.assign(document.createElement('a'), {
      href: 'https://example.com/',
      target: '_blank',
    })
    document.body.append(link)
    link.click()
    link.remove()
  })
  // The attempt ends as a failed request of that document, which is the guard's doing.
  const stopped = window.waitForEvent('requestfailed', (request) =>
    request.url().startsWith('https://example.com'),
  )
  await window.evaluate(() => globalThis.location.assign('https://example.com/away'))
  await stopped
  await expect(window.getByText('This app').first()).toBeVisible()
  const after = await shell.evaluate(({ BrowserWindow }) =>
    BrowserWindow.getAllWindows().map((one) => one.webContents.getURL()),
  )
  expect(after).toHaveLength(before)
  expect(after[0]).toMatch(/^app:\/\/patchbay\//)
})

test('the window runs sandboxed and isolated', async ({ sharedShell: shell, sharedWindow: window }) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const preferences = await shell.evaluate(({ BrowserWindow }) => {
    // Electron has it and leaves it out of its types.
    type Asked = { getLastWebPreferences(): Record<string, unknown> }
    const contents = BrowserWindow.getAllWindows()[0]?.webContents as unknown as Asked
    const { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag } =
      contents.getLastWebPreferences()
    return { sandbox, contextIsolation, nodeIntegration, webSecurity, webviewTag: webviewTag ?? false }
  })
  expect(preferences).toEqual({
    sandbox: true,
    contextIsolation: true,
    nodeIntegration: false,
    webSecurity: true,
    webviewTag: false,
  })
})

test('a page that crashed is offered again, and its connections are kept', async ({ shell, window }) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  await shell.evaluate(({ dialog }) => {
    dialog.showMessageBox = () => Promise.resolve({ response: 0, checkboxChecked: false })
  })
  await shell.evaluate(
    ({ BrowserWindow }) =>
      new Promise<void>((resolve) => {
        const contents = BrowserWindow.getAllWindows()[0]?.webContents
        contents?.once('did-finish-load', () => resolve())
        contents?.forcefullyCrashRenderer()
      }),
  )
  const text = () =>
    shell.evaluate(({ BrowserWindow }) =>
      BrowserWindow.getAllWindows()[0]?.webContents.executeJavaScript('document.body.innerText'),
    )
  await expect.poll(text).toContain('list_notes')
})

test('the page is served from its folder and from nowhere else', async ({ sharedWindow: window }) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  const statuses = await window.evaluate(() => {
    const paths = [
      '/',
      '/..%2f..%2fpackage.json',
      '/%2e%2e/%2e%2e/package.json',
      '/assets/../../electron/main.js',
    ]
    return Promise.all(paths.map(async (path) => [path, (await fetch(path)).status]))
  })
  expect(statuses.map(([, status]) => status)).toEqual([200, 404, 404, 404])
  const { outcome, directive } = await window.evaluate(async () => {
    const violated = new Promise<string>((resolve) => {
      document.addEventListener('securitypolicyviolation', (event) => resolve(event.effectiveDirective))
    })
    return {
      outcome: await fetch('http://127.0.0.1:9/').then(String, String),
      directive: await violated,
    }
  })
  expect(outcome).toContain('TypeError')
  expect(directive).toBe('connect-src')
})

test('a second start on the same profile brings the window forward and ends', async ({
  shell,
  window,
  profile,
}) => {
  await expect(window.getByText('This app').first()).toBeVisible()
  // Watched before the second one starts: the word of its start can be there sooner than a question asked beside it.
  const watch = await shell.evaluateHandle(({ BrowserWindow }) => {
    const seen = { focused: 0 }
    BrowserWindow.getAllWindows()[0]?.on('focus', () => {
      seen.focused += 1
    })
    return seen
  })
  const second = await startAgain(profile)
  expect(second.code).toBe(0)
  await expect.poll(() => watch.evaluate((seen) => seen.focused)).toBeGreaterThan(0)
  expect(shell.windows()).toHaveLength(1)
})

test('a second start that names a workspace has it opened, once its user trusts it', async ({
  window,
  profile,
}) => {
  const folder = path.join(profile, 'other')
  await mkdir(path.join(folder, 'tools'), { recursive: true })
  const script = `import { tool } from 'patchbay'\nexport default tool({ run: () => 'other' })\n`
  await writeFile(path.join(folder, 'tools/other_tool.ts'), script)
  await expect(window.getByRole('treeitem', { name: /list_notes/ })).toBeVisible()
  expect((await startAgain(profile, `--workspace=${folder}`)).code).toBe(0)
  // Nothing of it runs before its user said so.
  await expect(window.getByRole('treeitem', { name: /list_notes/ })).toHaveCount(0)
  await expect(window.getByRole('treeitem', { name: /other_tool/ })).toHaveCount(0)
  await window.keyboard.press('Alt+Shift+2')
  await window.getByRole('button', { name: /^Trust/ }).click()
  await window.keyboard.press('Alt+Shift+1')
  await expect(window.getByRole('treeitem', { name: /other_tool/ })).toBeVisible()
})

test('a second start with an invalid folder shows an error in the window', async ({ window, profile }) => {
  await expect(window.getByRole('treeitem', { name: /list_notes/ })).toBeVisible()
  const folder = path.join(profile, 'nowhere')
  expect((await startAgain(profile, `--workspace=${folder}`)).code).toBe(0)
  await expect(window.getByText(`The workspace ${folder} could not be opened`)).toBeVisible()
  await expect(window.getByRole('treeitem', { name: /list_notes/ })).toBeVisible()
})

test('the host is started with flags that keep its memory small', async ({ sharedShell: shell }) => {
  const withFlags = (): string[] =>
    descendantsOf(shell.process().pid ?? 0)
      .map(commandLineOf)
      .filter((line) => line.includes('--heap-growing-percent'))
  await expect.poll(withFlags).toHaveLength(1)
})

test('quitting leaves no process', async ({ shell, window }) => {
  await window.getByRole('treeitem', { name: /list_notes/ }).click()
  await window.getByRole('button', { name: /^Run/ }).click()
  await expect(window.getByRole('tree', { name: 'structuredContent' })).toBeVisible()
  const main = shell.process()
  const started = descendantsOf(main.pid ?? 0)
  expect(started.length).toBeGreaterThan(1)
  const exited = once(main, 'exit')
  await shell.evaluate(({ app }) => app.quit())
  await exited
  await expect.poll(() => aliveOf(started)).toEqual([])
})

test('an end without warning leaves no process', async ({ shell, window }) => {
  await window.getByRole('treeitem', { name: /list_notes/ }).click()
  await window.getByRole('button', { name: /^Run/ }).click()
  await expect(window.getByRole('tree', { name: 'structuredContent' })).toBeVisible()
  const main = shell.process()
  const started = descendantsOf(main.pid ?? 0).filter((pid) => pid !== main.pid)
  const exited = once(main, 'exit')
  main.kill('SIGKILL')
  await exited
  await expect.poll(() => aliveOf(started)).toEqual([])
})

function startAgain(profile: string, ...flags: readonly string[]): Promise<{ code: number | null }> {
  const child = spawn(shellExecutable().path, ['.', `--profile=${profile}`, ...flags], {
    cwd: repository,
    stdio: 'ignore',
  })
  return new Promise((resolve) => child.once('exit', (code) => resolve({ code })))
}
