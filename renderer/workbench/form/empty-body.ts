import type { Body } from './draft.ts'
import type { FieldSpec } from './field-spec.ts'

/** A body with nothing typed in it. */
export function emptyBody(spec: FieldSpec): Body {
  switch (spec.shape.type) {
    case 'string':
      return { type: 'text', text: '' }
    case 'number':
      return { type: 'number', text: '' }
    case 'boolean':
      return { type: 'boolean', value: false }
    case 'const':
      return { type: 'fixed' }
    case 'enum':
      return { type: 'option', index: undefined }
    case 'choices':
      return { type: 'choices', chosen: [] }
    case 'object':
      return { type: 'object', members: new Map(), pairs: [] }
    case 'array':
    case 'tuple':
      return { type: 'list', items: [] }
    case 'variants':
      return { type: 'variant', chosen: 0, drafts: new Map() }
    case 'json':
      return { type: 'json', text: '' }
  }
}
