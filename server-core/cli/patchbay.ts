#!/usr/bin/env node
import { compiledFolder } from '../product/compiled-folder.ts'

// Whoever runs the built file by hand may have another Node, in which the first line that is too new says nothing of that.
if (Number.parseInt(process.versions.node) < 22) {
  console.error(
    `patchbay: expected Node 22.22 or newer, this is ${process.versions.node}. "npm run -s patchbay -- …" brings its own.`,
  )
  process.exit(1)
}
// Where compiled code may not be written, every start compiles again.
// The module is asked for, not imported: an import would look at all that is in it.
if (import.meta.filename.endsWith('.js'))
  process.getBuiltinModule('node:module').enableCompileCache(compiledFolder(import.meta.dirname))
// Loaded after the cache is on, so that it is cached itself.
const { main } = await import('./main.ts')
process.exit(await main(process.argv.slice(2)))
