import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import type { WorkspaceRecipe } from './parts.ts'

/** Folders of a package whose declarations are not needed, or not a second time. */
const NO_TYPES = /(?:^|\/)(?:v3|mini|v4-mini|src|node_modules|ts5\.\d)(?:\/|$)/

/** Modules of Node that scripts seldom import: their declarations go without their documentation, which is most of them. */
const WITHOUT_DOCUMENTATION =
  /(?:^|\/)(?:assert|cluster|dgram|diagnostics_channel|http2|inspector\.generated|module|perf_hooks|repl|sqlite|test|tls|v8|vm)\.d\.ts$/
const DOC_COMMENTS = /^[ \t]*\/\*\*[^]*?\*\/[ \t]*\n/gm

/**
 * Makes what is written into workspaces: the declarations of what scripts import, with those of the packages that these
 * name, and the workspace that there is at the first start. Gives the absolute paths of the sources. Throws an error
 * with the compiler's words.
 */
export async function bundleWorkspace(
  root: string,
  recipe: WorkspaceRecipe,
  into: string,
): Promise<string[]> {
  const types = path.join(into, 'types')
  const sources = await declarationsOf(root, recipe.modules, path.join(types, 'patchbay'))
  for (const [name, target] of Object.entries(recipe.packages)) {
    await copyDeclarations(path.join(root, 'node_modules', name), path.join(types, target))
    if (name === '@types/node') await removeDocumentation(path.join(types, target))
  }
  for (const [name, file] of Object.entries(recipe.files)) {
    await cp(path.join(root, file), path.join(types, name))
    sources.push(path.join(root, file))
  }
  await writeFile(path.join(types, 'stamp'), await hashOfFolder(types))
  for (const [name, folder] of Object.entries(recipe.folders)) {
    sources.push(...(await copyFolder(path.join(root, folder), path.join(into, name))))
  }
  return sources
}

/** Lets the compiler write the declarations of modules, and of all that these import. */
async function declarationsOf(root: string, modules: readonly string[], into: string): Promise<string[]> {
  const room = path.join(root, modules[0]?.split('/', 1)[0] ?? '')
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'patchbay-types-'))
  try {
    const config = path.join(scratch, 'tsconfig.json')
    const compilerOptions = {
      composite: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: into,
      rootDir: room,
      typeRoots: [path.join(root, 'node_modules', '@types')],
    }
    const files = modules.map((module) => path.join(root, module))
    const base = path.join(room, 'tsconfig.base.json')
    await writeFile(config, JSON.stringify({ extends: base, compilerOptions, files }))
    const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc')
    const words = [compiler, '-p', config, '--listEmittedFiles']
    const { stdout } = await promisify(execFile)(process.execPath, words, { maxBuffer: 2 ** 24 })
    const emitted = Array.from(stdout.matchAll(/^TSFILE: (.*)$/gm), ([, file = '']) => file)
    return emitted.map((file) => path.join(room, path.relative(into, file)).replace(/\.d\.ts$/, '.ts'))
  } catch (error) {
    const said = error instanceof Error && 'stdout' in error ? String(error.stdout) : String(error)
    throw new Error(`the declarations of ${modules.join(', ')} cannot be written:\n${said}`, { cause: error })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
}

async function copyDeclarations(from: string, to: string): Promise<void> {
  await cp(from, to, {
    recursive: true,
    filter: (source) => {
      const relative = path.relative(from, source).split(path.sep).join('/')
      if (NO_TYPES.test(relative)) return false
      return !/\.[a-z]\w*$/i.test(relative) || relative.endsWith('.d.ts')
    },
  })
  await removeOthers(to)
}

async function removeDocumentation(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name)
    if (!entry.isFile() || !WITHOUT_DOCUMENTATION.test(file)) continue
    await writeFile(file, (await readFile(file, 'utf8')).replace(DOC_COMMENTS, ''))
  }
}

/** Removes files without an extension, which no filter can tell from folders, and folders that are empty then. */
async function removeOthers(folder: string): Promise<void> {
  for (const entry of await readdir(folder, { withFileTypes: true })) {
    const place = path.join(folder, entry.name)
    if (entry.isDirectory()) await removeOthers(place)
    else if (!entry.name.endsWith('.d.ts')) await rm(place)
  }
  if ((await readdir(folder)).length === 0) await rm(folder, { recursive: true })
}

/** Copies a workspace without its tests and what Patchbay writes into it. */
async function copyFolder(from: string, to: string): Promise<string[]> {
  const entries = await readdir(from, { recursive: true, withFileTypes: true })
  const files = entries
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .filter((file) => !/\.test\.ts$|[\\/](?:\.patchbay|node_modules)[\\/]/.test(file))
  for (const file of files) {
    const target = path.join(to, path.relative(from, file))
    await mkdir(path.dirname(target), { recursive: true })
    await cp(file, target)
  }
  return files
}

async function hashOfFolder(folder: string): Promise<string> {
  const hash = createHash('sha256')
  const names = (await readdir(folder, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => path.join(entry.parentPath, entry.name))
    .sort()
  for (const name of names) hash.update(`${path.relative(folder, name)}\n`).update(await readFile(name))
  return hash.digest('base64url')
}
