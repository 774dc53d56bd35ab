// The child's side of a utility process: gives the module process.parentPort, takes away what Electron does not
// have there, then loads it.
import childProcess from 'node:child_process'
import { EventEmitter } from 'node:events'
import { registerHooks, syncBuiltinESMExports } from 'node:module'
import { pathToFileURL } from 'node:url'

const send = process.send?.bind(process)
const port = Object.assign(new EventEmitter(), {
  postMessage: (message: unknown): void => void send?.(message),
  start: (): void => undefined,
})
process.on('message', (data) => port.emit('message', { data, ports: [] }))
// In Electron a utility process ends with the main process.
process.on('disconnect', () => process.exit(0))
Object.defineProperty(process, 'parentPort', { value: port })
Object.defineProperty(process, 'type', { value: 'utility' })

const executables = new Set([process.execPath, process.env['PATCHBAY_STANDIN_EXECUTABLE']])
const refuse = (what: string): never => {
  throw new Error(
    `electron stand-in: ${what} is not there in a utility process; ask the main process to fork`,
  )
}
const { spawn, spawnSync, execFile } = childProcess
const guarded =
  <Call extends (...args: never[]) => unknown>(name: string, call: Call) =>
  (...args: Parameters<Call>): unknown =>
    executables.has(String(args[0])) ? refuse(`${name}(process.execPath)`) : call(...args)
Object.assign(childProcess, {
  fork: () => refuse('child_process.fork'),
  spawn: guarded('spawn', spawn),
  spawnSync: guarded('spawnSync', spawnSync),
  execFile: guarded('execFile', execFile),
})
syncBuiltinESMExports()
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'electron' || specifier.startsWith('electron/')
      ? refuse(`importing ${specifier}`)
      : next(specifier, context),
})

const [, , modulePath = '', ...args] = process.argv
process.argv = [process.argv[0] ?? '', modulePath, ...args]
// A module that finds process.send would take itself for a plain Node child.
delete (process as { send?: unknown }).send
await import(pathToFileURL(modulePath).href)
