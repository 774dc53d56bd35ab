import { fitsPattern } from './name-pattern.ts'

/** Which tools of a server are exposed, and under which names. */
export type ToolSelection = {
  /** Patterns (`read_*`) or names of the server's tools, or tags (`tag:weather`). Default: all tools. */
  readonly only?: readonly string[]
  /** Those to omit. */
  readonly except?: readonly string[]
  /** A tool's name at the server → the name that clients see. */
  readonly rename?: Readonly<Record<string, string>>
}

/** Between the alias of a server and a name, unless another is given; no alias contains it. */
const SEPARATOR = '__'
export type Separator = '.' | '_' | '__'

/** Returns whether a text can be the prefix of a server's tools. */
export function isAlias(text: string): boolean {
  return /^[A-Za-z0-9](?:[A-Za-z0-9.-]|_(?!_))*$/.test(text) && !text.endsWith('_') && text.length <= 64
}

/** The names that clients see for the entries of one server; without a prefix they are the server's own. */
export class MemberNames {
  readonly #prefix: string
  readonly #selection: ToolSelection

  /** @throws RangeError if the prefix is invalid */
  constructor(prefix: string | undefined, selection: ToolSelection = {}, separator: Separator = SEPARATOR) {
    if (prefix !== undefined && !isAlias(prefix)) {
      throw new RangeError(
        `"${prefix}" cannot be the prefix of tools: expected letters, digits, ".", "-" and single "_" between them`,
      )
    }
    this.#prefix = prefix === undefined ? '' : `${prefix}${separator}`
    this.#selection = selection
  }

  /** Returns the name of a tool with these tags; undefined if the tool is not exposed. */
  tool(name: string, tags: readonly string[] = []): string | undefined {
    const { only, except = [], rename = {} } = this.#selection
    if (only !== undefined && !only.some((pattern) => fitsTool(pattern, name, tags))) return undefined
    if (except.some((pattern) => fitsTool(pattern, name, tags))) return undefined
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
