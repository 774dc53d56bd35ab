import { win32 as path } from 'node:path'

export type WindowsCommand = {
  readonly command: string
  readonly args: readonly string[]
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
}

/** The files of the machine, as far as they are asked for. */
export type WindowsFiles = {
  /** There is such a file (no folder). */
  isFile(file: string): boolean
  /** The text of a file that is there. */
  read(file: string): string
}

export type WindowsProgram =
  | { readonly ok: true; readonly file: string; readonly args: readonly string[] }
  | { readonly ok: false; readonly reason: string }

const PROGRAMS = new Set(['.exe', '.com'])
const BATCH_FILES = new Set(['.cmd', '.bat'])
const PROGRAMS_TO_FIND = '.COM;.EXE;.BAT;.CMD'
/** A shim that leads to a shim and so on is not followed. */
const MAX_SHIMS = 4

/**
 * The program that a command means on Windows, and its arguments. A batch file cannot be started without a shell, and a
 * shell would interpret the arguments: so the shims that npm and its kin write are read, and what they start is started
 * instead. Undefined if there is no such command; the reason if it is a batch file that is no such shim.
 */
export function windowsProgram(wanted: WindowsCommand, files: WindowsFiles): WindowsProgram | undefined {
  let { command, args } = wanted
  for (let shims = 0; shims < MAX_SHIMS; shims += 1) {
    const file = located({ ...wanted, command }, files)
    if (file === undefined) return undefined
    if (!BATCH_FILES.has(path.extname(file).toLowerCase())) return { ok: true, file, args }
    const started = readShim(file, files)
    if (started === undefined) {
      const reason = `"${file}" is a batch file, which only a shell can run; give the program that it starts instead`
      return { ok: false, reason }
    }
    command = started.program
    args = [...started.args, ...args]
  }
  return { ok: false, reason: `"${wanted.command}" leads from one batch file to the next` }
}

/** The file that a command means: as it is, or with an ending of PATHEXT; in the folder it names, or in PATH. */
function located({ command, env, cwd }: WindowsCommand, files: WindowsFiles): string | undefined {
  const endings = (variable(env, 'PATHEXT') ?? PROGRAMS_TO_FIND).split(';').filter((ending) => ending !== '')
  const isKnown = [...PROGRAMS, ...BATCH_FILES].includes(path.extname(command).toLowerCase())
  const names = isKnown ? [command] : [...endings.map((ending) => command + ending.toLowerCase()), command]
  const folders = /[\\/]/.test(command) ? [cwd] : (variable(env, 'PATH') ?? '').split(';')
  for (const folder of folders) {
    if (folder === '') continue
    for (const name of names) {
      const file = path.resolve(cwd, unquoted(folder), name)
      if (files.isFile(file)) return file
    }
  }
  return undefined
}

/** Windows knows a variable by any case of its name. */
function variable(env: Readonly<Record<string, string>>, name: string): string | undefined {
  return Object.entries(env).find(([each]) => each.toUpperCase() === name)?.[1]
}

function unquoted(text: string): string {
  return text.replaceAll('"', '')
}

const SETTING = /\bset\s+(?:"([^"=]+)=([^"]*)"|([^\s"=]+)=([^\r\n)&]*))/gi
const STARTING_LINE = /^.*%\*[ \t)]*$/gm
const WORD = /"([^"]*)"|([^\s"&|<>()]+)/g

type Start = { readonly program: string; readonly args: readonly string[] }

/** What a shim starts: the program and the arguments that come before the caller's. */
function readShim(file: string, files: WindowsFiles): Start | undefined {
  const text = files.read(file)
  const settings = new Map<string, string[]>()
  for (const [, quotedName, quotedValue, name = quotedName, value = quotedValue] of text.matchAll(SETTING)) {
    if (name === undefined || value === undefined) continue
    const key = name.trim().toLowerCase()
    settings.set(key, [...(settings.get(key) ?? []), value.trim()])
  }
  settings.set('dp0', [`${path.dirname(file)}\\`])
  for (const [line] of text.matchAll(STARTING_LINE)) {
    const start = readStart(line, settings, file, files)
    if (start !== undefined) return start
  }
  return undefined
}

/** What one line starts, if that is there. */
function readStart(
  line: string,
  settings: ReadonlyMap<string, readonly string[]>,
  file: string,
  files: WindowsFiles,
): Start | undefined {
  // The part before the last `&` prepares the start.
  const start = line.slice(line.lastIndexOf('&') + 1).replace(/%\*.*$/, '')
  const words = [...start.matchAll(WORD)].map(([, quoted, plain]) => quoted ?? plain ?? '')
  const [program, ...rest] = words.map((word) => expanded(word.replace(/^@/, ''), settings, file, files))
  const args = rest.filter((arg) => arg !== undefined)
  if (program === undefined || args.length < rest.length) return undefined
  if (path.isAbsolute(program) && !files.isFile(program)) return undefined
  const script = args.findLast((arg) => path.isAbsolute(arg))
  return script !== undefined && files.isFile(script) ? { program, args } : undefined
}

/**
 * A word with its variables filled in; undefined if it depends on running the file. Where a variable is set
 * in several branches, the first value counts that names a file that is there, else the last.
 */
function expanded(
  word: string,
  settings: ReadonlyMap<string, readonly string[]>,
  file: string,
  files: WindowsFiles,
  depth = 0,
): string | undefined {
  if (depth > MAX_SHIMS) return undefined
  const whole = /^%([^%~]+)%$/.exec(word)
  if (whole !== null) {
    const values = (settings.get(whole[1]?.toLowerCase() ?? '') ?? []).flatMap(
      (value) => expanded(value, settings, file, files, depth + 1) ?? [],
    )
    return values.find((value) => path.isAbsolute(value) && files.isFile(value)) ?? values.at(-1)
  }
  const folder = `${path.dirname(file)}\\`
  const text = word.replace(/%~dp0/gi, folder).replace(/%([^%]+)%/g, (_all, name: string) => {
    const [value] = settings.get(name.toLowerCase()) ?? []
    // An unknown value stays marked.
    return (value === undefined ? undefined : expanded(value, settings, file, files, depth + 1)) ?? '%'
  })
  if (text.includes('%')) return undefined
  return path.isAbsolute(text) ? path.normalize(text) : text
}
