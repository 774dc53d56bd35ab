import { OutputChecker } from '../../server-core/client/output-check.ts'
import { OutOfTimeError, withinTime } from '../../server-core/registry/within-time.ts'
import { Validators } from '../../server-core/server/schemas/validators.ts'
import type { Random } from '../random.ts'
import type { Attack } from './attack.ts'

/** Processor time of this thread that one check may take; what takes long runs in a Worker. */
const MOST_OWN_MS = 100
/** Milliseconds for the engine whose verdict is compared. */
const EXACT_MS = 20

const ATOMS = [
  'a',
  'b',
  '.',
  '\\w',
  '\\s',
  '[ab]',
  '[^b]',
  '\\d',
  'a|b',
  'a|a',
  'ab|a',
  '(?=a)',
  '(?=(?:a+)+$)',
  '(?!b)',
  '(?<=a)',
  '😀',
  '$',
] as const
const QUANTIFIERS = ['', '', '?', '*', '+', '+?', '{2}', '{1,20}', '{3,}'] as const
const PLACES = ['pattern', 'patternProperties', 'propertyNames'] as const

/** Servers and clients send schemas whose patterns take for ever, and texts to match. */
export const evilPatterns: Attack = {
  name: 'evil-patterns',
  rounds: { smoke: 30, full: 3_000 },
  run: async (random, rounds) => {
    const findings: string[] = []
    const outputs = new OutputChecker()
    let compared = 0
    let longest = 0
    for (let round = 0; round < rounds; round += 1) {
      const [source, text] = [patternOf(random, 3), textOf(random)]
      const place = random.pick(PLACES)
      const schema = schemaOf(place, source)
      const value = place === 'pattern' ? { s: text } : { [text]: 1 }
      const exact = exactly(source, text)
      const expected = exact === undefined ? undefined : place === 'patternProperties' ? !exact : exact
      const report = (by: string, verdict: boolean | undefined, since: number): void => {
        const took = ownMs() - since
        longest = Math.max(longest, took)
        const what = `${by}: ${JSON.stringify(schema)} and ${JSON.stringify(text)}`
        if (took > MOST_OWN_MS) findings.push(`${what} took ${Math.round(took)} ms of this thread`)
        if (expected === undefined || verdict === undefined) return
        compared += 1
        if (verdict !== expected) findings.push(`${what}: ${String(verdict)}, expected ${String(expected)}`)
      }

      const check = await new Validators().check(schema, 'a tool')
      const served = ownMs()
      const problem = await check(value)
      report(
        'arguments',
        problem?.includes('longer than') === true ? undefined : problem === undefined,
        served,
      )

      const received = ownMs()
      const output = await outputs.check(schema, { content: [], structuredContent: value })
      report('result', output.state === 'not-checked' ? undefined : output.state === 'matches', received)
    }
    const what = `${rounds} patterns, ${compared} verdicts compared, at most ${longest.toFixed(0)} ms of the host's thread`
    return { what, findings }
  },
}

function schemaOf(place: (typeof PLACES)[number], source: string): Record<string, unknown> {
  if (place === 'pattern') return { type: 'object', properties: { s: { type: 'string', pattern: source } } }
  if (place === 'propertyNames') return { type: 'object', propertyNames: { pattern: source } }
  return { type: 'object', patternProperties: { [source]: false } }
}

function patternOf(random: Random, depth: number): string {
  const parts = Array.from({ length: 1 + random.below(3) }, () => {
    const isGroup = depth > 0 && random.probability(0.6)
    const atom = isGroup ? patternOf(random, depth - 1) : random.pick(ATOMS)
    return `${random.pick(['(', '(?:'])}${atom})${random.pick(QUANTIFIERS)}`
  })
  const ends = depth === 3 && random.probability(0.7)
  return ends ? `^${parts.join('')}$` : parts.join('')
}

function textOf(random: Random): string {
  const letters = random.pick(['a', 'ab', 'a b', 'aA1', 'b', '😀a'])
  return `${letters.repeat(random.below(random.probability(0.2) ? 5_000 : 60))}${random.pick(['', '!', '\n', '1'])}`
}

/** Processor time that this thread has used, in milliseconds. */
function ownMs(): number {
  const { user, system } = process.threadCpuUsage()
  return (user + system) / 1_000
}

/** The verdict of JavaScript's own engine; undefined if it takes too long. */
function exactly(source: string, text: string): boolean | undefined {
  try {
    return withinTime(EXACT_MS, () => new RegExp(source, 'u').test(text))
  } catch (error) {
    if (error instanceof OutOfTimeError) return undefined
    throw error
  }
}
