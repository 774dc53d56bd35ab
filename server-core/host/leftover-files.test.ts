import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { profileFiles } from '../profile/profile-files.ts'
import { PlainFileSecretStore } from '../profile/secret-files.ts'
import { startTestHost } from './host.test-support.ts'

let profile = ''

beforeEach(async () => {
  profile = await mkdtemp(path.join(tmpdir(), 'patchbay-leftover-'))
})
afterEach(() => rm(profile, { recursive: true, force: true }))

/** The text of every file in the profile. */
async function textInProfile(): Promise<string> {
  const files = (await readdir(profile, { recursive: true, withFileTypes: true })).filter((each) =>
    each.isFile(),
  )
  const texts = files.map(({ parentPath, name }) =>
    readFile(path.join(parentPath, name), 'utf8').catch(() => ''),
  )
  return (await Promise.all(texts)).join('\n')
}

test('a start removes what killed runs and older versions left of removed secrets', async () => {
  const { secrets } = profileFiles(profile)
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  await writeFile(secrets, '{"version":1,"secrets":{}}')
  await writeFile(`${secrets}.previous`, '{"version":1,"secrets":{"a":"removed-long-ago"}}')
  await writeFile(`${secrets}.${dead}-0123456789ab.tmp`, '{"version":1,"secrets":{"a":"never-finished"}}')
  const host = await startTestHost({ profile })
  try {
    await expect.poll(textInProfile).not.toMatch(/removed-long-ago|never-finished/)
  } finally {
    await host.close()
  }
})

test('a removed server leaves none of its secrets in any file', async () => {
  const { secrets } = profileFiles(profile)
  const host = await startTestHost({
    profile,
    secretStore: () => new PlainFileSecretStore(secrets, () => undefined),
  })
  try {
    const env = [{ name: 'API_KEY', value: 'planted-key' }]
    const target = {
      transport: 'stdio' as const,
      command: 'node',
      args: ['--password=planted-argument'],
      env,
    }
    const { id } = await host.client.servers.add({ draft: { name: 'sec', target }, origin: 'user' })
    expect(await textInProfile()).toContain('planted-key')
    await host.client.servers.remove({ id })
    expect(await textInProfile()).not.toContain('planted')
  } finally {
    await host.close()
  }
})
