import { readFile } from 'node:fs/promises'
import path from 'node:path'
import { z } from 'patchbay'
import { parse } from 'patchbay/yaml'
import { bucketsOf, calibrationByCategory, calibrationOf, confidenceOf } from './calibration.ts'
import type { Category, Decision } from './decision.ts'
import { DecisionFiles, type Stored } from './decision-files.ts'
import { codeOf } from './exclusive.ts'
import { DecisionGraph } from './graph.ts'
import { evaluate, readGuardrails, type Action, type Guardrail, type Verdict } from './guardrails.ts'
import type * as inputs from './inputs.ts'
import { reviewBy } from './ready.ts'
import { DecisionSearch, type Match, type Query } from './search.ts'
import { Trace, withThought, type Deliberator } from './trace.ts'

const DAY_MS = 24 * 60 * 60 * 1000
/** How far a failed decision may be to count as similar to what is planned. */
const SIMILAR = 0.4

const nearWords = z.object({ near: z.array(z.array(z.string())).default([]) })

export type JournalOptions = {
  /** Where the decisions are. */
  readonly decisions: string
  /** Where the guardrails are. */
  readonly guardrails: string
  /** A YAML file with groups of words that stand for the same subject. */
  readonly nearWords: string
  readonly now?: () => Date
}

type Recorded = z.infer<typeof inputs.logDecision>
type Planned = Omit<Action, 'similar_failures'>

/** The log of decisions, and its statistics. One for each Worker; the files are what they share. */
export class Journal {
  readonly files: DecisionFiles
  readonly #options: JournalOptions
  #search: Promise<DecisionSearch> | undefined

  constructor(options: JournalOptions) {
    this.#options = options
    this.files = new DecisionFiles(options.decisions)
  }

  /** The present time. */
  now(): Date {
    return this.#options.now?.() ?? new Date()
  }

  /** All decisions, the oldest first. */
  async decisions(): Promise<readonly Decision[]> {
    return (await this.files.all()).map(({ decision }) => decision)
  }

  async find(query: Query): Promise<readonly Match[]> {
    const search = await this.search()
    return search.find(await this.files.all(), query)
  }

  search(): Promise<DecisionSearch> {
    this.#search ??= this.#makeSearch()
    return this.#search
  }

  guardrails(): Promise<readonly Guardrail[]> {
    return readGuardrails(this.#options.guardrails)
  }

  /** Holds a plan against the guardrails; similar decisions that failed count too. */
  async check(planned: Planned): Promise<Verdict> {
    const filters = { category: planned.category as Category | undefined, has_outcome: true }
    const similar = await this.find({ text: planned.description, limit: 20, filters })
    const failed = similar.filter(({ outcome, distance }) => outcome === 'failure' && distance <= 1 - SIMILAR)
    return evaluate(await this.guardrails(), { ...planned, similar_failures: failed.length })
  }

  trace(who: Deliberator, agent: string | undefined): Trace {
    return new Trace(who, agent)
  }

  /** Writes a decision with what its session looked up and thought before. */
  async record({ agent_id: agent, ...fields }: Recorded, trace: Trace): Promise<Stored> {
    const now = this.now()
    const deliberation = await trace.take(now.getTime())
    return this.files.add((id) => ({
      id,
      ...fields,
      status: 'pending',
      date: now.toISOString(),
      review_by: reviewBy(now, fields.stakes).toISOString(),
      links: [],
      earlier: [],
      ...(agent === undefined ? {} : { agent }),
      ...(deliberation === undefined ? {} : { deliberation }),
    }))
  }

  review({ id, ...review }: z.infer<typeof inputs.reviewOutcome>): Promise<Stored> {
    const at = this.now().toISOString()
    return this.files.change(id, (before) => ({ ...before, ...review, status: 'reviewed', reviewed_at: at }))
  }

  /** Changes what a decision says; what it said before stays in its file. */
  update({ id, ...changes }: z.infer<typeof inputs.updateDecision>): Promise<Stored> {
    const until = this.now().toISOString()
    return this.files.change(id, (before) => {
      const { decision, confidence, context, tags, pattern, earlier } = before
      const given = Object.fromEntries(Object.entries(changes).filter(([, value]) => value !== undefined))
      return {
        ...before,
        ...given,
        earlier: [...earlier, { until, decision, confidence, context, tags, pattern }],
      }
    })
  }

  addThought(id: string, thought: string): Promise<Stored> {
    const now = this.now().getTime()
    return this.files.change(id, (before) => ({
      ...before,
      deliberation: withThought(before.deliberation, thought, now),
    }))
  }

  /** Links two decisions; the same link again changes its weight and context. */
  async link(asked: z.infer<typeof inputs.linkDecisions>) {
    const { edge_type: type, weight, context } = asked
    const target = (await this.files.find(asked.target_id)).decision.id
    const at = this.now().toISOString()
    const { decision: source } = await this.files.changeWith(asked.source_id, (before, all) => {
      new DecisionGraph(all).requireMeaning(before.id, target, type)
      const others = before.links.filter((one) => one.target_id !== target || one.edge_type !== type)
      return { ...before, links: [...others, { target_id: target, edge_type: type, weight, context, at }] }
    })
    return { source_id: source.id, target_id: target, edge_type: type, weight, linked_at: at }
  }

  async graph(): Promise<DecisionGraph> {
    return new DecisionGraph(await this.files.all())
  }

  /** How good confidence was, for all decisions or some of them. */
  async stats({ category, project, window }: z.infer<typeof inputs.getStats>) {
    const since = window === 'all' ? -Infinity : this.now().getTime() - Number.parseInt(window, 10) * DAY_MS
    const meant = (await this.decisions()).filter(
      (decision) =>
        (category === undefined || decision.category === category) &&
        (project === undefined || decision.project === project) &&
        Date.parse(decision.date) >= since,
    )
    return {
      window,
      ...calibrationOf(meant),
      buckets: bucketsOf(meant),
      confidence_distribution: confidenceOf(meant),
      by_category: calibrationByCategory(meant),
      by_stakes: countsOf(meant.map(({ stakes }) => stakes)),
      by_outcome: countsOf(meant.map(({ outcome }) => outcome ?? 'pending')),
    }
  }

  async #makeSearch(): Promise<DecisionSearch> {
    try {
      const written: unknown = parse(await readFile(this.#options.nearWords, 'utf8'))
      return new DecisionSearch(nearWords.parse(written ?? {}).near)
    } catch (error) {
      if (codeOf(error) !== 'ENOENT') throw error
      return new DecisionSearch()
    }
  }
}

/** The journal of a workspace folder, whose decisions may lie elsewhere. */
export function openJournal(workspace: string, decisions: string | undefined): Journal {
  return new Journal({
    decisions: path.resolve(workspace, decisions ?? 'decisions'),
    guardrails: path.join(workspace, 'guardrails'),
    nearWords: path.join(workspace, 'near-words.yaml'),
  })
}

/** What `ctx.lifespan` holds. Throws a `TypeError` if that is not a journal. */
export function journalOf({ lifespan }: { readonly lifespan: unknown }): Journal {
  if (lifespan instanceof Journal) return lifespan
  throw new TypeError('patchbay.config.ts gives no journal: its lifespan must open one.')
}

function countsOf(values: readonly string[]): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...Map.groupBy(values, (value) => value)].map(([value, all]) => [value, all.length]),
  )
}
