import { isJsonObject } from './json.ts'

/** Where the entries of our own servers have their tags in `_meta`, beside the member `tags`. */
export const TAGS_KEY = 'patchbay/tags'

/**
 * The tags of a listed tool, resource, template or prompt. The specification has none: servers put them into a member
 * `tags`, which it allows like any other, or into `_meta`.
 */
export function tagsOf(listed: unknown): readonly string[] {
  if (!isJsonObject(listed)) return []
  const { tags, _meta: meta } = listed
  const own = textsOf(tags)
  return own.length > 0 || !isJsonObject(meta) ? own : textsOf(meta[TAGS_KEY])
}

function textsOf(list: unknown): readonly string[] {
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  return items.filter((item) => typeof item === 'string').filter((item) => item !== '')
}
