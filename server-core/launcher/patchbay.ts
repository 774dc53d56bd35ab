/**
 * `bin/patchbay ARGS` and `npm run -s patchbay -- ARGS`: runs the built command line in the folder the user is in. A
 * stale build is renewed first; if that fails, an old build runs, with a warning. Only the command line itself writes
 * to stdout.
 */
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { ensureBuilt } from './ensure-built.ts'
import { isRunByNpm, watchNpm, type NpmScript } from '../processes/npm-lifeline.ts'
import { COMMANDS } from '../cli/flags/command-names.ts'
import { CLI_PARTS, DESKTOP_PARTS } from './parts.ts'
import { useUserPath } from './user-path.ts'

const root = path.resolve(import.meta.dirname, '../..')
const entry = path.join(root, 'dist/cli/patchbay.js')
const script: NpmScript = { root, name: 'patchbay' }

// A signal to npm ends the shell below it, not this process, which nobody could stop then.
watchNpm(script, () => {
  process.kill(process.pid, 'SIGTERM')
})
const [word] = process.argv.slice(2)
const opensWindow = !COMMANDS.some((name) => name === word) || word === 'desktop'
const outcome = await ensureBuilt(root, opensWindow ? DESKTOP_PARTS : CLI_PARTS, 2)
if (outcome.state === 'missing') {
  console.error('patchbay: the command line could not be built; see the errors above')
  process.exit(9)
}
if (outcome.state === 'old')
  console.error('patchbay: this is an older build, because the sources do not build')
useUserPath(root)
const { INIT_CWD: calledFrom } = process.env
// npm changes to the folder of the package.
if (calledFrom !== undefined && isRunByNpm(script)) process.chdir(calledFrom)
process.argv[1] = entry
await import(pathToFileURL(entry).href)
