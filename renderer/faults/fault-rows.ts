import type { Parsed } from '../../server-core/protocol/parsed.ts'
import {
  canBeMade,
  FAULT_TABLE,
  faultRuleSchema,
  type FaultKind,
  type FaultRule,
  type FaultSettings,
  type FaultTransport,
} from '../../server-core/host/contract/faults.ts'
import { faultsText } from './text.ts'

/** What faults are set for: undefined is every tool, every transport. */
export interface Scope {
  readonly tool: string | undefined
  readonly transport: FaultTransport | undefined
}

/** The one number that a kind of fault has, and how it is asked for. */
export interface Amount {
  readonly member: 'ms' | 'count' | 'status' | 'after' | 'bytes'
  readonly unit: string
  readonly least: number
  readonly most: number
  /** Empty means that there is none. */
  readonly optional?: boolean
}

const AMOUNTS: Readonly<Partial<Record<FaultKind, Amount>>> = {
  delay: { member: 'ms', unit: 'ms', least: 0, most: 600_000 },
  reorder: { member: 'count', unit: 'messages', least: 1, most: 100 },
  status: { member: 'status', unit: 'HTTP', least: 400, most: 599 },
  stall: { member: 'ms', unit: 'ms', least: 1, most: 600_000, optional: true },
  close: { member: 'after', unit: 'messages', least: 0, most: 10_000 },
  'stderr-flood': { member: 'bytes', unit: 'bytes', least: 1, most: 67_108_864 },
}

/** What a fault is, in the words of the panel, and what it does. */
export const FAULT_WORDS: Readonly<Record<FaultKind, readonly [name: string, effect: string]>> = {
  delay: ['delay', faultsText.faultRows.theResponseIsDelayed],
  drop: ['drop', faultsText.faultRows.dropDetail],
  duplicate: ['duplicate', faultsText.faultRows.duplicateDetail],
  reorder: ['reorder', faultsText.faultRows.reorderDetail],
  cut: ['truncate', faultsText.faultRows.truncateDetail],
  malformed: ['malformed', faultsText.faultRows.invalidJsonDetail],
  'wrong-id': ['wrong id', faultsText.faultRows.unknownIdDetail],
  status: [faultsText.faultRows.httpStatus, faultsText.faultRows.httpStatusDetail],
  'session-loss': ['session loss', faultsText.faultRows.sessionLossDetail],
  stall: ['stall', faultsText.faultRows.stallDetail],
  close: ['close', faultsText.faultRows.closeDetail],
  'stderr-flood': ['stderr flood', faultsText.faultRows.stderrDetail],
}

/** One line of the table. */
export interface FaultRow {
  readonly kind: FaultKind
  /** Its rule in this scope; missing if there was none yet. */
  readonly rule: FaultRule | undefined
  readonly amount: Amount | undefined
}

const KINDS = Object.keys(FAULT_TABLE) as FaultKind[]

/** The faults that can be made in a scope. */
export function rowsOf(settings: FaultSettings, scope: Scope): readonly FaultRow[] {
  return KINDS.filter((kind) => canBeMade(kind, scope.transport)).map((kind) => ({
    kind,
    rule: ruleOf(settings, scope, kind),
    amount: AMOUNTS[kind],
  }))
}

function ruleOf({ rules }: FaultSettings, scope: Scope, kind: FaultKind): FaultRule | undefined {
  return rules.find((rule) => rule.kind === kind && isIn(rule, scope))
}

/** Rules that are on and in no line of the scope. */
export function elsewhere({ rules }: FaultSettings, scope: Scope): readonly FaultRule[] {
  const shown = rowsOf({ on: true, seed: 0, rules }, scope).map(({ rule }) => rule)
  return rules.filter((rule) => rule.enabled && !shown.includes(rule))
}

function isIn({ where }: FaultRule, { tool, transport }: Scope): boolean {
  return where.tool === tool && where.transport === transport
}

/** A scope in words. */
export function scopeText({ where }: FaultRule, names: Readonly<Record<FaultTransport, string>>): string {
  const { tool, transport } = where
  return `${tool ?? 'every tool'}, ${transport === undefined ? 'every transport' : names[transport]}`
}

/** The number of a rule, as it is typed; empty if there is none. */
export function amountText({ rule, amount, kind }: FaultRow): string {
  if (amount === undefined) return ''
  const value: unknown = { ...(rule ?? newRule(kind, NOWHERE)) }[amount.member as never]
  return typeof value === 'number' ? String(value) : ''
}

/** Its chance in percent, as it is typed. */
export function probabilityText({ rule }: FaultRow): string {
  return String(Math.round((rule?.probability ?? 1) * 10_000) / 100)
}

const NOWHERE: Scope = { tool: undefined, transport: undefined }

/** What a line changes about its rule. */
export type RuleChange = {
  readonly enabled?: boolean
  /** Undefined takes the number away. */
  readonly amount?: number | undefined
  /** From 0 to 100. */
  readonly percent?: number
}

/** Settings with the rule of a kind in this scope changed; it is made if there is none. */
export function withRule(
  settings: FaultSettings,
  scope: Scope,
  kind: FaultKind,
  change: RuleChange,
): FaultSettings {
  const rule = ruleOf(settings, scope, kind)
  const amount = AMOUNTS[kind]
  const before = rule ?? newRule(kind, scope)
  const { enabled = before.enabled, percent } = change
  const members: Record<string, unknown> = {
    ...before,
    enabled,
    ...(percent !== undefined && { probability: percent / 100 }),
    ...(amount !== undefined && 'amount' in change && { [amount.member]: change.amount }),
  }
  const next = faultRuleSchema.parse(members)
  const rules =
    rule === undefined
      ? [...settings.rules, next]
      : settings.rules.map((each) => (each === rule ? next : each))
  // Switching one on means that faults are wanted.
  return { ...settings, on: settings.on || enabled, rules }
}

/** Settings with one rule off. */
export function withoutRule(settings: FaultSettings, { id }: FaultRule): FaultSettings {
  return {
    ...settings,
    rules: settings.rules.map((rule) => (rule.id === id ? { ...rule, enabled: false } : rule)),
  }
}

/** Settings with every rule off, and all of them kept. */
export function allOff(settings: FaultSettings): FaultSettings {
  return { ...settings, rules: settings.rules.map((rule) => ({ ...rule, enabled: false })) }
}

function newRule(kind: FaultKind, { tool, transport }: Scope): FaultRule {
  const parts = [kind, tool ?? 'any tool', transport ?? 'any transport']
  return faultRuleSchema.parse({
    id: parts.join(' ').slice(0, 64),
    kind,
    enabled: false,
    where: { ...(tool !== undefined && { tool }), ...(transport !== undefined && { transport }) },
  })
}

/** Parses a typed number; a text is the reason why it is invalid. */
export function readAmount(
  text: string,
  { least, most, optional }: Omit<Amount, 'member' | 'unit'>,
): Parsed<number | undefined> {
  if (text.trim() === '' && optional === true) return { ok: true, value: undefined }
  const value = Number(text)
  if (text.trim() !== '' && Number.isInteger(value) && value >= least && value <= most)
    return { ok: true, value }
  return { ok: false, reason: `a whole number from ${least} to ${most}` }
}

/** Reads a chance in percent. */
export function readPercent(text: string): Parsed<number> {
  const value = Number(text.replace('%', ''))
  const fits = text.trim() !== '' && value >= 0 && value <= 100
  return fits ? { ok: true, value } : { ok: false, reason: 'a number from 0 to 100' }
}

/** Reads a seed: a whole number, or hexadecimal with 0x. */
export function readSeed(text: string): Parsed<number> {
  const value = Number(text)
  const fits = text.trim() !== '' && Number.isInteger(value) && value >= 0 && value <= 0xffff_ffff
  return fits
    ? { ok: true, value }
    : { ok: false, reason: 'a whole number up to 4294967295, or 0x and hexadecimal digits' }
}

export function seedText(seed: number): string {
  return `0x${seed.toString(16)}`
}

/** How often faults were made, the most first: `4 delay, 1 drop`. */
export function countsText({ rules }: FaultSettings, counts: Readonly<Record<string, number>>): string {
  const byKind = new Map<FaultKind, number>()
  for (const { id, kind } of rules) {
    const count = counts[id] ?? 0
    if (count > 0) byKind.set(kind, (byKind.get(kind) ?? 0) + count)
  }
  const parts = [...byKind].sort(([, one], [, other]) => other - one)
  if (parts.length === 0) return '0 injected'
  return parts.map(([kind, count]) => `${count} ${FAULT_WORDS[kind][0]}`).join(', ')
}
