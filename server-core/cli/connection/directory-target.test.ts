import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, expect, test, vi } from 'vitest'
import { buildCli, runCli } from '../cli-process.test-support.ts'

vi.setConfig({ testTimeout: 60_000 })

let folder = ''

beforeAll(async () => {
  await buildCli()
  folder = await mkdtemp(path.join(os.tmpdir(), 'patchbay-directory-'))
  await mkdir(path.join(folder, 'tools'))
  await writeFile(
    path.join(folder, 'tools/greet.ts'),
    `import { tool, z } from 'patchbay'
export default tool({
  input: z.object({ name: z.string() }),
  run: ({ name }) => \`\${process.env['GREETING'] ?? 'Hello'}, \${name}!\`,
})
`,
  )
  const configuration =
    "import { config } from 'patchbay'\n\nexport default config({ environment: ['GREETING'] })\n"
  await writeFile(path.join(folder, 'patchbay.config.ts'), configuration)
}, 60_000)
afterAll(() => rm(folder, { recursive: true, force: true }))

const run = (...words: readonly string[]) =>
  runCli([...words, '--profile', path.join(folder, 'profile')], {
    cwd: os.tmpdir(),
    env: { GREETING: 'Hallo' },
  })

test('the tools of a directory are called without serving it, with the variables that they may see', async () => {
  const call = ['call', 'greet', '--arg', 'name=Ada', '--dir', folder, '--trust']
  const plain = await run(...call)
  expect(plain).toMatchObject({ code: 0, stderr: '' })
  expect(JSON.parse(plain.stdout)).toMatchObject({ content: [{ text: 'Hallo, Ada!' }] })
  const passed = await run(...call, '--env', 'GREETING=Hei')
  expect(JSON.parse(passed.stdout)).toMatchObject({ content: [{ text: 'Hei, Ada!' }] })
  const mistyped = await run('call', 'greet', '--arg', 'nmae=Ada', '--dir', folder, '--trust')
  expect(mistyped).toMatchObject({ code: 2, stdout: '' })
  expect(mistyped.stderr).toContain('did you mean name?')
})

test('nothing of a directory runs unless it is trusted', async () => {
  const { code, stdout, stderr } = await run('list', '--dir', folder)
  expect({ code, stdout }).toEqual({ code: 4, stdout: '' })
  expect(stderr).toMatch(/^patchbay: \S+ is not trusted, so nothing of it runs\. .*--trust.*\n$/)
})

test('what is wrong in a script is reported on stderr, at its line, and --quiet hides it', async () => {
  const broken = path.join(folder, 'tools/broken.ts')
  await writeFile(broken, "import { tool } from 'patchbay'\n\nexport default tool({ handler: () => 1 })\n")
  try {
    const list = ['list', 'tools', '--dir', folder, '--trust']
    const listed = await run(...list)
    expect(listed.code).toBe(0)
    expect(JSON.parse(listed.stdout)).toMatchObject({ tools: [{ name: 'greet' }] })
    expect(listed.stderr).toContain('tools/broken.ts:3')
    expect(await run(...list, '--quiet')).toMatchObject({ code: 0, stderr: '' })
  } finally {
    await rm(broken)
  }
})
