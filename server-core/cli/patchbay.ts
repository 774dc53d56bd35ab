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
const words = process.argv.slice(2)
const tap =
  words[0] === 'tap' ? (await import('./tap/stdio-words.ts')).readStdioWords(words.slice(1)) : undefined
if (tap === undefined) {
  // Loaded after the cache is on, so that it is cached itself.
  const { main } = await import('./main.ts')
  process.exit(await main(words))
}
// Clients start it for each of their servers: it ends as the server does, and needs nothing of the command line.
await (await import('../tap/stdio/stdio-tap.ts')).runStdioTap(tap)
