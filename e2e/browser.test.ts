import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { provideBrowser } from './browser.ts'

let folder = ''
let reported: string[] = []

beforeEach(async () => {
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-browser-'))
  reported = []
  vi.stubEnv('PATH', folder)
  vi.stubEnv('PATCHBAY_CHROMIUM', undefined)
  // Nobody listens there: the download fails at once.
  vi.stubEnv('PLAYWRIGHT_DOWNLOAD_HOST', 'http://127.0.0.1:1')
  vi.stubEnv('PLAYWRIGHT_BROWSERS_PATH', path.join(folder, 'browsers'))
})

afterEach(async () => {
  vi.unstubAllEnvs()
  await rm(folder, { recursive: true, force: true })
})

async function program(name: string, ...lines: string[]): Promise<string> {
  const file = path.join(folder, name)
  await writeFile(file, ['#!/bin/sh', ...lines, ''].join('\n'))
  await chmod(file, 0o755)
  return file
}

const provide = () => provideBrowser((line) => reported.push(line))

test('takes the browser of the system, and passes over a script that only gives advice', async () => {
  await program('chromium', 'echo "install me by snap" >&2', 'exit 1')
  const chrome = await program('google-chrome', 'echo "Google Chrome 156.0"')
  expect(await provide()).toBe(chrome)
  expect(reported).toEqual([])
})

test('takes the one that is named, and says when it does not run', async () => {
  const named = await program('my-browser', 'echo "Chromium 156"')
  vi.stubEnv('PATCHBAY_CHROMIUM', named)
  expect(await provide()).toBe(named)
  vi.stubEnv('PATCHBAY_CHROMIUM', path.join(folder, 'none'))
  await expect(provide()).rejects.toThrow('PATCHBAY_CHROMIUM names')
})

test('installs one where it may, else says what was tried and what to do', async () => {
  const mayInstall =
    process.getuid?.() === 0 &&
    /^ID(_LIKE)?=.*debian/m.test(await readFile('/etc/os-release', 'utf8').catch(() => ''))
  await program('apt-get', 'exit 100')
  const failure = await provide().catch((error: unknown) => String(error))
  expect(failure).toContain('The tests need Chromium or Chrome and found none')
  expect(failure).toContain("Playwright's download: it ended with code 1")
  expect(failure).toContain('name its executable in PATCHBAY_CHROMIUM')
  expect(failure.includes('apt-get update ended with code 100')).toBe(mayInstall)

  const browser = path.join(folder, 'chromium')
  const install = [`printf '#!/bin/sh\\necho Chromium 156\\n' > ${browser}`, `/bin/chmod +x ${browser}`]
  await program('apt-get', `if [ "$1" = install ]; then`, ...install, 'fi')
  const second = await provide().catch((error: unknown) => String(error))
  if (mayInstall) expect(second).toBe(browser)
  else expect(second).toContain('found none')
}, 60_000)
