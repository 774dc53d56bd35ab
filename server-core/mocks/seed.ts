import type { ToolEntry, ToolOutcome } from '../registry/entries.ts'
import type { Answer } from './mock-entry.ts'
import { sampleOf } from './schema-sample.ts'

type SeededAnswer = {
  readonly answer: Answer
  readonly seededFrom: 'last-result' | 'output-schema' | 'nothing'
}

/** The result with which an override of a tool begins: its last real result, else one to its output schema. */
export function seedFor(tool: ToolEntry | undefined, last: ToolOutcome | undefined): SeededAnswer {
  if (last !== undefined)
    return { answer: { kind: 'fixed', result: resultOf(last) }, seededFrom: 'last-result' }
  const schema = tool?.outputSchema
  if (schema !== undefined) {
    return { answer: { kind: 'fixed', result: structured(sampleOf(schema)) }, seededFrom: 'output-schema' }
  }
  return {
    answer: { kind: 'fixed', result: { content: [{ type: 'text', text: '' }] } },
    seededFrom: 'nothing',
  }
}

/** The bare result of an outcome, as it goes on the wire. */
function resultOf({
  content,
  structured: value,
  isError,
  meta,
  others,
}: ToolOutcome): Record<string, unknown> {
  return {
    ...others,
    content,
    ...(value !== undefined && { structuredContent: value }),
    ...(isError === true && { isError }),
    ...(meta !== undefined && { _meta: meta }),
  }
}

function structured(value: unknown): Record<string, unknown> {
  return { content: [{ type: 'text', text: JSON.stringify(value) }], structuredContent: value }
}
