import { mayOpen } from '../../network/guarded-opener.ts'
import { stringifyExact } from '../../protocol/exact-json.ts'
import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { declined } from '../../responders/question-broker.ts'
import type { Question } from '../../responders/question.ts'
import { plural } from '../../protocol/plural.ts'
import { rootsOf } from './responder-flags.ts'
import { askForm } from './ask-form.ts'
import { choose, type Person } from './person.ts'

/** How a page is opened in the user's browser. */
export type OpenUrl = (href: string) => Promise<void>

/**
 * Puts a question to a person and gives the bare result. `proposal` is an answer that a rule has ready, to be looked
 * at. Throws a `ProtocolError` for a no to which there is no result, and the reason of the signal.
 */
export async function askPerson(
  person: Person,
  question: Question,
  proposal: JsonObject | undefined,
  openUrl: OpenUrl,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { kind, params, server } = question
  person.print(`\n${server.name} ${ASKS[kind]}`)
  for (const line of linesOf(question)) person.print(`  ${line}`)
  if (proposal !== undefined) {
    person.print(`A rule answers:\n${stringifyExact(proposal, 2)}`)
    const answer = await choose(person, 'Send it?', ['yes', 'no'], signal)
    return answer === 'yes' ? proposal : declined(question, 'decline')
  }
  switch (kind) {
    case 'elicitation-form': {
      const answer = await choose(person, 'Answer it?', ['yes', 'no', 'cancel'], signal)
      if (answer !== 'yes') return declined(question, answer === 'no' ? 'decline' : 'cancel')
      const content = await askForm(person, params, signal)
      const sent = await choose(person, '\nSend it?', ['yes', 'no', 'cancel'], signal)
      if (sent === 'yes') return { action: 'accept', content }
      return declined(question, sent === 'no' ? 'decline' : 'cancel')
    }
    case 'elicitation-url':
      return askVisit(person, question, openUrl, signal)
    case 'sampling':
      return askMessage(person, question, signal)
    case 'roots': {
      const typed = await person.line('Folders to share, with commas; an empty line shares none: ', signal)
      const folders = typed.split(',').map((each) => each.trim())
      return rootsOf(folders.filter((folder) => folder !== ''))
    }
  }
}

const ASKS: Readonly<Record<Question['kind'], string>> = {
  sampling: 'asks for the answer of a language model:',
  'elicitation-form': 'asks you something:',
  'elicitation-url': 'asks you to open a page:',
  roots: 'asks which folders it is to work in.',
}

function linesOf({ kind, params }: Question): readonly string[] {
  if (kind !== 'sampling') return typeof params['message'] === 'string' ? [params['message']] : []
  const { systemPrompt, messages, tools, maxTokens } = params
  const said: readonly unknown[] = Array.isArray(messages) ? messages : []
  return [
    ...(typeof systemPrompt === 'string' ? [`system: ${systemPrompt}`] : []),
    ...said.filter(isJsonObject).map(({ role, content }) => `${String(role)}: ${textOf(content)}`),
    ...(Array.isArray(tools)
      ? [`It offers ${plural(tools.length, 'tool')}; an answer typed here uses none.`]
      : []),
    ...(typeof maxTokens === 'number' ? [`At most ${maxTokens} tokens.`] : []),
  ]
}

function textOf(content: unknown): string {
  const blocks: readonly unknown[] = Array.isArray(content) ? content : [content]
  return blocks
    .map((block) => {
      if (!isJsonObject(block)) return String(block)
      return typeof block['text'] === 'string' ? block['text'] : `[${String(block['type'])}]`
    })
    .join('\n')
}

async function askVisit(
  person: Person,
  question: Question,
  openUrl: OpenUrl,
  signal: AbortSignal,
): Promise<JsonObject> {
  const { url } = question.params
  const opening = mayOpen(String(url))
  if (!opening.ok) {
    person.print(`  ${String(url)}\nThat is not opened: ${opening.why} It was declined.`)
    return declined(question, 'decline')
  }
  person.print(`  ${opening.href}\n  (at ${opening.host})`)
  const answer = await choose(person, 'Open it in your browser?', ['no', 'yes', 'cancel'], signal)
  if (answer !== 'yes') return declined(question, answer === 'no' ? 'decline' : 'cancel')
  await openUrl(opening.href).catch(() => person.print('No browser opens by itself: open the page yourself.'))
  return { action: 'accept' }
}

async function askMessage(person: Person, question: Question, signal: AbortSignal): Promise<JsonObject> {
  person.print('Type the answer, and an empty line to end it; nothing at all declines.')
  const lines: string[] = []
  for (let line = await person.line('> ', signal); line !== ''; line = await person.line('> ', signal))
    lines.push(line)
  if (lines.length === 0) return declined(question, 'decline')
  return {
    role: 'assistant',
    model: 'person',
    content: { type: 'text', text: lines.join('\n') },
    stopReason: 'endTurn',
  }
}
