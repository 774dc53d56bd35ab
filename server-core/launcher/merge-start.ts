import { readFile, writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'
import { asScript, keptScript, SCRIPT_IMPORT, SCRIPT_PLACES } from './kept-script.ts'

/** A file of a split bundle that a start always loads. */
type Piece = {
  readonly file: string
  readonly exports: readonly string[]
  readonly inputs: readonly string[]
}

/** Beside the entries: what is kept of one start for the next. */
const KEPT = '../.compiled'

/**
 * Makes one script of all that a start loads from a split bundle, whose pieces cost more to find than to run. Each piece
 * stays as a few lines that pass on its exports from that script, so that what is loaded later shares them. Gives the
 * modules that are in it.
 *
 * @param root what the paths of the metafile are relative to
 * @param sources the modules that a start loads, one by import, others by `import()`
 * @param keepsBeside keeps compiled code beside the entries, not in the user's cache
 */
export async function mergeStart(
  root: string,
  { outputs }: Metafile,
  sources: readonly string[],
  shared: Pick<BuildOptions, 'platform' | 'target' | 'legalComments' | 'minifyWhitespace' | 'minifySyntax'>,
  keepsBeside: boolean,
): Promise<string[]> {
  const pieces = piecesOf(root, outputs, sources)
  const [first] = pieces
  if (first === undefined) throw new Error(`none of ${sources.join(', ')} is a file of the bundle`)
  const folder = path.dirname(first.file)
  const names = pieces.flatMap(({ exports }, index) => exports.map((name) => nameOf(index, name)))
  const result = await build({
    ...shared,
    format: 'cjs',
    define: SCRIPT_PLACES,
    stdin: { contents: pieces.map(passOnAs).join('\n'), resolveDir: folder },
    outfile: path.join(folder, 'start.cjs'),
    bundle: true,
    plugins: [only(pieces)],
    logLevel: 'silent',
    write: false,
  })
  const [script] = result.outputFiles
  if (script === undefined) throw new Error(`expected a file of the pieces ${sources.join(', ')}, got none`)
  await writeFile(script.path, asScript(script.text))
  const start = path.join(folder, 'start.js')
  await writeFile(start, keptScript(path.basename(script.path), keepsBeside ? KEPT : undefined, names))
  const stubs = pieces.map(({ file, exports }, index) => {
    const names = exports.map((name) => `${nameOf(index, name)} as ${name}`)
    return writeFile(file, `export { ${names.join(', ')} } from './start.js'\n`)
  })
  await Promise.all([
    ...stubs,
    ...entriesOf(root, outputs, first).map((entry) => beginAt(start, first, entry)),
  ])
  return pieces.flatMap(({ inputs }) => inputs)
}

/** The pieces of these sources, and all that they import at once. */
function piecesOf(root: string, outputs: Metafile['outputs'], sources: readonly string[]): Piece[] {
  const found = new Map<string, Piece>()
  const add = (name: string): void => {
    const output = outputs[name]
    if (output === undefined || found.has(name)) return
    const inputs = Object.keys(output.inputs)
    found.set(name, { file: path.resolve(root, name), exports: output.exports, inputs })
    for (const imported of output.imports) if (imported.kind === 'import-statement') add(imported.path)
  }
  for (const source of sources) {
    const output = Object.entries(outputs).find(([, { entryPoint }]) => entryPoint === source)
    if (output !== undefined) add(output[0])
  }
  return [...found.values()]
}

/** The files that load the first of the pieces once they run. */
function entriesOf(root: string, outputs: Metafile['outputs'], { file }: Piece): string[] {
  return Object.entries(outputs)
    .filter(([, { imports }]) =>
      imports.some(({ kind, path: name }) => kind === 'dynamic-import' && path.resolve(root, name) === file),
    )
    .map(([name]) => path.resolve(root, name))
}

/** Lets a file load all of the start at once, in place of the first of its pieces. */
async function beginAt(start: string, { file }: Piece, entry: string): Promise<void> {
  const code = await readFile(entry, 'utf8')
  const from = path.dirname(entry)
  await writeFile(entry, code.replace(quotedWay(from, file), quotedWay(from, start)))
}

function quotedWay(from: string, to: string): string {
  return JSON.stringify(`./${path.relative(from, to).replaceAll(path.sep, '/')}`)
}

function passOnAs({ file, exports }: Piece, index: number): string {
  const names = exports.map((name) => `${name} as ${nameOf(index, name)}`)
  return `export { ${names.join(', ')} } from './${path.basename(file)}'`
}

/** What the first piece exports keeps its names. */
function nameOf(index: number, name: string): string {
  return index === 0 ? name : `p${index}_${name}`
}

/** Everything but the pieces stays where it is. */
function only(pieces: readonly Piece[]): Plugin {
  const files = new Set(pieces.map(({ file }) => file))
  return {
    name: 'only-the-start',
    setup(bundler) {
      bundler.onResolve({ filter: /./ }, ({ path: asked, resolveDir, kind }) => {
        const file = path.join(resolveDir, asked)
        if (kind === 'import-statement' && files.has(file)) return { path: file }
        // Nothing happens when a module of Node is loaded: whoever uses nothing of it needs no import of it.
        return { path: asked, external: true, sideEffects: !asked.startsWith('node:') }
      })
      bundler.onLoad({ filter: /./ }, async ({ path: file }) => ({
        contents: withPiecesAtHand(await readFile(file, 'utf8'), path.dirname(file), files),
      }))
    },
  }
}

/** A piece that is asked for later is there already: only what is in no piece is looked for. */
function withPiecesAtHand(code: string, folder: string, files: ReadonlySet<string>): string {
  const imports: string[] = []
  const own = code.replace(/\bimport\((".*?")\)/g, (_later, quoted: string) => {
    if (!files.has(path.join(folder, JSON.parse(quoted) as string))) return `${SCRIPT_IMPORT}(${quoted})`
    const name = `atHand${imports.length}`
    imports.push(`import * as ${name} from ${quoted}`)
    return `Promise.resolve(${name})`
  })
  return [...imports, own].join('\n')
}
