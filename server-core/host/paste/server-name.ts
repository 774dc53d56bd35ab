import path from 'node:path'

/** A name for a server known by its address. */
export function serverNameOfUrl(url: string): string {
  const host = URL.canParse(url) ? new URL(url).host : ''
  return (host === '' ? url : host).slice(0, 120)
}

const RUNNERS = new Set([
  'npx',
  'bunx',
  'uvx',
  'pipx',
  'pnpx',
  'node',
  'deno',
  'bun',
  'python',
  'python3',
  'uv',
  'docker',
  'podman',
])
const RUNNER_WORDS = new Set(['run', 'exec', 'tool', 'x', 'dlx'])

/** A name for a server known by its command: the package or script that a runner runs, else the command itself. */
export function serverNameOfCommand(command: string, args: readonly string[]): string {
  const program = path.posix.basename(command.replaceAll('\\', '/')).replace(/\.(exe|cmd|bat)$/i, '')
  if (!RUNNERS.has(program)) return program.slice(0, 120)
  const subject = args.find((arg) => !arg.startsWith('-') && !RUNNER_WORDS.has(arg) && !arg.includes('='))
  if (subject === undefined) return program
  const known = /^@[^/]+\/[^/@]+|^[^/@]+(?=@)/.exec(subject)?.[0]
  const name = known ?? nameOfFile(subject)
  return (name === '' ? program : name).slice(0, 120)
}

/** `node …/server-everything/dist/index.js` is better called by its folder than "index.js". */
function nameOfFile(file: string): string {
  const parts = file
    .replaceAll('\\', '/')
    .split('/')
    .filter((part) => part !== '' && part !== '.' && part !== '..')
  const last = parts.at(-1) ?? ''
  if (!/^(index|main|server|cli)\.\w+$/.test(last)) return last
  const folders = parts.slice(0, -1).filter((part) => !/^(dist|build|out|lib|src|bin)$/.test(part))
  return folders.at(-1) ?? last
}
