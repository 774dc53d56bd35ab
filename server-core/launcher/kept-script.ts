/** What a script is called with, in this order; it stands for what modules have. */
const PARAMETERS = ['module', 'scriptImport', 'scriptUrl', 'scriptFolder', 'scriptFile'] as const

/** What scripts call in place of `import()`, which they have not. */
export const SCRIPT_IMPORT = 'scriptImport'

/** What modules say of themselves, for esbuild to replace by what the script is called with. */
export const SCRIPT_PLACES = {
  'import.meta.url': 'scriptUrl',
  'import.meta.dirname': 'scriptFolder',
  'import.meta.filename': 'scriptFile',
} as const

/** A CommonJS bundle (in ASCII, as esbuild writes it) as a script that gives one function. */
export function asScript(code: string): string {
  return `(function (${PARAMETERS.join(', ')}) {${code}\n})`
}

/**
 * A module that runs a script beside it and passes on what that exports, with V8's code of all that an earlier process
 * had run of it. Node's own cache keeps modules as they are before they run: each start compiles each of their
 * functions again. The code is kept when a process ends that had none, for each version of Node by itself.
 *
 * V8 cannot tell two scripts of one length apart, so each build needs a folder of its own name.
 *
 * @param file name of the script
 * @param kept the folder of what is kept, relative to the module; if not given, it is kept beside Node's own cache of
 * compiled code, and only if there is one
 */
export function keptScript(file: string, kept: string | undefined, exports: readonly string[]): string {
  const keptFolder =
    kept === undefined
      ? "process.getBuiltinModule('node:module').getCompileCacheDir()"
      : `path.join(folder, ${JSON.stringify(kept)})`
  return `\
const fs = process.getBuiltinModule('node:fs')
const path = process.getBuiltinModule('node:path')
const vm = process.getBuiltinModule('node:vm')
const folder = import.meta.dirname
const file = path.join(folder, ${JSON.stringify(file)})
const url = new URL(${JSON.stringify(`./${file}`)}, import.meta.url).href
const keptFolder = ${keptFolder}
const keptFile =
  keptFolder && path.join(keptFolder, \`\${path.basename(folder)}-\${process.version}-\${process.arch}\`)

let cachedData
try {
  if (keptFile) cachedData = fs.readFileSync(keptFile)
} catch {
  // The first start.
}
const script = new vm.Script(fs.readFileSync(file, 'latin1'), { filename: url, cachedData })
const module = { exports: {} }
script.runInThisContext()(module, (name) => import(name), url, folder, file)

if (keptFile && (cachedData === undefined || script.cachedDataRejected)) {
  process.once('exit', () => {
    const written = \`\${keptFile}.\${process.pid}\`
    try {
      fs.mkdirSync(keptFolder, { recursive: true })
      fs.writeFileSync(written, script.createCachedData())
      fs.renameSync(written, keptFile)
    } catch {
      // Where it may not be written, every start compiles again.
    }
  })
}

export const { ${exports.join(', ')} } = module.exports
`
}
