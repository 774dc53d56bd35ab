import { mkdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { ExitCode } from '../output/exit-code.ts'
import { writeText } from '../output/output.ts'

const CONFIG = `import { defineConfig } from '@playwright/test'
import type { McpOptions } from 'mcp-patchbay/test'

export default defineConfig<McpOptions>({
  testDir: 'tests',
  fullyParallel: true,
  reporter: [['list'], ['mcp-patchbay/reporter', { html: 'test-results/report.html' }]],
  use: {
    // The server under test. Relative paths count from here.
    server: { command: 'node', args: ['build/index.js'] },
  },
})
`

const SPEC = `import { expect, test } from 'mcp-patchbay/test'

test('lists its tools', async ({ mcp, timeline }) => {
  const tools = await mcp.listTools()
  expect(tools).not.toHaveLength(0)
  expect(timeline).toConform()
})
`

const FILES: Readonly<Record<string, string>> = {
  'playwright.config.ts': CONFIG,
  'tests/server.spec.ts': SPEC,
}

/** `patchbay init --tests`: writes the first files of a suite; what is there stays. */
export async function initTests({ folder }: { readonly folder: string }): Promise<ExitCode> {
  const lines: string[] = []
  for (const [name, text] of Object.entries(FILES)) {
    const file = path.resolve(folder, name)
    await mkdir(path.dirname(file), { recursive: true })
    lines.push((await isWritten(file, text)) ? `made ${name}` : `kept ${name}, which was there`)
  }
  lines.push(
    '',
    'Install what they need: npm install --save-dev @playwright/test mcp-patchbay',
    'Name your server in playwright.config.ts, then run: npx patchbay test',
  )
  await writeText(lines.join('\n'))
  return ExitCode.ok
}

async function isWritten(file: string, text: string): Promise<boolean> {
  try {
    await writeFile(file, text, { flag: 'wx' })
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'EEXIST') return false
    throw error
  }
}
