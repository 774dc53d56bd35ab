#!/usr/bin/env node
import { enableCompileCache } from 'node:module'

enableCompileCache()
// Loaded after the cache is on, so that it is cached itself.
const { main } = await import('./main.ts')
process.exit(await main(process.argv.slice(2)))
