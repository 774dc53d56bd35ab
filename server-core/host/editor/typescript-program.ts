import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { HostError } from '../host-error.ts'

/**
 * The program of TypeScript for this system, which is a compiler and a language server in one.
 *
 * @throws HostError if it is not installed
 */
export function typescriptProgram(): string {
  const name = `@typescript/typescript-${process.platform}-${process.arch}`
  try {
    const typescript = createRequire(import.meta.url).resolve('typescript7/package.json')
    const folder = path.dirname(createRequire(typescript).resolve(`${name}/package.json`))
    const program = path.join(folder, 'lib', process.platform === 'win32' ? 'tsc.exe' : 'tsc')
    // Nothing inside an archive can be started; what is a program lies beside it.
    const unpacked = program.replace(`app.asar${path.sep}`, `app.asar.unpacked${path.sep}`)
    if (existsSync(unpacked)) return unpacked
    throw new Error(`there is no ${unpacked}`)
  } catch (cause) {
    throw new HostError(
      'NO_LANGUAGE_SERVER',
      `TypeScript's language server is not installed (package ${name}), so there is no completion and no checking. Install Patchbay again.`,
      { cause },
    )
  }
}
