import { chromium } from '@playwright/test'

/** Opens the window in a browser and returns once it shows a tool of the server that it was opened for. */
export async function showsTool(address: string, executablePath: string, tool: string): Promise<void> {
  const browser = await chromium.launch({ executablePath })
  try {
    const page = await browser.newPage()
    await page.goto(address)
    await page.getByText(tool, { exact: true }).first().waitFor()
  } finally {
    await browser.close()
  }
}
