#!/usr/bin/env node
// Compiled code is kept beside the built file; where that may not be written, every start compiles anew.
// The module is asked for, not imported: an import would look at all that is in it.
if (import.meta.filename.endsWith('.js'))
  process.getBuiltinModule('node:module').enableCompileCache(`${import.meta.dirname}/.compiled`)
// Loaded after the cache is on, so that it is cached itself.
const { main } = await import('./main.ts')
process.exit(await main(process.argv.slice(2)))
