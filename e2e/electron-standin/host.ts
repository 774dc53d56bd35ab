// Plays the part of the Electron executable: reads its command line, starts Chromium, makes `electron` resolvable
// for import and require, runs the scripts given with -r, then the app's main entry.
import { readFileSync } from 'node:fs'
import Module, { createRequire, registerHooks } from 'node:module'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import { startChromium } from './chromium.ts'
import { installElectron } from './electron-module.ts'

const here = import.meta.dirname
const given = process.argv.slice(2)
const required: string[] = []
const switches: string[] = []
let folder: string | undefined
for (let index = 0; index < given.length; index += 1) {
  const argument = given[index] ?? ''
  if (folder !== undefined) break
  if (argument === '-r' || argument === '--require') required.push(given[(index += 1)] ?? '')
  else if (argument.startsWith('--')) switches.push(argument)
  else folder = argument
}
if (folder === undefined) throw new Error('electron stand-in: expected the app folder on the command line')
const appPath = path.resolve(folder)
const manifest = JSON.parse(readFileSync(path.join(appPath, 'package.json'), 'utf8')) as {
  main: string
  name: string
  version: string
}
const fromApp = createRequire(path.join(appPath, 'package.json'))
const electronManifest = fromApp('electron/package.json') as { version: string }

process.argv = [process.env['PATCHBAY_STANDIN_EXECUTABLE'] ?? process.execPath, ...given]
Object.defineProperty(process.versions, 'electron', { value: electronManifest.version, enumerable: true })
Object.defineProperty(process, 'type', { value: 'browser' })

const port = switches.find((one) => one.startsWith('--remote-debugging-port='))?.split('=')[1] ?? '0'
const chromium = startChromium(port)
const electron = installElectron({ appPath, manifest, chromium })
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => electron.quit())

const names = new Set(['electron', 'electron/main', 'electron/common'])
const asModule = pathToFileURL(path.join(here, 'electron-esm.ts')).href
registerHooks({
  resolve: (specifier, context, next) =>
    names.has(specifier)
      ? { url: asModule, shortCircuit: true, format: 'module-typescript' }
      : next(specifier, context),
})
// Playwright's loader and the debugger come in by require, which the hook does not see.
const loader = Module as unknown as { _load(request: string, ...rest: unknown[]): unknown }
const load = loader._load.bind(loader)
loader._load = (request, ...rest) => (names.has(request) ? electron.module : load(request, ...rest))

for (const script of required) fromApp(path.resolve(script))
electron.start()
await import(pathToFileURL(path.resolve(appPath, manifest.main)).href)
