import { fitsPattern } from './name-pattern.ts'

/** Which tools of a server are shown, and under which names. */
export type ToolChoice = {
  /** Patterns (`read_*`) or whole names, as the server has them, or tags (`tag:weather`); all of them unless given. */
  readonly include?: readonly string[]
  /** What is left out of those. */
  readonly exclude?: readonly string[]
  /** A tool's name at the server → the name that clients see. */
  readonly rename?: Readonly<Record<string, string>>
}

/** Stands between the alias of a server and a name; no alias holds it. */
export const SEPARATOR = '__'

/** Tells whether a text can name a server in front of its tools. */
export function isAlias(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_))*$/.test(text) && !text.endsWith('_') && text.length <= 64
}

/** The names that clients see for what one server offers; without an alias they are the server's own. */
export class MemberNames {
  readonly #prefix: string
  readonly #choice: ToolChoice

  /** Throws a `RangeError` for an alias that is none. */
  constructor(alias: string | undefined, choice: ToolChoice = {}) {
    if (alias !== undefined && !isAlias(alias)) {
      throw new RangeError(
        `"${alias}" cannot stand before the names of tools: expected letters, digits, ".", "-" and single "_" between them`,
      )
    }
    this.#prefix = alias === undefined ? '' : `${alias}${SEPARATOR}`
    this.#choice = choice
  }

  /** Of a tool with these tags; undefined if it is not shown. */
  tool(name: string, tags: readonly string[] = []): string | undefined {
    const { include, exclude = [], rename = {} } = this.#choice
    if (include !== undefined && !include.some((pattern) => fitsTool(pattern, name, tags))) return undefined
    if (exclude.some((pattern) => fitsTool(pattern, name, tags))) return undefined
    return `${this.#prefix}${Object.hasOwn(rename, name) ? rename[name] : name}`
  }

  prompt(name: string): string {
    return `${this.#prefix}${name}`
  }
}

const TAG = 'tag:'

function fitsTool(pattern: string, name: string, tags: readonly string[]): boolean {
  if (fitsPattern(pattern, name)) return true
  return pattern.startsWith(TAG) && tags.some((tag) => fitsPattern(pattern.slice(TAG.length), tag))
}
