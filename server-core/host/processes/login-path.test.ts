import { chmod, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { loginPath, mergedPath, pathIn } from './login-path.ts'

let folder = ''
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'patchbay-shell-'))
})
afterAll(() => rm(folder, { recursive: true, force: true }))

/** A shell that does something before it runs the command it is given last. */
const shell = async (name: string, profile: string): Promise<string> => {
  const file = path.join(folder, name)
  await writeFile(file, `#!/bin/sh\n${profile}\n`)
  await chmod(file, 0o755)
  return file
}
const RUN = 'for last; do :; done; eval "$last"'
const environment = { PATH: '/usr/bin:/bin', HOME: '/nowhere' }

describe('the PATH of a login shell', () => {
  it('is read from among what a profile prints', async () => {
    const profile = `echo "Welcome, PATH=/no"; export PATH="/opt/tools bin:$PATH"; ${RUN}; echo PATH=/neither`
    expect(await loginPath(await shell('zsh', profile), environment)).toBe('/opt/tools bin:/usr/bin:/bin')
  })

  it('is asked for as each kind of shell takes it', async () => {
    const profile = `echo "$@" > "${folder}/$(basename "$0").args"; ${RUN}`
    for (const name of ['bash', 'tcsh']) await loginPath(await shell(name, profile), environment)
    expect(await readFile(path.join(folder, 'bash.args'), 'utf8')).toMatch(/^-i -l -c /)
    expect(await readFile(path.join(folder, 'tcsh.args'), 'utf8')).toMatch(/^-ic /)
  })

  it('is undefined if the shell fails, hangs, or does not exist', async () => {
    expect(await loginPath(await shell('broken', 'exit 3'), environment)).toBeUndefined()
    expect(await loginPath(await shell('hanging', 'sleep 60'), environment, 50)).toBeUndefined()
    expect(await loginPath(path.join(folder, 'missing'), environment)).toBeUndefined()
  })

  it('comes before ours, no folder twice', () => {
    expect(mergedPath('/opt/bin:/usr/bin:', '/usr/bin:/bin')).toBe('/opt/bin:/usr/bin:/bin')
    expect(pathIn('PATH=/no')).toBeUndefined()
  })
})
