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

const NAME = /"([^"\\]*(?:\\.[^"\\]*)*)"\s*:\s*/g

/** JSON text, finished or not, without the values whose names name a secret: texts become empty, groups too. */
export function textWithoutSecrets(text: string): string {
  let result = ''
  let from = 0
  NAME.lastIndex = 0
  for (let match = NAME.exec(text); match !== null; match = NAME.exec(text)) {
    if (!namesSecret(unescaped(match[1] ?? ''))) continue
    const begin = NAME.lastIndex
    const end = endOfValue(text, begin)
    result += text.slice(from, begin) + emptyOf(text.slice(begin, end))
    from = end
    NAME.lastIndex = end
  }
  return result + text.slice(from)
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

function emptyOf(value: string): string {
  switch (value[0]) {
    case '"':
      return '""'
    case '{':
      return '{}'
    case '[':
      return '[]'
    default:
      return /^[\d-]/.test(value) ? '""' : value
  }
}

/** Where the value ends that begins there, or the text if the value is not finished. */
function endOfValue(text: string, begin: number): number {
  let depth = 0
  for (let at = begin; at < text.length; at += 1) {
    const character = text[at] ?? ''
    if (character === '"') {
      at = endOfString(text, at)
      if (depth === 0) return at + 1
    } else if (character === '{' || character === '[') depth += 1
    else if (character === '}' || character === ']') {
      depth -= 1
      if (depth < 0) return at
      if (depth === 0) return at + 1
    } else if (depth === 0 && /[\s,]/.test(character)) return at
  }
  return text.length
}

/** The place of the quote that ends a string, or the last one of the text. */
function endOfString(text: string, begin: number): number {
  for (let at = begin + 1; at < text.length; at += 1) {
    if (text[at] === '\\') at += 1
    else if (text[at] === '"') return at
  }
  return text.length - 1
}
