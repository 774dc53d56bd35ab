import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test as base } from '@playwright/test'
import { addJitter } from './jitter.ts'
import { Starter, type StartedApp } from './start-app.ts'

export { expect } from '@playwright/test'

type Options = {
  /** Flags of `npm start` beside those for profile and ports. */
  startFlags: string[]
  /** Variables of its environment beside the test runner's. */
  startEnv: Readonly<Record<string, string>>
  /** Errors on the console that this test causes on purpose. */
  expectedErrors: RegExp[]
}

type Fixtures = {
  /** A data folder of the test's own. */
  profile: string
  /** Starts apps that the test ends itself. */
  starter: Starter
  /** A running app, headless. */
  app: StartedApp
  /** The page, opened at the app's address; whatever goes wrong in it fails the test. */
  page: import('@playwright/test').Page
}

export const test = base.extend<Options & Fixtures>({
  startFlags: [[], { option: true }],
  startEnv: [{}, { option: true }],
  expectedErrors: [[], { option: true }],

  profile: async ({ browserName }, use) => {
    const folder = await mkdtemp(path.join(os.tmpdir(), `patchbay-${browserName}-`))
    await use(folder)
    await rm(folder, { recursive: true, force: true, maxRetries: 5 })
  },

  starter: async ({ profile }, use) => {
    const starter = new Starter(profile)
    await use(starter)
    starter.endAll()
  },

  app: async ({ startFlags, startEnv, starter }, use) => {
    const app = starter.launch(['--headless', '--port', '0', ...startFlags], startEnv)
    await app.address()
    await use(app)
    if (app.ending !== undefined) {
      throw new Error(`the app ended by itself with ${app.ending}:\n${app.stdout}${app.stderr}`)
    }
    const left = await app.end()
    if (left.length > 0) throw new Error(`processes were left after the app was ended: ${left.join(', ')}`)
  },

  page: async ({ page, app, expectedErrors }, use, info) => {
    const problems: string[] = []
    page.on('pageerror', (error) => problems.push(`error in the page: ${error.stack ?? error.message}`))
    page.on('console', (message) => {
      if (message.type() === 'error') problems.push(`error on the console: ${message.text()}`)
    })
    await page.addInitScript(() => {
      document.addEventListener('securitypolicyviolation', (event) => {
        console.error(`policy violated: ${event.effectiveDirective} ${event.blockedURI} ${event.sourceFile}`)
      })
    })
    const jitter = process.env['PATCHBAY_JITTER']
    if (jitter !== undefined) await addJitter(page, Number(jitter), info.titlePath.join(' '))
    await page.goto(await app.address())
    await use(page)
    const unexpected = problems.filter((problem) => !expectedErrors.some((pattern) => pattern.test(problem)))
    if (unexpected.length > 0) throw new Error(unexpected.join('\n'))
  },
})
