import { writeFile } from 'node:fs/promises'
import path from 'node:path'
import { build, type BuildOptions, type Metafile, type Plugin } from 'esbuild'

/** A file of a split bundle that a start always loads. */
type Piece = {
  readonly file: string
  readonly exports: readonly string[]
  readonly inputs: readonly string[]
}

/**
 * Makes one file of all that a start loads from a split bundle, whose pieces cost more to find than to run. Each piece
 * stays as a few lines that pass on its exports from that file, so that what is loaded later shares them. Gives the
 * modules that are in it.
 *
 * @param root what the paths of the metafile are relative to
 * @param sources the modules that a start loads, one by import, others by `import()`
 */
export async function mergeStart(
  root: string,
  { outputs }: Metafile,
  sources: readonly string[],
  shared: Pick<BuildOptions, 'platform' | 'target' | 'format' | 'legalComments'>,
): Promise<string[]> {
  const pieces = piecesOf(root, outputs, sources)
  const [first] = pieces
  if (first === undefined) throw new Error(`none of ${sources.join(', ')} is a file of the bundle`)
  const folder = path.dirname(first.file)
  const result = await build({
    ...shared,
    stdin: { contents: pieces.map(passOnAs).join('\n'), resolveDir: folder },
    outfile: path.join(folder, 'start.js'),
    bundle: true,
    plugins: [only(pieces)],
    logLevel: 'silent',
    write: false,
  })
  const [start] = result.outputFiles
  if (start === undefined) throw new Error(`expected a file of the pieces ${sources.join(', ')}, got none`)
  await writeFile(start.path, start.contents)
  const stubs = pieces.map(({ file, exports }, index) => {
    const names = exports.map((name) => `${nameOf(index, name)} as ${name}`)
    return writeFile(file, `export { ${names.join(', ')} } from './start.js'\n`)
  })
  await Promise.all(stubs)
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
  for (const [name, { entryPoint }] of Object.entries(outputs)) {
    if (entryPoint !== undefined && sources.includes(entryPoint)) add(name)
  }
  return [...found.values()]
}

function passOnAs({ file, exports }: Piece, index: number): string {
  const names = exports.map((name) => `${name} as ${nameOf(index, name)}`)
  return `export { ${names.join(', ')} } from './${path.basename(file)}'`
}

function nameOf(index: number, name: string): string {
  return `p${index}_${name}`
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
        return { path: asked, external: true }
      })
    },
  }
}
