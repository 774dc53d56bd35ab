import type { z } from 'patchbay'
import { calibrationByCategory, calibrationOf, type Calibration, type Tendency } from './calibration.ts'
import { titleOf, type Category, type Decision } from './decision.ts'
import type * as inputs from './inputs.ts'
import type { Journal } from './journal.ts'
import { confirmedPatterns, contradictions } from './lessons.ts'
import { readyActions } from './ready.ts'

const CONTRADICTIONS = 5

/** All that an agent should know of its decisions when it begins; sections that were not asked for are missing. */
export async function sessionContext(journal: Journal, asked: z.infer<typeof inputs.sessionContext>) {
  const { task_description: task, include, decisions_limit: limit, ready_limit: readyLimit } = asked
  const stored = await journal.files.all()
  const decisions = stored.map(({ decision }) => decision)
  const has = (section: (typeof inputs.SECTIONS)[number]) => include.includes(section)
  const problems = await journal.files.problems()
  return {
    ...(task === undefined ? {} : { task }),
    profile: profileOf(decisions),
    ...(has('decisions') ? { decisions: await relevant(journal, decisions, task, limit) } : {}),
    ...(has('guardrails')
      ? {
          guardrails: (await journal.guardrails()).map(({ id, description, action, message, scope }) => ({
            id,
            description,
            action,
            message,
            ...(scope === undefined ? {} : { scope }),
          })),
        }
      : {}),
    ...(has('calibration') ? { calibration: calibrationByCategory(decisions) } : {}),
    ...(has('ready') ? { ready: readyActions(decisions, journal.now()).slice(0, readyLimit) } : {}),
    ...(has('patterns') ? { patterns: confirmedPatterns(decisions) } : {}),
    ...(has('contradictions')
      ? { contradictions: contradictions(stored, await journal.search(), CONTRADICTIONS) }
      : {}),
    ...(problems.length === 0 ? {} : { unreadable_files: problems }),
  }
}

export type SessionContext = Awaited<ReturnType<typeof sessionContext>>

/** What fits the task, or the newest decisions without a task. */
async function relevant(
  journal: Journal,
  decisions: readonly Decision[],
  task: string | undefined,
  limit: number,
) {
  if (task !== undefined) return journal.find({ text: task, limit })
  return decisions.slice(-limit).reverse().map(summaryOf)
}

function summaryOf(decision: Decision) {
  const { id, category, stakes, confidence, date, status, outcome } = decision
  const title = titleOf(decision)
  return {
    id,
    title,
    category,
    stakes,
    confidence,
    date,
    status,
    ...(outcome === undefined ? {} : { outcome }),
  }
}

/** How this agent decides as a whole. */
function profileOf(decisions: readonly Decision[]) {
  const scored = Object.entries(calibrationByCategory(decisions))
    .flatMap(([category, { accuracy }]) =>
      accuracy === null ? [] : [{ category: category as Category, accuracy }],
    )
    .sort((a, b) => b.accuracy - a.accuracy)
  const { total, reviewed, accuracy, brier_score: brier, tendency } = calibrationOf(decisions)
  return {
    total_decisions: total,
    reviewed,
    accuracy,
    brier_score: brier,
    tendency,
    strongest_category: scored[0]?.category ?? null,
    weakest_category: scored.length > 1 ? (scored.at(-1)?.category ?? null) : null,
  }
}

/** The same as Markdown, to be put into a system prompt. */
export function asMarkdown(context: SessionContext): string {
  const {
    task,
    profile,
    decisions,
    guardrails,
    calibration,
    ready,
    patterns,
    contradictions: pairs,
  } = context
  const sections = [
    ['# Decision context', ...(task === undefined ? [] : [`Task: ${oneLine(task)}`])],
    ['## Profile', ...profileLines(profile)],
    decisions && [
      task === undefined ? '## Newest decisions' : '## Relevant decisions',
      ...orNone(
        decisions.map(
          ({ id, title, category, stakes, confidence, outcome }) =>
            `- \`${id}\` ${oneLine(title)} (${category}, ${stakes} stakes, confidence ${confidence}, ${outcome ?? 'pending'})`,
        ),
      ),
    ],
    guardrails && [
      '## Guardrails',
      ...orNone(
        guardrails.map(({ id, action, message }) => `- **${action}** ${oneLine(message)} (\`${id}\`)`),
      ),
    ],
    calibration && [
      '## Calibration',
      ...orNone(
        Object.entries(calibration).map(([category, one]) => `- ${category}: ${calibrationText(one)}`),
      ),
    ],
    ready && [
      '## To do',
      ...orNone(
        ready.map(({ priority, title, reason, decision_id: id }) => {
          const which = id === undefined ? '' : ` \`${id}\``
          return `- **${priority}**${which} ${oneLine(title)}: ${reason}`
        }),
      ),
    ],
    patterns && [
      '## Confirmed patterns',
      ...orNone(
        patterns.map(
          ({ pattern, successes, reviewed }) =>
            `- ${oneLine(pattern)} (${successes} of ${reviewed} came true)`,
        ),
      ),
    ],
    pairs && [
      '## Contradictions',
      ...orNone(
        pairs.map(({ succeeded, failed }) => {
          const lessons = failed.lessons === undefined ? '' : ` Lesson: ${oneLine(failed.lessons)}`
          return `- \`${succeeded.id}\` ${oneLine(succeeded.title)} succeeded, \`${failed.id}\` ${oneLine(failed.title)} failed.${lessons}`
        }),
      ),
    ],
    context.unreadable_files && [
      '## Files that cannot be read',
      ...context.unreadable_files.map(({ file, problem }) => `- ${file}: ${oneLine(problem)}`),
    ],
  ]
  return `${sections
    .filter((section) => section !== undefined)
    .map(asBlock)
    .join('\n\n')}\n`
}

function asBlock([heading = '', ...lines]: readonly string[]): string {
  return [heading, '', ...lines].join('\n').trimEnd()
}

function profileLines(profile: SessionContext['profile']): readonly string[] {
  const { total_decisions: total, reviewed, strongest_category: best, weakest_category: worst } = profile
  const { accuracy, brier_score: brier, tendency } = profile
  return [
    `- ${total} decisions, ${reviewed} reviewed`,
    `- Accuracy ${percent(accuracy)}, Brier score ${brier ?? 'not known yet'}${inWords(tendency)}`,
    ...(best === null ? [] : [`- Strongest: ${best}${worst === null ? '' : `; weakest: ${worst}`}`]),
  ]
}

function calibrationText({ accuracy, brier_score: brier, tendency, reviewed, total }: Calibration): string {
  const counted = `${reviewed} of ${total} reviewed`
  if (accuracy === null) return counted
  return `accuracy ${percent(accuracy)}, Brier score ${brier ?? '–'}${inWords(tendency)} (${counted})`
}

/** Nothing where too little is known. */
function inWords(tendency: Tendency): string {
  return tendency === 'unknown' ? '' : `, ${tendency.replaceAll('_', ' ')}`
}

function percent(share: number | null): string {
  return share === null ? 'not known yet' : `${Math.round(share * 100)} %`
}

function orNone(lines: readonly string[]): readonly string[] {
  return lines.length === 0 ? ['None.'] : lines
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ').trim()
}
