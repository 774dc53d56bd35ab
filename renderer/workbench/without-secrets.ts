import { namesSecret } from '../../server-core/protocol/secret-names.ts'
import type { ArgumentsState } from './form/arguments-state.ts'
import type { Body, Draft, JsonBody } from './form/draft.ts'

/** Arguments without the values whose names name a secret, as they may be stored on the disk. */
export function withoutSecrets({ draft, typed, setAside, ...rest }: ArgumentsState): ArgumentsState {
  return {
    ...rest,
    draft: strippedDraft(draft),
    ...(typed !== undefined && { typed: textWithoutSecrets(typed) }),
    ...(setAside !== undefined && { setAside: textWithoutSecrets(setAside) }),
  }
}

function strippedDraft({ presence, body, misfit }: Draft): Draft {
  return {
    presence,
    body: strippedBody(body),
    ...(misfit !== undefined && { misfit: strippedJson(misfit) }),
  }
}

function strippedBody(body: Body): Body {
  switch (body.type) {
    case 'object': {
      const member = (name: string | undefined, draft: Draft): Draft =>
        name !== undefined && namesSecret(name) ? emptied(draft) : strippedDraft(draft)
      return {
        type: 'object',
        members: new Map(Array.from(body.members, ([name, draft]) => [name, member(name, draft)])),
        pairs: body.pairs.map(({ id, key, draft }) => ({ id, key, draft: member(key, draft) })),
      }
    }
    case 'list':
      return { type: 'list', items: body.items.map(({ id, draft }) => ({ id, draft: strippedDraft(draft) })) }
    case 'variant': {
      const drafts = Array.from(body.drafts, ([place, draft]) => [place, strippedDraft(draft)] as const)
      return { ...body, drafts: new Map(drafts) }
    }
    case 'json':
      return strippedJson(body)
    case 'text':
    case 'number':
    case 'boolean':
    case 'option':
    case 'fixed':
    case 'choices':
      return body
  }
}

function strippedJson(body: JsonBody): JsonBody {
  const text = textWithoutSecrets(body.text)
  // The value it had last may have the same secret.
  return text === body.text && body.kept === undefined ? body : keptOf(body, text)
}

function keptOf(body: JsonBody, text: string): JsonBody {
  const kept = body.kept === undefined ? undefined : JSON.stringify(body.kept.value)
  const isClean = kept === undefined || textWithoutSecrets(kept) === kept
  return isClean ? { ...body, text } : { type: 'json', text }
}

/** A draft with nothing typed in it. */
function emptied({ presence, body }: Draft): Draft {
  return { presence, body: emptiedBody(body) }
}

function emptiedBody(body: Body): Body {
  switch (body.type) {
    case 'text':
    case 'number':
    case 'json':
      return { type: body.type, text: '' }
    case 'object':
      return {
        type: 'object',
        members: new Map(Array.from(body.members, ([name, draft]) => [name, emptied(draft)])),
        pairs: [],
      }
    case 'list':
      return { type: 'list', items: [] }
    case 'variant': {
      const drafts = Array.from(body.drafts, ([place, draft]) => [place, emptied(draft)] as const)
      return { ...body, drafts: new Map(drafts) }
    }
    case 'boolean':
    case 'option':
    case 'fixed':
    case 'choices':
      return body
  }
}

/** Characters of a name, at most, that are looked at. */
const NAME_LENGTH = 200

/**
 * JSON text, finished or not, without the values whose names name a secret: texts become empty, groups too. Takes time in
 * proportion to the text, which may be of any length, and finds names behind a quote that is missing or too many.
 */
export function textWithoutSecrets(text: string): string {
  let result = ''
  let from = 0
  for (let colon = text.indexOf(':'); colon !== -1; colon = text.indexOf(':', Math.max(colon + 1, from))) {
    if (!namesSecret(nameBefore(text, colon))) continue
    const begin = skipSpace(text, colon + 1)
    const end = endOfValue(text, begin)
    if (end === begin) continue
    result += text.slice(from, begin) + emptyOf(text, begin)
    from = end
  }
  return result + text.slice(from)
}

/** The name in quotes before a colon; empty if there is none. In a text that is JSON itself the quotes are escaped. */
function nameBefore(text: string, colon: number): string {
  let end = colon
  while (end > colon - NAME_LENGTH && isSpace(text[end - 1])) end -= 1
  if (text[end - 1] !== '"') return ''
  for (let at = end - 2; at >= Math.max(0, end - NAME_LENGTH); at -= 1)
    if (text[at] === '"') return unescaped(text.slice(at + 1, end - 1).replace(/\\$/, ''))
  return ''
}

function unescaped(name: string): string {
  if (!name.includes('\\')) return name
  try {
    return String(JSON.parse(`"${name}"`))
  } catch {
    // An escape that is not finished names nothing else.
    return name
  }
}

function isSpace(character: string | undefined): boolean {
  return character === ' ' || character === '\n' || character === '\t' || character === '\r'
}

function skipSpace(text: string, begin: number): number {
  let at = begin
  while (isSpace(text[at])) at += 1
  return at
}

function emptyOf(text: string, begin: number): string {
  switch (text[begin]) {
    case '{':
      return '{}'
    case '[':
      return '[]'
    case '\\':
      return String.raw`\"\"`
    default:
      return '""'
  }
}

/** Where the text, number or group ends that begins there; its begin if something else begins there. */
function endOfValue(text: string, begin: number): number {
  const first = text[begin] ?? ''
  if (first === '"') return endOfString(text, begin)
  if (text.startsWith('\\"', begin)) {
    const end = text.indexOf('\\"', begin + 2)
    return end === -1 ? text.length : end + 2
  }
  if (/[\d-]/.test(first)) {
    let at = begin
    while (/[\d.eE+-]/.test(text[at] ?? '')) at += 1
    return at
  }
  if (first !== '{' && first !== '[') return begin
  let depth = 0
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') at = endOfString(text, at) - 1
    else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') depth -= 1
    if (depth === 0) return at + 1
  }
  return text.length
}

/** Where a text in quotes ends: behind its last quote, or at the end of a line, which no text in JSON goes beyond. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at + 1
    else if (text[at] === '\n') return at
  }
  return text.length
}
