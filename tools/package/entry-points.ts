import { execFile } from 'node:child_process'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { promisify } from 'node:util'
import { PACKAGE_NAME } from '../../server-core/product/package-name.ts'
import { ENTRY_POINTS } from '../public-exports.ts'

/** Packages whose declarations are among the types of workspaces, and where they are from the root of the package. */
const BUNDLED_TYPES: Readonly<Record<string, string>> = {
  zod: 'dist/workspace/types/zod/index.js',
  yaml: 'dist/workspace/types/yaml/index.js',
}

/**
 * Writes the declarations of the entry points to `types`, with all that they import but the types of workspaces. Imports name files that resolve in
 * every project, and examples name the package.
 */
export async function writeEntryPointTypes(root: string, into: string): Promise<void> {
  const scratch = await mkdtemp(path.join(os.tmpdir(), 'patchbay-types-'))
  const types = path.join(into, 'types')
  try {
    const config = path.join(scratch, 'tsconfig.json')
    const compilerOptions = {
      composite: false,
      declaration: true,
      emitDeclarationOnly: true,
      outDir: types,
      rootDir: root,
      typeRoots: [path.join(root, 'node_modules', '@types')],
    }
    const files = Object.values(ENTRY_POINTS).map((file) => path.join(root, 'api', `${file}.ts`))
    const base = path.join(root, 'server-core', 'tsconfig.base.json')
    await writeFile(config, JSON.stringify({ extends: base, compilerOptions, files }))
    const compiler = path.join(root, 'node_modules', 'typescript7', 'bin', 'tsc')
    await promisify(execFile)(process.execPath, [compiler, '-p', config], { maxBuffer: 2 ** 24 })
  } finally {
    await rm(scratch, { recursive: true, force: true })
  }
  await rewriteEach(types, (text, file) => portable(text, path.dirname(file), into))
  // Its declarations leave out endings, which ES modules may not.
  await rewriteEach(path.join(into, 'dist/workspace/types/yaml'), withEndings)
}

async function rewriteEach(folder: string, rewrite: (text: string, file: string) => string): Promise<void> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true })
  for (const entry of entries.filter((each) => each.isFile())) {
    const file = path.join(entry.parentPath, entry.name)
    await writeFile(file, rewrite(await readFile(file, 'utf8'), file))
  }
}

function withEndings(text: string): string {
  return text.replaceAll(
    /((?:from|import\() ?['"])(\.[^'"]+)(['"])/g,
    (whole, before: string, name: string, after: string) =>
      name.endsWith('.js') ? whole : `${before}${name}.js${after}`,
  )
}

function portable(text: string, folder: string, into: string): string {
  return text.replaceAll(
    /((?:from|import\() ?)(['"])([^'"]+)\2/g,
    (whole, before: string, quote: string, name: string) => {
      if (/^\.{1,2}\//.test(name)) return `${before}${quote}${name.replace(/\.ts$/, '.js')}${quote}`
      if (/^patchbay(?:\/|$)/.test(name))
        return `${before}${quote}${name.replace('patchbay', PACKAGE_NAME)}${quote}`
      const bundled = BUNDLED_TYPES[name]
      if (bundled === undefined || whole.startsWith('*')) return whole
      const relative = path.relative(folder, path.join(into, bundled)).replaceAll(path.sep, '/')
      return `${before}${quote}${relative}${quote}`
    },
  )
}
