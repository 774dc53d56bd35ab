import path from 'node:path'
import { defineConfig } from '@playwright/test'

// Node keeps what it compiled: each test starts the app again, and would spend a fifth of that time on the same code.
process.env['NODE_COMPILE_CACHE'] ??= path.join(import.meta.dirname, '../test-results/compiled')

/**
 * Of the browser around the page, which nobody sees and which takes as long as the page: two popups of the address bar
 * for each window, and a process in advance of each page. Chromium reads the last of such lists alone, so the others are
 * those that Playwright leaves out.
 */
const LEFT_OUT = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'SpareRendererForSitePerProcess',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

/** `npm test` and CI do without: traces take a third of the time. */
const IS_TRACED = process.env['CI'] === undefined && process.env['PATCHBAY_TRACE'] !== 'off'
const TRACE = { mode: 'retain-on-failure', screenshots: false, snapshots: true, sources: false } as const

/**
 * `window`: the window in Chromium, served by a real `npm start`. `shell`: the compiled desktop shell. Both are run
 * by `run-all.ts`, which finds the browser and names it in PATCHBAY_CHROMIUM.
 */
export default defineConfig({
  fullyParallel: true,
  forbidOnly: true,
  retries: 0,
  workers: 2,
  // After these a test hangs. What is waited for comes much sooner, but not by a time that a busy machine keeps.
  timeout: 180_000,
  expect: { timeout: 20_000 },
  reporter: [
    [process.env['CI'] === undefined ? 'list' : 'dot'],
    ['json', { outputFile: process.env['PATCHBAY_REPORT'] ?? '../test-results/report.json' }],
  ],
  projects: [
    {
      name: 'window',
      testDir: 'window',
      outputDir: '../test-results/window',
      use: {
        browserName: 'chromium',
        // What a page compiled is there for the next one. Storage, routes, listeners and other pages are not.
        reuseContext: true,
        // The snapshots show what the page was; pictures of every frame besides only take time.
        trace: IS_TRACED ? TRACE : 'off',
        video: 'off',
        launchOptions: {
          executablePath: process.env['PATCHBAY_CHROMIUM'] ?? '/usr/bin/chromium',
          args: [
            '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE localhost, EXCLUDE 127.0.0.1',
            `--disable-features=${LEFT_OUT.join(',')}`,
            '--disable-gpu',
            // The next page is opened by the same process, which has compiled the script.
            '--disable-site-isolation-trials',
            '--renderer-process-limit=1',
          ],
        },
      },
    },
    { name: 'shell', testDir: 'shell', outputDir: '../test-results/shell' },
  ],
})
