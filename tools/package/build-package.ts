/** `npm run package`: makes the npm package in `.build/package` and packs it. */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { promisify } from 'node:util'
import { bundleForNode } from '../../server-core/launcher/bundle-node.ts'
import { bundlePage } from '../../server-core/launcher/bundle-page.ts'
import { bundleWorkspace } from '../../server-core/launcher/bundle-workspace.ts'
import { partNamed } from '../../server-core/launcher/parts.ts'
import { PACKAGE_NAME } from '../../server-core/product/package-name.ts'
import { writeEntryPointTypes } from './entry-points.ts'
import { lockOf, type Lock } from './lock-of.ts'
import { packageManifest, type CloneManifest } from './manifest.ts'
import { noticesOf } from './notices.ts'
import { PACKAGE_PARTS } from './package-parts.ts'

const root = path.resolve(import.meta.dirname, '../..')
const build = path.join(root, '.build')
const into = path.join(build, 'package')
const dist = path.join(into, 'dist')

/** Packages of the page, whose bundler does not say which ones it took. */
const PAGE_PACKAGES =
  /^(?:@base-ui|@codemirror|@lezer|@marijn|@orpc|@tanstack|@cfworker|@floating-ui|react|zod|scheduler|style-mod|w3c-keyname|crelt|tabbable|reselect|use-sync-external-store)/

async function buildPackage(): Promise<void> {
  await rm(into, { recursive: true, force: true })
  await mkdir(dist, { recursive: true })
  const packages = (await Promise.all([bundles(), page(), types()])).flat()
  const clone = JSON.parse(await readFile(path.join(root, 'package.json'), 'utf8')) as CloneManifest
  await writeJson(path.join(into, 'package.json'), packageManifest(clone))
  await writeJson(path.join(dist, 'electron', 'package.json'), {
    name: 'patchbay',
    version: clone.version,
    type: 'module',
    main: 'main.js',
  })
  await command()
  await downloads()
  for (const name of ['README.md', 'LICENSE']) await cp(path.join(root, name), path.join(into, name))
  // Reports link to the pages of checks.
  await cp(path.join(root, 'docs', 'checks'), path.join(into, 'docs', 'checks'), { recursive: true })
  await writeFile(path.join(into, 'THIRD_PARTY.md'), noticesOf(root, packages))
}

async function bundles(): Promise<readonly string[]> {
  const packages: string[] = []
  for (const { folder, recipe } of PACKAGE_PARTS)
    packages.push(...(await bundleForNode(root, recipe, path.join(dist, folder))).packages)
  // The shell starts the host by this name.
  await mkdir(path.join(dist, 'host'))
  await writeFile(path.join(dist, 'host', 'desktop-entry.js'), "import '../cli/desktop-entry.js'\n")
  return packages
}

async function page(): Promise<readonly string[]> {
  await bundlePage(root, 'renderer', path.join(dist, 'renderer'))
  const lock = await readLock()
  return Object.keys(lock.packages).filter((place) =>
    PAGE_PACKAGES.test(place.replace(/^node_modules\//, '')),
  )
}

async function types(): Promise<readonly string[]> {
  const recipe = partNamed('workspace')?.recipe
  if (recipe?.kind !== 'workspace') throw new Error('expected the part with the types of workspaces')
  await bundleWorkspace(root, recipe, path.join(dist, 'workspace'))
  await writeEntryPointTypes(root, into)
  return Object.keys(recipe.packages).map((name) => `node_modules/${name.replace('yaml/dist', 'yaml')}`)
}

async function command(): Promise<void> {
  const bin = path.join(into, 'bin', 'patchbay.cjs')
  await mkdir(path.dirname(bin))
  await cp(path.join(import.meta.dirname, 'patchbay.cjs'), bin)
  await chmod(bin, 0o755)
  await cp(path.join(import.meta.dirname, 'run.cjs'), path.join(dist, 'cli', 'run.cjs'))
}

async function downloads(): Promise<void> {
  const lock = await readLock()
  const pinned = {
    typescript: lockOf(lock, 'typescript7', 'typescript'),
    electron: lockOf(lock, 'electron', 'electron'),
  }
  for (const [name, files] of Object.entries(pinned)) {
    const folder = path.join(dist, 'downloads', name)
    await mkdir(folder, { recursive: true })
    await writeJson(path.join(folder, 'package.json'), files.manifest)
    await writeJson(path.join(folder, 'package-lock.json'), files.lock)
  }
}

async function readLock(): Promise<Lock> {
  return JSON.parse(await readFile(path.join(root, 'package-lock.json'), 'utf8')) as Lock
}

async function writeJson(file: string, value: object): Promise<void> {
  await writeFile(file, `${JSON.stringify(value, undefined, 2)}\n`)
}

async function pack(): Promise<string> {
  await promisify(execFile)('npm', ['pack', '--pack-destination', build, '--ignore-scripts'], { cwd: into })
  const { version } = JSON.parse(await readFile(path.join(into, 'package.json'), 'utf8')) as CloneManifest
  return path.join(build, `${PACKAGE_NAME}-${version}.tgz`)
}

await buildPackage()
console.log(await pack())
