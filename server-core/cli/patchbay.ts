#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

// Compiled code is kept beside the built file; where that may not be written, every start compiles anew.
if (import.meta.filename.endsWith('.js')) enableCompileCache(`${import.meta.dirname}/.compiled`)
// Loaded after the cache is on, so that it is cached itself.
const { main } = await import('./main.ts')
process.exit(await main(process.argv.slice(2)))
