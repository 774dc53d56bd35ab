import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import type { Browser, Locator, Page } from '@playwright/test'
import { ListeningProgram } from '../server/listening-program.ts'
import { windowProgram } from '../server/package-program.ts'
import type { TestedServer } from '../server/tested-server.ts'
import { STORED_NAME, storeServer } from './stored-server.ts'

const ADDRESS = /Patchbay is at (\S+)/
/** A start in a clone may build the page first. */
const START_MS = 120_000

/**
 * Patchbay's own window in a browser, with the server under test stored and approved under the name `tested`.
 */
export class PatchbayWindow {
  /** The page in the browser. */
  readonly page: Page
  /** Where the window is served. */
  readonly address: string
  readonly #program: ListeningProgram
  readonly #profile: string

  /** Made by the fixture `window`. */
  constructor(parts: {
    readonly page: Page
    readonly address: string
    readonly program: ListeningProgram
    readonly profile: string
  }) {
    this.page = parts.page
    this.address = parts.address
    this.#program = parts.program
    this.#profile = parts.profile
  }

  /** The row of the server under test in the list of servers. */
  get serverRow(): Locator {
    return this.page
      .getByRole('list', { name: 'Servers' })
      .getByRole('listitem')
      .filter({ hasText: STORED_NAME })
  }

  /** What the server under test offers, once it is connected. */
  get explorer(): Locator {
    return this.page.getByRole('tree', { name: `What ${STORED_NAME} offers` })
  }

  /** Opens the server under test and connects it. */
  async connect(): Promise<void> {
    await this.serverRow.getByRole('button').first().click()
    const connect = this.page.getByRole('button', { name: 'Connect', exact: true })
    await connect.or(this.explorer).first().waitFor()
    if (await connect.isVisible()) await connect.click()
    await this.explorer.waitFor()
  }

  async close(): Promise<void> {
    await this.page.context().close()
    await this.#program.end()
    await rm(this.#profile, { recursive: true, force: true, maxRetries: 5 })
  }
}

/** Starts a window with a profile of its own and opens its page. */
export async function openWindow(browser: Browser, server: TestedServer): Promise<PatchbayWindow> {
  const profile = await mkdtemp(path.join(tmpdir(), 'patchbay-test-window-'))
  await storeServer(server, profile)
  const { command, args } = windowProgram()
  const flags = ['--headless', '--profile', profile, '--port', '0', '--mcp-port', '0']
  const program = await ListeningProgram.start({ command, args: [...args, ...flags], env: {} })
  const [, address = ''] = await program.prints(ADDRESS, START_MS)
  const page = await browser.newPage()
  await page.goto(address)
  return new PatchbayWindow({ page, address, program, profile })
}
