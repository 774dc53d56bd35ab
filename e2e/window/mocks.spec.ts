import { Client } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import type { Locator, Page } from '@playwright/test'
import { expect, test } from './fixtures.ts'
import {
  chooseNew,
  entryRow,
  hostOfThisApp,
  switchTokenOff,
  openRegistry,
  selectEntry,
  trialOf,
  tryIt,
} from './registry-steps.ts'

async function officialClient(host: string): Promise<Client> {
  const client = new Client({ name: 'official', version: '1' })
  await client.connect(new StreamableHTTPClientTransport(new URL(`http://${host}/mcp`)))
  return client
}

/** Draws the tool `weather`, whose answer repeats its argument. */
async function drawWeather(page: Page): Promise<void> {
  await chooseNew(page, 'New mock tool…')
  const dialog = page.getByRole('dialog', { name: 'New mock tool' })
  await dialog.getByLabel('name', { exact: true }).fill('weather')
  await dialog.getByLabel('description', { exact: true }).fill('Weather of a city.')
  await dialog.getByRole('button', { name: 'Add property' }).click()
  await rename(dialog, 'arguments.property1', 'city')
  await dialog.getByRole('group', { name: 'arguments.city' }).getByRole('checkbox').click()
  // What is drawn is written, and the other way round.
  const schema = dialog.getByRole('textbox', { name: 'Schema of the arguments' })
  await expect(schema).toContainText('"required"')
  await schema.click()
  await page.keyboard.press('ControlOrMeta+a')
  await page.keyboard.insertText(
    '{"type":"object","x-own":1,"properties":{"city":{"type":"string"},"days":{"type":"integer"}},"required":["city"]}',
  )
  await rename(dialog, 'arguments.days', 'count')
  await expect(schema).toContainText('"x-own"')
  await expect(schema).toContainText('"count"')
  await choose(page, dialog, 'Answered by', 'Template')
  await dialog.getByLabel('Template', { exact: true }).fill('{ "place": "{{arguments.city}}" }')
  await dialog.getByLabel('Example call').fill('{"arguments":{"city":"Bergen"}}')
  await dialog.getByRole('button', { name: 'Try result' }).click()
  await expect(dialog.getByLabel('Trial result')).toContainText('"place": "Bergen"')
  await dialog.getByRole('button', { name: 'Save' }).click()
  await expect(dialog).toBeHidden()
}

async function rename(dialog: Locator, property: string, name: string): Promise<void> {
  const field = dialog.getByRole('textbox', { name: `Name of ${property}`, exact: true })
  await field.fill(name)
  await field.press('Enter')
}

async function choose(page: Page, within: Locator, label: string, option: string): Promise<void> {
  await within.getByRole('combobox', { name: label }).click()
  await page.getByRole('option', { name: option, exact: true }).click()
}

test('a tool is drawn, served at once, answered in its place, and troubled with faults that its clients see', async ({
  page,
}) => {
  await switchTokenOff(page)
  await openRegistry(page)
  const client = await officialClient(await hostOfThisApp(page))
  const weather = async (): Promise<unknown> =>
    (await client.callTool({ name: 'weather', arguments: { city: 'Bergen' } }))['structuredContent']

  await test.step('drawn', async () => {
    await drawWeather(page)
    // What was just made is selected, and shown.
    await expect(entryRow(page, 'weather')).toHaveAttribute('aria-selected', 'true')
    await expect(entryRow(page, 'weather')).toContainText('mocks')
    expect(await weather()).toEqual({ place: 'Bergen' })
    const { tools } = await client.listTools()
    expect(tools.find(({ name }) => name === 'weather')).toMatchObject({
      description: 'Weather of a city.',
      inputSchema: { properties: { count: { type: 'integer' } }, required: ['city'] },
    })
  })

  await test.step('changed', async () => {
    await page.getByRole('button', { name: 'Edit…' }).click()
    const dialog = page.getByRole('dialog', { name: 'Edit mock tool' })
    await expect(dialog.getByLabel('Template', { exact: true })).toHaveValue(/arguments\.city/)
    await dialog.getByRole('button', { name: 'Cancel' }).click()
  })

  await test.step('delayed and refused, for its clients, until all is off', async () => {
    const side = page.getByRole('complementary', { name: 'Try, connected, faults' })
    await choose(page, side, 'Faults for tool', 'weather')
    const row = (name: string): Locator =>
      side.getByRole('table', { name: 'Faults' }).getByRole('row').filter({ hasText: name })
    const status = row('HTTP status').getByRole('textbox', { name: 'HTTP status: HTTP' })
    await status.fill('502')
    // The switch right after the number, before the host has heard of that.
    await row('HTTP status')
      .getByRole('switch')
      .evaluate((element: HTMLElement) => {
        element.focus()
        element.click()
      })
    await expect(side).toContainText('1 on')
    await expect(status).toHaveValue('502')
    await expect(weather()).rejects.toThrow('made on purpose')
    await expect(side).toContainText('1 HTTP status')
    await expect(page.getByRole('contentinfo', { name: 'Status' })).toContainText('1 fault on')
    await side.getByRole('button', { name: 'All off' }).click()
    await expect(side).not.toContainText('1 on')
    expect(await weather()).toEqual({ place: 'Bergen' })

    await row('delay').getByRole('switch').click()
    await expect(side).toContainText('1 on')
    await selectEntry(page, 'weather')
    await side.getByLabel('city', { exact: true }).fill('Oslo')
    await tryIt(page)
    await expect(trialOf(page)).toContainText('Oslo')
    await expect(side).toContainText('1 delay')
    await choose(page, side, 'Faults for tool', 'every tool')
    await side.getByRole('button', { name: 'Switch delay off for weather, every transport' }).click()
    await expect(side).not.toContainText('1 on')
  })
  await client.close()
})
