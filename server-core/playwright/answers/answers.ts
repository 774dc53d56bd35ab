import { pathToFileURL } from 'node:url'
import type { QuestionContext, Responders } from '../../client/responders.ts'
import { ProtocolError } from '../../protocol/errors.ts'
import type { JsonObject } from '../../protocol/json.ts'
import { TestSetupError } from '../test-error.ts'
import { framesText } from '../timeline/frame-text.ts'
import type { Timeline } from '../timeline/timeline.ts'
import { questionText, type QuestionKind } from '../timeline/questions.ts'
import {
  ExpectedElicitation,
  type ExpectedQuestion,
  ExpectedSampling,
  type Question,
} from './expected-question.ts'

/** What the specification says for a user who rejects a request (client features: sampling). */
const REJECTED = -1

/**
 * Answers what servers ask in a test. A question that no expectation takes fails the test by name, and so does an
 * expectation whose question never came. Roots that nobody set are an empty list.
 *
 * @example
 * ```ts
 * import { expect, test } from 'patchbay/test'
 *
 * test.use({ server: { command: 'node', args: ['server.js'] } })
 *
 * test('asks for the unit', async ({ mcp, answers }) => {
 *   answers.elicitation(/Which unit/).accept({ unit: 'C' })
 *   const result = await mcp.callTool('forecast', { city: 'Oslo' })
 *   expect(result.text).toBe('Oslo: 7 °C')
 * })
 * ```
 */
export class Answers {
  readonly #expected: ExpectedQuestion[] = []
  readonly #unexpected: string[] = []
  readonly #timeline: Timeline
  #roots: JsonObject = { roots: [] }

  constructor(timeline: Timeline) {
    this.#timeline = timeline
  }

  /** Expects a form or a visit to a URL whose message matches; say how to answer it. */
  elicitation(pattern?: RegExp | string): ExpectedElicitation {
    return this.#add(new ExpectedElicitation('elicitation', pattern))
  }

  /** Expects a sampling request whose messages match; say how to answer it. */
  sampling(pattern?: RegExp | string): ExpectedSampling {
    return this.#add(new ExpectedSampling('sampling', pattern))
  }

  /** Sets the roots: folders, or `file:` URIs with names. */
  roots(roots: readonly (string | { readonly uri: string; readonly name?: string })[]): void {
    this.#roots = { roots: roots.map((root) => (typeof root === 'string' ? { uri: uriOf(root) } : root)) }
  }

  /** What the test did not expect, and what it expected in vain, in words. */
  get problems(): readonly string[] {
    const missing = this.#expected.filter(({ isMissing }) => isMissing)
    return [
      ...this.#unexpected.map(
        (question) => `The server asked, and the test expected no such question: ${question}`,
      ),
      ...missing.map(
        (expected) => `The test expected a question that the server did not ask: ${String(expected)}`,
      ),
    ]
  }

  /** Throws a `TestSetupError` that names the problems, if there are any. */
  verify(): void {
    if (this.problems.length > 0)
      throw new TestSetupError('question', [...this.problems, framesText(this.#timeline.frames)].join('\n'))
  }

  /** What connections answer with. */
  responders(): Responders {
    const ask = (kind: QuestionKind) => (params: JsonObject, context: QuestionContext) =>
      this.#answer({ kind, params, text: questionText({ kind, params }) }, context)
    return {
      elicitation: { form: ask('elicitation'), url: ask('elicitation') },
      sampling: { answer: ask('sampling'), tools: true, context: true },
      roots: () => Promise.resolve(this.#roots),
    }
  }

  #add<Expected extends ExpectedQuestion>(expected: Expected): Expected {
    this.#expected.push(expected)
    return expected
  }

  async #answer(question: Question, { method }: QuestionContext): Promise<JsonObject> {
    const expected = this.#expected.find((one) => one.matches(question))
    if (expected !== undefined) return expected.take(question)
    const text = `${method} ${JSON.stringify(question.text)}${fieldsText(question.params)}`
    this.#unexpected.push(text)
    throw new ProtocolError(REJECTED, `the test expected no such question: ${text}`)
  }
}

/** The fields of a form, so that the expectation can be written from the message. */
function fieldsText({ requestedSchema }: JsonObject): string {
  if (typeof requestedSchema !== 'object' || requestedSchema === null) return ''
  const properties: unknown = (requestedSchema as JsonObject)['properties']
  if (typeof properties !== 'object' || properties === null) return ''
  return `, fields ${Object.keys(properties).join(', ')}`
}

function uriOf(root: string): string {
  return /^file:/i.test(root) ? root : pathToFileURL(root).href
}
