import { embedded, notification } from './messages.ts'
import { ASKING_META, AUGMENTED } from './sampling.ts'
import {
  ANY,
  between,
  BOOLEAN,
  choice,
  INTEGER,
  list,
  map,
  may,
  named,
  need,
  NUMBER,
  object,
  only,
  OPEN,
  since,
  TEXT,
  union,
  until,
  URI,
  type Definitions,
  type Fields,
} from '../shape.ts'

const FORMS = since('2025-06-18')
const URLS = since('2025-11-25')
const LEGACY = until('2025-11-25')

const labels: Fields = { title: may(TEXT), description: may(TEXT) }
const textDefault: Fields = { default: may(TEXT, URLS) }
const titledChoices = list(object({ const: need(TEXT), title: need(TEXT) }))
const many: Fields = {
  ...labels,
  type: need(choice('array')),
  minItems: may(INTEGER),
  maxItems: may(INTEGER),
  default: may(list(TEXT)),
}
const plainChoice = object({
  ...labels,
  ...textDefault,
  type: need(choice('string')),
  enum: need(list(TEXT)),
})
const namedChoice = object({
  ...labels,
  ...textDefault,
  type: need(choice('string')),
  enum: need(list(TEXT)),
  enumNames: may(list(TEXT)),
})

/** Asking the user, by a form or at a URL (Client Features: Elicitation). */
export const ELICITATION: Definitions = {
  StringSchema: only(
    object({
      ...labels,
      ...textDefault,
      type: need(choice('string')),
      minLength: may(INTEGER),
      maxLength: may(INTEGER),
      format: may(choice('email', 'uri', 'date', 'date-time')),
    }),
    FORMS,
  ),
  NumberSchema: only(
    object({
      ...labels,
      type: need(choice('number', 'integer')),
      minimum: may(NUMBER),
      maximum: may(NUMBER),
      default: may(NUMBER, URLS),
    }),
    FORMS,
  ),
  BooleanSchema: only(object({ ...labels, type: need(choice('boolean')), default: may(BOOLEAN) }), FORMS),
  UntitledSingleSelectEnumSchema: only(plainChoice, URLS),
  TitledSingleSelectEnumSchema: only(
    object({ ...labels, ...textDefault, type: need(choice('string')), oneOf: need(titledChoices) }),
    URLS,
  ),
  SingleSelectEnumSchema: only(
    union(named('UntitledSingleSelectEnumSchema'), named('TitledSingleSelectEnumSchema')),
    URLS,
  ),
  UntitledMultiSelectEnumSchema: only(
    object({ ...many, items: need(object({ type: need(choice('string')), enum: need(list(TEXT)) })) }),
    URLS,
  ),
  TitledMultiSelectEnumSchema: only(
    object({ ...many, items: need(object({ anyOf: need(titledChoices) })) }),
    URLS,
  ),
  MultiSelectEnumSchema: only(
    union(named('UntitledMultiSelectEnumSchema'), named('TitledMultiSelectEnumSchema')),
    URLS,
  ),
  LegacyTitledEnumSchema: only(namedChoice, URLS),
  EnumSchema: [
    only(namedChoice, between('2025-06-18', '2025-06-18')),
    only(
      union(named('SingleSelectEnumSchema'), named('MultiSelectEnumSchema'), named('LegacyTitledEnumSchema')),
      URLS,
    ),
  ],
  PrimitiveSchemaDefinition: only(
    union(named('StringSchema'), named('NumberSchema'), named('BooleanSchema'), named('EnumSchema')),
    FORMS,
  ),
  ElicitRequest: only(embedded('elicitation/create', named('ElicitRequestParams')), FORMS),
  ElicitRequestParams: [
    only(named('ElicitRequestFormParams'), between('2025-06-18', '2025-06-18')),
    only(union(named('ElicitRequestURLParams'), named('ElicitRequestFormParams')), URLS),
  ],
  ElicitRequestFormParams: only(
    object({
      ...ASKING_META,
      ...AUGMENTED,
      mode: may(choice('form'), URLS),
      message: need(TEXT),
      requestedSchema: need(
        object({
          $schema: [may(ANY, until('2025-06-18')), may(TEXT, URLS)],
          type: need(choice('object')),
          properties: need(map(named('PrimitiveSchemaDefinition'))),
          required: may(list(TEXT)),
        }),
      ),
    }),
    FORMS,
  ),
  ElicitRequestURLParams: only(
    object({
      ...ASKING_META,
      ...AUGMENTED,
      mode: need(choice('url')),
      message: need(TEXT),
      url: need(URI),
      elicitationId: need(TEXT, LEGACY),
    }),
    URLS,
  ),
  ElicitResult: only(
    object({
      _meta: may(OPEN, LEGACY),
      action: need(choice('accept', 'decline', 'cancel')),
      content: may(map(union(TEXT, NUMBER, BOOLEAN, only(list(TEXT), URLS)))),
    }),
    FORMS,
  ),
  ElicitationCompleteNotification: only(
    notification('notifications/elicitation/complete', { elicitationId: need(TEXT) }),
    between('2025-11-25', '2025-11-25'),
  ),
}
