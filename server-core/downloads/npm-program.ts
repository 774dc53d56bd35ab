import { existsSync, realpathSync } from 'node:fs'
import path from 'node:path'

/** The file of npm that Node runs, without a shell. */
const NPM = path.join('npm', 'bin', 'npm-cli.js')

/** Finds the user's npm: the one that runs us, the one on PATH, or the one beside Node. Undefined if there is none. */
export function npmProgram(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const running = env['npm_execpath']
  if (running !== undefined && path.basename(running) === 'npm-cli.js' && existsSync(running)) return running
  const node = path.dirname(process.execPath)
  const folders = (env['PATH'] ?? env['Path'] ?? '').split(path.delimiter).filter((folder) => folder !== '')
  const places = [
    ...folders.flatMap((folder) => [linkedNpm(folder), path.join(folder, 'node_modules', NPM)]),
    path.join(node, 'node_modules', NPM),
    path.join(node, '..', 'lib', 'node_modules', NPM),
  ]
  return places.find((place) => place !== undefined && existsSync(place))
}

/** Where the command `npm` of a folder leads to. */
function linkedNpm(folder: string): string | undefined {
  try {
    const file = realpathSync(path.join(folder, 'npm'))
    return file.endsWith('.js') ? file : undefined
  } catch {
    return undefined
  }
}
