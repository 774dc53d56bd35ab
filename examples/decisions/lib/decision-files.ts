import { randomBytes } from 'node:crypto'
import { mkdir, readdir, readFile, stat } from 'node:fs/promises'
import path from 'node:path'
import { parse, stringify } from 'patchbay/yaml'
import { decision, type Decision } from './decision.ts'
import { codeOf, exclusively, writeWhole } from './exclusive.ts'
import { InputError } from './faults.ts'

type Kept = { readonly version: string; readonly decision?: Decision; readonly problem?: string }

/** A file that holds no decision that can be read. */
export type Problem = { readonly file: string; readonly problem: string }

/** A decision and the file that holds it, relative to the folder of all. */
export type Stored = { readonly decision: Decision; readonly file: string }

/**
 * Decisions as YAML files in one folder, `YYYY/MM/YYYY-MM-DD-decision-ID.yaml`. The files are the truth: what an editor,
 * a checkout or another server changes is seen at the next call. A file that cannot be read is left alone and told.
 */
export class DecisionFiles {
  readonly #folder: string
  readonly #kept = new Map<string, Kept>()
  #decisions: readonly Stored[] = []
  #refreshing: Promise<void> | undefined

  constructor(folder: string) {
    this.#folder = folder
  }

  /** All decisions, the oldest first. The list is the same object until a file changes. */
  async all(): Promise<readonly Stored[]> {
    this.#refreshing ??= this.#refresh().finally(() => {
      this.#refreshing = undefined
    })
    await this.#refreshing
    return this.#decisions
  }

  /** Like `all`, with nothing that was read before this call. */
  async #now(): Promise<readonly Stored[]> {
    await this.#refreshing
    return this.all()
  }

  /** The files that hold no decision, and why. */
  async problems(): Promise<readonly Problem[]> {
    await this.all()
    return [...this.#kept].flatMap(([file, { problem }]) =>
      problem === undefined ? [] : [{ file, problem }],
    )
  }

  /** A decision by its id, or by the beginning of it. Throws an `InputError` if none or several have it. */
  async find(id: string): Promise<Stored> {
    const wanted = id.trim().toLowerCase()
    const found = (await this.all()).filter(({ decision: { id: known } }) => known.startsWith(wanted))
    const [only] = found
    if (only === undefined || wanted === '') throw new InputError(`There is no decision with the id "${id}".`)
    const exact = found.find(({ decision: { id: known } }) => known === wanted)
    if (exact === undefined && found.length > 1) {
      throw new InputError(`The id "${id}" stands for ${found.length} decisions: give all 8 digits.`)
    }
    return exact ?? only
  }

  /** Writes a decision that is new, made for the id that it gets. */
  async add(made: (id: string) => Decision): Promise<Stored> {
    const taken = new Set((await this.all()).map(({ decision: { id } }) => id))
    let id: string
    do id = randomBytes(4).toString('hex')
    while (taken.has(id))
    const fields = made(id)
    const day = fields.date.slice(0, 10)
    const file = path.join(day.slice(0, 4), day.slice(5, 7), `${day}-decision-${id}.yaml`)
    await mkdir(path.dirname(path.join(this.#folder, file)), { recursive: true })
    return this.#write(file, fields)
  }

  /** Changes a decision while nobody else does. Throws an `InputError` for an id that is unknown. */
  async change(id: string, made: (before: Decision) => Decision): Promise<Stored> {
    return this.changeWith(id, (before) => made(before))
  }

  /** Like `change`, with all decisions as they stand then. */
  async changeWith(
    id: string,
    made: (before: Decision, all: readonly Stored[]) => Decision,
  ): Promise<Stored> {
    await this.find(id)
    return exclusively(path.join(this.#folder, '.lock'), async () => {
      const all = await this.#now()
      const { decision: before, file } = await this.find(id)
      return this.#write(file, made(before, all))
    })
  }

  async #write(file: string, fields: Decision): Promise<Stored> {
    const checked = decision.parse(fields)
    await writeWhole(path.join(this.#folder, file), stringify(withoutEmpty(checked), { lineWidth: 100 }))
    return { decision: checked, file }
  }

  async #refresh(): Promise<void> {
    const names = await this.#files()
    const files = await Promise.all(
      names.map(async (file) => ({ file, version: await versionOf(path.join(this.#folder, file)) })),
    )
    let isChanged = false
    const there = new Set(names)
    for (const file of this.#kept.keys()) {
      if (!there.has(file)) isChanged = this.#kept.delete(file)
    }
    for (const { file, version } of files) {
      if (version === undefined || this.#kept.get(file)?.version === version) continue
      this.#kept.set(file, { version, ...(await this.#read(file)) })
      isChanged = true
    }
    if (!isChanged) return
    this.#decisions = [...this.#kept]
      .flatMap(([file, kept]) => (kept.decision === undefined ? [] : [{ file, decision: kept.decision }]))
      .sort((a, b) => compare(a.decision.date, b.decision.date) || compare(a.file, b.file))
  }

  async #files(): Promise<readonly string[]> {
    try {
      const names = await readdir(this.#folder, { recursive: true })
      return names.filter((name) => /\.ya?ml$/.test(name) && !path.basename(name).startsWith('.'))
    } catch (error) {
      if (codeOf(error) === 'ENOENT') return []
      throw error
    }
  }

  async #read(file: string): Promise<Omit<Kept, 'version'>> {
    try {
      const parsed = decision.safeParse(parse(await readFile(path.join(this.#folder, file), 'utf8')))
      if (parsed.success) return { decision: parsed.data }
      const problem = parsed.error.issues
        .map(({ path: at, message }) => `${at.join('.')}: ${message}`)
        .join('; ')
      return { problem }
    } catch (error) {
      return { problem: error instanceof Error ? error.message : String(error) }
    }
  }
}

async function versionOf(file: string): Promise<string | undefined> {
  try {
    const { mtimeMs, size, ino } = await stat(file)
    return `${mtimeMs} ${size} ${ino}`
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0
}

/** Empty values are not written. */
function withoutEmpty(fields: Decision): object {
  return Object.fromEntries(
    Object.entries(fields).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  )
}
