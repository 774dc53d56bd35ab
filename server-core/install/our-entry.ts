import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { PACKAGE_NAME } from '../product/package-name.ts'
import { isJsonObject } from '../protocol/json.ts'
import type { ClientRow } from './clients.ts'
import type { ConfigEntry } from './formats/config-format.ts'
import { isThere } from './is-there.ts'

/** How the command line of a Patchbay is started. All paths are absolute: clients start servers in odd folders. */
export type Launcher = {
  /** Node, the packaged app as Node, or npx. */
  readonly command: string
  /** The arguments before the program. */
  readonly before?: readonly string[]
  /** The built command line, or what npx installs. */
  readonly program: string
  readonly env: Readonly<Record<string, string>>
}

/** What a client is to start. */
export type Served =
  | {
      readonly type: 'workspace'
      readonly folder: string
      /** Run its scripts even if the folder was never trusted in the window. */
      readonly trust?: boolean
    }
  | {
      readonly type: 'server'
      readonly server: string
      /** The folder whose `patchbay.json` has the server and options. Entries of older versions name none. */
      readonly workspace?: string
    }

/** What is installed: what is served, with the data folder if it is not the usual one. */
export type Installed = {
  readonly served: Extract<Served, { type: 'workspace' }> | Required<Extract<Served, { type: 'server' }>>
  readonly profile?: string
}

/** An entry that some Patchbay wrote, taken apart. */
export type OurEntry = {
  readonly command: string
  /** The file that is started, or what npx installs. */
  readonly program: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly served: Served
}

/** The entry as a client wants it. */
export function entryFor(client: ClientRow, launcher: Launcher, installed: Installed): ConfigEntry {
  const { command, before = [], program, env } = launcher
  return {
    ...(client.typed && { type: 'stdio' }),
    command,
    args: [...before, program, ...wordsFor(installed)],
    ...(Object.keys(env).length > 0 && { env }),
  }
}

/** What an entry for these would start. */
export function ourEntryFor(launcher: Launcher, installed: Installed): OurEntry {
  const { command, before = [], program, env } = launcher
  const args = [...before, program, ...wordsFor(installed)]
  return { command, program, args, env, served: installed.served }
}

function wordsFor({ served, profile }: Installed): readonly string[] {
  const data = profile === undefined ? [] : ['--profile', profile]
  if (served.type === 'server') {
    // Without a workspace it would take options of the folder in which a client starts it.
    return ['proxy', '--server', served.server, '--workspace', served.workspace, ...data, '--stdio']
  }
  return ['serve', served.folder, '--stdio', ...(served.trust === true ? ['--trust'] : []), ...data]
}

/** Parses an entry, if a Patchbay wrote it. */
export function ourEntry(entry: unknown): OurEntry | undefined {
  if (!isJsonObject(entry)) return undefined
  const { command, args, env = {} } = entry
  if (typeof command !== 'string' || !isTexts(args) || !isJsonObject(env)) return undefined
  const at = isNpx(command, args) ? args.findIndex((word) => PACKAGE.test(word)) : 0
  const program = args[at]
  const [verb, ...rest] = args.slice(at + 1)
  if (program === undefined || !rest.includes('--stdio')) return undefined
  if (!PROGRAM.test(program) && !PACKAGE.test(program)) return undefined
  const served = verb === 'serve' ? servedFolder(rest) : verb === 'proxy' ? servedServer(rest) : undefined
  if (served === undefined) return undefined
  const variables = Object.entries(env).map(([name, value]) => [name, String(value)])
  return { command, program, args, env: Object.fromEntries(variables) as Record<string, string>, served }
}

/** The file of a command line: that of a clone, or of an installed package. */
const PROGRAM = /(^|[\\/])patchbay\.(?:[jt]s|cjs)$/
/** What npx installs: the package, of some version, or a tarball of it. */
const PACKAGE = new RegExp(String.raw`^${PACKAGE_NAME}(?:@\S+)?$|(^|[\\/])${PACKAGE_NAME}-[^\\/]+\.tgz$`)

/** Windows starts npx, which is a batch file there, by `cmd /c`. */
function isNpx(command: string, args: readonly string[]): boolean {
  const started = /^cmd(?:\.exe)?$/i.test(command) ? (args[1] ?? '') : command
  return /(^|[\\/])npx(?:\.cmd)?$/i.test(started)
}

function servedFolder(words: readonly string[]): Served | undefined {
  const [folder] = words
  if (folder === undefined || folder.startsWith('-')) return undefined
  return { type: 'workspace', folder, ...(words.includes('--trust') && { trust: true }) }
}

function servedServer(words: readonly string[]): Served | undefined {
  const server = words[words.indexOf('--server') + 1]
  if (!words.includes('--server') || server === undefined) return undefined
  const workspace = words.includes('--workspace') ? words[words.indexOf('--workspace') + 1] : undefined
  return { type: 'server', server, ...(workspace !== undefined && { workspace }) }
}

/** Why an entry does not start this Patchbay as it is now, as a clause; undefined if it does. */
export async function staleness(entry: OurEntry, launcher: Launcher): Promise<string | undefined> {
  const { command, program, served } = entry
  if (path.isAbsolute(command) && !(await isThere(command))) return `its program ${command} does not exist`
  const isFile = path.isAbsolute(program)
  if (isFile && !(await isThere(program))) return `${program} does not exist`
  const folder = served.type === 'workspace' ? served.folder : served.workspace
  if (folder === undefined)
    return 'it names no workspace, so it reads options of the folder that it is started in'
  if (!(await isThere(folder))) return `the folder ${folder} does not exist`
  if (program !== launcher.program && path.resolve(program) !== path.resolve(launcher.program)) {
    const version = isFile ? await versionOf(program) : undefined
    return `it starts another Patchbay, ${version === undefined ? '' : `version ${version}, `}${program}`
  }
  if (command !== launcher.command && path.resolve(command) !== path.resolve(launcher.command))
    return `it is started by ${command}, this Patchbay by ${launcher.command}`
  return undefined
}

/** The command line or URL of any entry, in one line. */
export function summaryOf(entry: unknown): string {
  if (!isJsonObject(entry)) return String(entry)
  const { command, args } = entry
  if (typeof command === 'string') return [command, ...(isTexts(args) ? args : [])].join(' ')
  const url = entry['url'] ?? entry['httpUrl'] ?? entry['serverUrl']
  return typeof url === 'string' ? url : JSON.stringify(entry)
}

/** A name that every client takes, made of a folder's or a server's. */
export function entryName(text: string): string {
  const name = text
    .trim()
    .replaceAll(/[^A-Za-z0-9_-]+/g, '-')
    .replaceAll(/^-+|-+$/g, '')
    .slice(0, 60)
  return name === '' ? 'patchbay' : name
}

/** The version in the package file above a built command line. */
async function versionOf(program: string): Promise<string | undefined> {
  try {
    const above = program.endsWith('.cjs') ? '..' : '../..'
    const text = await readFile(path.join(path.dirname(program), above, 'package.json'), 'utf8')
    const data: unknown = JSON.parse(text)
    return isJsonObject(data) && typeof data['version'] === 'string' ? data['version'] : undefined
  } catch {
    return undefined
  }
}

function isTexts(value: unknown): value is readonly string[] {
  return Array.isArray(value) && value.every((item) => typeof item === 'string')
}
