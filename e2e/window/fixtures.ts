import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { test as base, type Page } from '@playwright/test'
import { HostProcess } from './host-process.ts'
import { addJitter } from './jitter.ts'
import { Starter, type RunningApp } from './start-app.ts'

export { expect } from '@playwright/test'

type Options = {
  /** The app runs in a process of its own, as every app does that has flags or variables of its own. */
  ownProcess: boolean
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
  app: RunningApp
  /** The page before it is opened; whatever goes wrong in it from then on fails the test. */
  blankPage: Page
  /** The page, opened at the app's address. */
  page: Page
}

type WorkerFixtures = {
  /** The process in which the apps of a worker's tests run, one after another. */
  hosts: HostProcess
}

/** Options of tests that share neither the process of their app nor the browser context with others. */
export const ALONE = { ownProcess: true, reuseContext: false } as const

export const test = base.extend<Options & Fixtures, WorkerFixtures>({
  ownProcess: [false, { option: true }],
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

  hosts: [
    async ({ browserName }, use, { workerIndex }) => {
      const hosts = new HostProcess(`patchbay for ${browserName} ${workerIndex}`)
      await use(hosts)
      await hosts.close()
    },
    { scope: 'worker' },
  ],

  app: async ({ ownProcess, startFlags, startEnv, starter, profile, hosts }, use) => {
    if (!ownProcess && startFlags.length === 0 && Object.keys(startEnv).length === 0) {
      const host = await hosts.start(profile)
      await use(host)
      await host.stop()
      return
    }
    const app = starter.launch(['--headless', '--port', '0', ...startFlags], startEnv)
    await app.address()
    await use(app)
    if (app.ending !== undefined) {
      throw new Error(`the app ended by itself with ${app.ending}:\n${app.stdout}${app.stderr}`)
    }
    const left = await app.end()
    if (left.length > 0) throw new Error(`processes were left after the app was ended: ${left.join(', ')}`)
  },

  blankPage: async ({ context, app, expectedErrors }, use, info) => {
    const page = context.pages()[0] ?? (await context.newPage())
    await app.address()
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
    await use(page)
    const unexpected = problems.filter((problem) => !expectedErrors.some((pattern) => pattern.test(problem)))
    // The next app has the same address, and the page would connect to it.
    await page.goto('about:blank')
    if (unexpected.length > 0) throw new Error(unexpected.join('\n'))
  },

  page: async ({ blankPage, app }, use) => {
    await blankPage.goto(await app.address())
    await use(blankPage)
  },
})
