import type { Parsed } from '../../protocol/parsed.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { samplingFaults } from '../../protocol/sampling-rules.ts'
import { QuestionError, type Ask, type AskOptions, type Asking } from '../answers.ts'
import { textBlock } from '../content.ts'
import { checkValue, wireSchema, type OutputOf, type SchemaInput } from '../schema.ts'

/** One message of a conversation with a model (specification: Sampling). */
export type SamplingMessage = {
  readonly role: 'user' | 'assistant'
  readonly content: JsonObject | readonly JsonObject[]
}

/** What a model may be asked: one user message, or a whole conversation. */
export type SampleInput = string | readonly SamplingMessage[]

/** Options of `sample`, as the specification names them (Sampling, CreateMessageRequest). */
export type SampleOptions = AskOptions & {
  /** 1,000 if not given. */
  readonly maxTokens?: number
  readonly systemPrompt?: string
  readonly temperature?: number
  readonly stopSequences?: readonly string[]
  readonly modelPreferences?: JsonObject
  readonly includeContext?: 'none' | 'thisServer' | 'allServers'
  /** Tools that the model may ask for (2025-11-25 and later); its answer then holds `tool_use` blocks. */
  readonly tools?: readonly JsonObject[]
  readonly toolChoice?: JsonObject
  readonly metadata?: JsonObject
}

/** With `result` the model is asked for JSON that fits that zod or JSON Schema. */
type TypedSampleOptions<S extends SchemaInput> = SampleOptions & { readonly result: S }

export type SampleResult = {
  readonly role: string
  readonly content: JsonObject | readonly JsonObject[]
  readonly model: string
  readonly stopReason?: string
  /** All text blocks of the content, joined. */
  readonly text: string
}

/** With `result` the sample's `value` is the result of the model's JSON, checked. */
export type Sample = {
  <S extends SchemaInput>(
    input: SampleInput,
    options: TypedSampleOptions<S>,
  ): Promise<SampleResult & { readonly value: OutputOf<S> }>
  (input: SampleInput, options?: SampleOptions): Promise<SampleResult>
}

export const SAMPLING_MEMBERS = {
  /**
   * Asks the client's model (specification: Sampling, deprecated in 2026-07-28). With `result`, a zod or JSON Schema,
   * the model is asked for JSON, and `value` is the result, checked.
   */
  sample: createSample,
}

const DEFAULT_MAX_TOKENS = 1_000
/** Each round costs the user an approval and a run of the model. */
const TYPED_ROUNDS = 3

function createSample({ ask }: { readonly ask: Ask }): Sample {
  return <S extends SchemaInput>(input: SampleInput, options?: SampleOptions | TypedSampleOptions<S>) => {
    const asking =
      options !== undefined && 'result' in options
        ? typedSamplingQuestion(input, options)
        : samplingQuestion(input, options ?? {})
    // Which of the two it is, the caller's overload says.
    return ask<SampleResult>(asking) as Promise<SampleResult & { readonly value: OutputOf<S> }>
  }
}

/** The question for an answer of the client's model. */
function samplingQuestion(input: SampleInput, options: SampleOptions): Asking<SampleResult> {
  const { key, maxTokens = DEFAULT_MAX_TOKENS, ...rest } = options
  return {
    key,
    method: 'sampling/createMessage',
    params: () => ({ messages: messagesOf(input), maxTokens: checked(maxTokens), ...rest }),
    read: readSample,
  }
}

/**
 * The question for an answer in JSON. The schema goes to the model in the system prompt; text around one fenced block
 * is passed over. What does not fit is asked for again, saying why, three times in all.
 */
function typedSamplingQuestion<S extends SchemaInput>(
  input: SampleInput,
  { result, ...options }: TypedSampleOptions<S>,
): Asking<SampleResult & { readonly value: unknown }> {
  const { key, maxTokens = DEFAULT_MAX_TOKENS, systemPrompt, ...rest } = options
  let last: SampleResult | undefined
  return {
    key,
    method: 'sampling/createMessage',
    rounds: TYPED_ROUNDS,
    params: (problem) => ({
      messages: [...messagesOf(input), ...(problem === undefined ? [] : correction(last, problem))],
      maxTokens: checked(maxTokens),
      ...rest,
      systemPrompt: [systemPrompt, instruction(result)].filter((part) => part !== undefined).join('\n\n'),
    }),
    read: async (answer) => {
      const sample = readSample(answer)
      if (!sample.ok) return sample
      last = sample.value
      const json = parseJson(sample.value.text)
      if (!json.ok) return json
      const reading = await checkValue(result, json.value)
      return reading.ok ? { ok: true, value: { ...sample.value, value: reading.value } } : reading
    },
  }
}

function messagesOf(input: SampleInput): readonly SamplingMessage[] {
  if (typeof input === 'string') return [{ role: 'user', content: textBlock(input) }]
  if (input.length === 0) {
    throw new QuestionError('A model needs at least one message to answer; the list of messages is empty.')
  }
  const [fault] = samplingFaults(input)
  if (fault !== undefined) {
    throw new QuestionError(`The messages cannot be sent (${fault.path.join('.')}): ${fault.message}.`)
  }
  return input
}

function checked(maxTokens: number): number {
  if (Number.isSafeInteger(maxTokens) && maxTokens > 0) return maxTokens
  throw new QuestionError(`maxTokens is ${maxTokens}; expected a whole number above zero.`)
}

function instruction(schema: SchemaInput): string {
  const wire = JSON.stringify(wireSchema(schema, 'input', 'the result of the model'))
  return `Answer with one JSON value and nothing else. It must fit this JSON Schema: ${wire}`
}

/** What the model said, and why it will not do; both as text, which every revision carries. */
function correction(last: SampleResult | undefined, problem: string): readonly SamplingMessage[] {
  const said = last?.text ?? ''
  return [
    ...(said === '' ? [] : [{ role: 'assistant' as const, content: textBlock(said) }]),
    { role: 'user', content: textBlock(`That answer could not be used: ${problem}. Answer again.`) },
  ]
}

function readSample(answer: JsonObject): Parsed<SampleResult> {
  const { role, content, model, stopReason } = answer
  const blocks = Array.isArray(content) ? content : [content]
  if (typeof role !== 'string' || typeof model !== 'string' || !blocks.every(isJsonObject)) {
    return { ok: false, reason: 'a sampling result needs "role", "content" and "model"' }
  }
  const text = blocks.flatMap((block) => (typeof block['text'] === 'string' ? [block['text']] : [])).join('')
  const value: SampleResult = {
    role,
    content: Array.isArray(content) ? blocks : (blocks[0] ?? {}),
    model,
    ...(typeof stopReason === 'string' ? { stopReason } : {}),
    text,
  }
  return { ok: true, value }
}

/** Models like to put JSON into a fenced block. */
function parseJson(text: string): Parsed<unknown> {
  for (const candidate of [text, fenced(text)]) {
    if (candidate === undefined) continue
    try {
      return { ok: true, value: JSON.parse(candidate) as unknown }
    } catch {
      // The next form, if there is one.
    }
  }
  return { ok: false, reason: 'it is not JSON' }
}

function fenced(text: string): string | undefined {
  const open = text.indexOf('```')
  const line = open === -1 ? -1 : text.indexOf('\n', open)
  const close = line === -1 ? -1 : text.indexOf('```', line)
  return close === -1 ? undefined : text.slice(line + 1, close)
}
