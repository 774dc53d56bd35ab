import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readdir, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { repository } from '../runners/run-program.ts'

const run = promisify(execFile)
const LIMIT_MS = 300_000
const QUIET = ['--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']
/** Where the tools stay from run to run. */
const TOOLS = path.join(repository, 'node_modules', '.cache', 'patchbay-package-tools')

export type Tools = { readonly node22: string; readonly pnpm: string }

/** Packs the package. Returns the tarball. */
export async function packPackage(): Promise<string> {
  const builder = path.join(repository, 'tools/package/build-package.ts')
  const { stdout } = await run(process.execPath, [builder], { cwd: repository, timeout: LIMIT_MS })
  return stdout.trim()
}

/** Installs pnpm and Node 22 as the lock file pins them. */
export async function installTools(): Promise<Tools> {
  await mkdir(TOOLS, { recursive: true })
  await cp(path.join(import.meta.dirname, 'tools'), TOOLS, { recursive: true })
  await run('npm', ['ci', '--ignore-scripts', ...QUIET], { cwd: TOOLS, timeout: LIMIT_MS })
  const modules = path.join(TOOLS, 'node_modules')
  const name = (await readdir(modules)).find((each) => /^node-(?:linux|win|darwin|bin)/.test(each))
  if (name === undefined)
    throw new Error(`there is no package with Node 22 for ${process.platform} ${process.arch}`)
  const program = process.platform === 'win32' ? 'node.exe' : 'node'
  return {
    node22: path.join(modules, name, 'bin', program),
    pnpm: path.join(modules, 'pnpm', 'bin', 'pnpm.cjs'),
  }
}

/** Installs the tarball alone into an empty folder by npm, as a user does, and makes all files read-only. */
export async function installByNpm(tarball: string, folder: string): Promise<void> {
  await emptyProject(folder)
  await run('npm', ['install', '--omit=dev', ...QUIET, tarball], { cwd: folder, timeout: LIMIT_MS })
  await makeReadOnly(path.join(folder, 'node_modules'))
}

/** Installs the tarball into a project that has tests. */
export async function installForTests(tarball: string, folder: string): Promise<void> {
  await emptyProject(folder)
  await run('npm', ['install', '--omit=dev', '--omit=peer', ...QUIET, tarball], {
    cwd: folder,
    timeout: LIMIT_MS,
  })
}

/** The same by pnpm, which runs no scripts and links packages from its store. */
export async function installByPnpm(tarball: string, folder: string, pnpm: string): Promise<void> {
  await emptyProject(folder)
  await run(process.execPath, [pnpm, 'add', '--prod', '--prefer-offline', '--reporter=silent', tarball], {
    cwd: folder,
    timeout: LIMIT_MS,
    env: {
      ...process.env,
      PNPM_HOME: path.join(folder, '.pnpm-home'),
      XDG_DATA_HOME: path.join(folder, '.data'),
    },
  })
}

/** Removes the package by npm. */
export async function uninstallByNpm(name: string, folder: string): Promise<void> {
  await makeWritable(path.join(folder, 'node_modules'))
  await run('npm', ['uninstall', ...QUIET, name], { cwd: folder, timeout: LIMIT_MS })
}

async function emptyProject(folder: string): Promise<void> {
  await mkdir(folder, { recursive: true })
  await writeFile(path.join(folder, 'package.json'), '{ "name": "user-project", "private": true }\n')
}

/** Root may write everywhere, so the tests also compare what is in the folder. */
async function makeReadOnly(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(path.join(entry.parentPath, entry.name), 0o555)
  await chmod(folder, 0o555)
}

async function makeWritable(folder: string): Promise<void> {
  await chmod(folder, 0o755)
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) await chmod(path.join(entry.parentPath, entry.name), 0o755)
}

/** Every file of a folder with its size. */
export async function filesIn(folder: string): Promise<readonly string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
}
