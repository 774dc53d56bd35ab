import { isJsonObject } from '../protocol/json.ts'

/**
 * What is wrong with the annotations of a resource or a content block (specification: Resources, Annotations), as a
 * clause; undefined if nothing is.
 */
export function annotationsDefect(annotations: unknown): string | undefined {
  if (annotations === undefined) return undefined
  if (!isJsonObject(annotations)) return 'annotations must be an object'
  const { audience, priority, lastModified } = annotations
  if (audience !== undefined && !(Array.isArray(audience) && audience.every(isRole))) {
    return 'annotations.audience must list "user" and "assistant" only'
  }
  if (priority !== undefined && !(typeof priority === 'number' && priority >= 0 && priority <= 1)) {
    return 'annotations.priority must be a number from 0 to 1'
  }
  if (
    lastModified !== undefined &&
    !(typeof lastModified === 'string' && !Number.isNaN(Date.parse(lastModified)))
  ) {
    return 'annotations.lastModified must be a date of ISO 8601'
  }
  return undefined
}

function isRole(role: unknown): boolean {
  return role === 'user' || role === 'assistant'
}
