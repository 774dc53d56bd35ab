import { mkdir, symlink, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { repository } from '../runners/run-program.ts'
import { installForTests } from './install.ts'

const SERVER = '@modelcontextprotocol/server-everything'
/** What a project has beside the package: Playwright Test, and the server that it tests. */
const LINKED = ['@playwright/test', 'playwright', 'playwright-core', SERVER]

const SPEC = `import { conformance, expect, test } from 'mcp-patchbay/test'

test.use({
  server: { command: process.execPath, args: ['node_modules/${SERVER}/dist/index.js', 'stdio'] },
  revision: '2025-11-25',
})

test('echoes', async ({ mcp, timeline }) => {
  const result = await mcp.callTool('echo', { message: 'hello' })
  expect(result).toSucceed()
  expect(result.text).toContain('hello')
  expect(timeline).toConform()
})

test('reports a failure', async ({ mcp }) => {
  test.fail()
  expect(await mcp.callTool('echo', {})).toSucceed()
})

conformance({ include: ['jsonrpc.unknown-method', 'base.id', 'ping'], callReadOnly: true })
`

/** Makes a project outside of the repository that has the package and tests a server with it. */
export async function makeTestProject(tarball: string, folder: string): Promise<void> {
  await installForTests(tarball, folder)
  for (const name of LINKED) {
    const link = path.join(folder, 'node_modules', name)
    await mkdir(path.dirname(link), { recursive: true })
    await symlink(path.join(repository, 'node_modules', name), link, 'junction')
  }
  await writeFile(path.join(folder, 'everything.spec.ts'), SPEC)
}
