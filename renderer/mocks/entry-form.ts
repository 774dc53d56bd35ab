import type { MockEntry } from '../../server-core/host/contract/mocks.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { answerForm, answerOf, blankAnswer, jsonObject, type AnswerForm } from './answer-form.ts'
import { mocksText } from './text.ts'

type Kind = MockEntry['kind']

export interface PromptArgument {
  readonly name: string
  readonly description: string
  readonly required: boolean
}

/** The hints of a tool that a client may read. */
export const HINTS = ['readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint'] as const
export type Hint = (typeof HINTS)[number]

/** A mock entry while it is drawn. */
export interface EntryForm {
  readonly kind: Kind
  readonly name: string
  /** The URI of a resource, the template of a resource template. */
  readonly address: string
  readonly title: string
  readonly description: string
  readonly mimeType: string
  readonly hints: readonly Hint[]
  readonly input: string
  readonly hasOutput: boolean
  readonly output: string
  readonly arguments: readonly PromptArgument[]
  readonly answer: AnswerForm
  /** Members that the form does not show. */
  readonly others: Readonly<Record<string, unknown>>
}

const EMPTY_OBJECT = JSON.stringify({ type: 'object', properties: {} }, undefined, 2)

export function blankEntry(kind: Kind): EntryForm {
  const answer = blankAnswer(kind)
  const none = { name: '', address: '', title: '', description: '', mimeType: '', hints: [], others: {} }
  return { kind, ...none, input: EMPTY_OBJECT, hasOutput: false, output: EMPTY_OBJECT, arguments: [], answer }
}

export function entryForm(entry: MockEntry): EntryForm {
  const blank = blankEntry(entry.kind)
  const shared = {
    ...blank,
    name: entry.name,
    title: entry.title ?? '',
    description: entry.description ?? '',
    answer: answerForm(entry.answer, blank.answer),
  }
  switch (entry.kind) {
    case 'tool': {
      const { annotations = {} } = entry
      const others = Object.fromEntries(
        Object.entries(annotations).filter(
          ([name, value]) => !HINTS.some((hint) => hint === name) || value !== true,
        ),
      )
      return {
        ...shared,
        input: text(entry.inputSchema) ?? blank.input,
        hasOutput: entry.outputSchema !== undefined,
        output: text(entry.outputSchema) ?? blank.output,
        hints: HINTS.filter((hint) => annotations[hint] === true),
        others,
      }
    }
    case 'resource':
      return {
        ...shared,
        address: entry.uri,
        mimeType: entry.mimeType ?? '',
        others: entry.annotations ?? {},
      }
    case 'template':
      return {
        ...shared,
        address: entry.uriTemplate,
        mimeType: entry.mimeType ?? '',
        others: entry.annotations ?? {},
      }
    case 'prompt':
      return {
        ...shared,
        arguments: (entry.arguments ?? []).map(({ name, description = '', required = false }) => ({
          name,
          description,
          required,
        })),
      }
  }
}

/** The entry that a form says, or what is still wrong with it. */
export function entryOf(form: EntryForm): Parsed<MockEntry> {
  const { kind, name, address, title, description, mimeType } = form
  const answer = answerOf(form.answer)
  if (name.trim() === '') return { ok: false, reason: mocksText.entryForm.nameMissing }
  if (!answer.ok) return answer
  const shared = {
    name: name.trim(),
    ...(title !== '' && { title }),
    ...(description !== '' && { description }),
    answer: answer.value,
  }
  const annotations = { ...form.others, ...Object.fromEntries(form.hints.map((hint) => [hint, true])) }
  const marked = Object.keys(annotations).length === 0 ? {} : { annotations }
  const typed = mimeType === '' ? {} : { mimeType }
  switch (kind) {
    case 'tool': {
      const inputSchema = jsonObject(form.input, mocksText.entryForm.inputSchema)
      if (!inputSchema.ok) return inputSchema
      const outputSchema = form.hasOutput
        ? jsonObject(form.output, mocksText.entryForm.outputSchema)
        : undefined
      if (outputSchema?.ok === false) return outputSchema
      const output = outputSchema === undefined ? {} : { outputSchema: outputSchema.value }
      return { ok: true, value: { kind, ...shared, ...marked, inputSchema: inputSchema.value, ...output } }
    }
    case 'resource':
      if (address.trim() === '') return { ok: false, reason: mocksText.entryForm.uriMissing }
      return { ok: true, value: { kind, uri: address.trim(), ...shared, ...typed, ...marked } }
    case 'template':
      if (address.trim() === '') return { ok: false, reason: mocksText.entryForm.uriTemplateMissing }
      return { ok: true, value: { kind, uriTemplate: address.trim(), ...shared, ...typed, ...marked } }
    case 'prompt': {
      if (form.arguments.some((each) => each.name.trim() === ''))
        return { ok: false, reason: mocksText.entryForm.argumentNameMissing }
      const named = form.arguments.map((each) => ({
        name: each.name.trim(),
        ...(each.description !== '' && { description: each.description }),
        ...(each.required && { required: true }),
      }))
      return { ok: true, value: { kind, ...shared, ...(named.length > 0 && { arguments: named }) } }
    }
  }
}

function text(schema: unknown): string | undefined {
  return schema === undefined ? undefined : JSON.stringify(schema, undefined, 2)
}
