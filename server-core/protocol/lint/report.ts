import { pointerStep } from '../json-pointer.ts'
import type { WireTransport } from '../transport-kind.ts'
import type { JsonObject } from '../json.ts'
import { REVISIONS, type Revision, type RevisionRow } from '../revisions.ts'
import { covers } from '../wire/shape.ts'
import type { Path } from '../wire/path.ts'
import { RULES, type RuleId, type Severity } from './rules.ts'

/** One place where a message breaks a rule. */
export type Finding = {
  /** JSON Pointer (RFC 6901) to the place; empty for the whole message. */
  readonly path: string
  readonly severity: Severity
  /** What is wrong there, as a sentence. */
  readonly message: string
  readonly rule: RuleId
}

/** What is known about a message beside the message. */
export type LintOptions = {
  readonly direction: 'client-to-server' | 'server-to-client'
  readonly revision: Revision
  /** The method of the request that a response answers, where it is known. */
  readonly answers?: string
  /** What the client declared, where it is known: in its handshake, or in the request that is answered. */
  readonly clientCapabilities?: JsonObject
  /** Methods of extensions that both sides declared. */
  readonly extensionMethods?: readonly string[]
  /** Values of `resultType` of extensions that both sides declared. */
  readonly extensionResultTypes?: readonly string[]
  /** With `stdio` the text is one line. */
  readonly transport?: WireTransport
}

/** Most findings of one message, of a batch in each; a list of a thousand bad tools need not tell a thousand times. */
const MOST = 200

/** Gathers findings, each place and rule once, and those rules only that the revision has. */
export class LintReport {
  readonly options: LintOptions
  readonly row: RevisionRow
  /** The message is a handshake, which may say of itself what newer revisions ask of each request. */
  readonly isHandshake: boolean
  readonly #findings = new Map<string, Finding>()

  /** Throws a `RangeError` for a revision that nobody knows. */
  constructor(options: LintOptions, isHandshake = false) {
    const row = REVISIONS.find(({ revision }) => revision === options.revision)
    if (row === undefined) throw new RangeError(`expected a revision we speak, got ${options.revision}`)
    this.options = options
    this.row = row
    this.isHandshake = isHandshake
  }

  get findings(): readonly Finding[] {
    return [...this.#findings.values()]
  }

  /** Nothing more is taken. */
  get isFull(): boolean {
    return this.#findings.size >= MOST
  }

  /** The severity is that of the rule unless this breach of it weighs less. */
  add(rule: RuleId, path: Path, message: string, severity: Severity = RULES[rule].severity): void {
    const pointer = pointerOf(path)
    const key = `${rule} ${pointer}`
    if (!covers(RULES[rule], this.row.revision) || this.#findings.has(key)) return
    if (this.isFull) return
    this.#findings.set(key, { path: pointer, severity, message, rule })
  }

  /** Adds the findings in a part of the message. */
  take(part: LintReport, at: Path): void {
    const prefix = pointerOf(at)
    for (const finding of part.findings) {
      const path = `${prefix}${finding.path}`
      this.#findings.set(`${finding.rule} ${path}`, { ...finding, path })
    }
  }

  /** Returns whether anything was found at this very place. */
  hasAt(path: Path): boolean {
    const pointer = pointerOf(path)
    return this.#findings.values().some((finding) => finding.path === pointer)
  }
}

function pointerOf(path: Path): string {
  return path.map((step) => `/${pointerStep(step)}`).join('')
}

/** A value as a short name for a sentence. */
export function nameOf(value: unknown): string {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'a list'
  switch (typeof value) {
    case 'undefined':
      return 'nothing'
    case 'object':
      return 'an object'
    case 'string':
      return `"${value.length > 60 ? `${value.slice(0, 60)}…` : value}"`
    case 'number':
    case 'boolean':
      return `${value}`
    default:
      return `a ${typeof value}`
  }
}
