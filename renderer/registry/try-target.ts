import type { RegistryEntry } from '../../server-core/host/contract/registry.ts'
import type { Lists, Listed } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import type { Parsed } from '../../server-core/protocol/parsed.ts'
import { namedRequest } from '../workbench/named-request.ts'
import { promptSchema } from '../workbench/prompt-schema.ts'
import type { ResultKind } from '../workbench/results/answer.ts'
import type { TabTarget } from '../workbench/tabs-store.ts'
import { templateForm } from '../workbench/template-form.ts'
import type { Request } from '../workbench/use-call.ts'

/** How an entry is called: its arguments, its verb and its request. */
export interface Trial {
  readonly schema: unknown
  readonly verb: 'Run' | 'Read' | 'Get'
  readonly kind: ResultKind
  readonly request: (argumentsText: string) => Parsed<Request>
}

type Entry = Pick<RegistryEntry, 'kind' | 'shownName'>

const NOTHING: JsonObject = { type: 'object', properties: {}, additionalProperties: false }

/** The listed definition of the entry; `undefined` if it is not listed. */
export function findListed({ kind, shownName }: Entry, lists: Lists): Listed | undefined {
  const has =
    (member: string) =>
    ({ value }: Listed) =>
      isJsonObject(value) && value[member] === shownName
  switch (kind) {
    case 'tool':
      return lists.tools.find(has('name'))
    case 'prompt':
      return lists.prompts.find(has('name'))
    case 'resource':
      return lists.resources.find(has('uri'))
    case 'template':
      return lists.resourceTemplates.find(has('uriTemplate'))
  }
}

/** How the entry is called, by its listed definition. */
export function trialOf({ kind, shownName }: Entry, listed: Listed | undefined): Trial {
  const value = isJsonObject(listed?.value) ? listed.value : {}
  switch (kind) {
    case 'tool':
      return {
        schema: value['inputSchema'] ?? { type: 'object' },
        verb: 'Run',
        kind: 'tool',
        request: namedRequest('tools/call', shownName),
      }
    case 'prompt':
      return {
        schema: promptSchema(value),
        verb: 'Get',
        kind: 'prompt',
        request: namedRequest('prompts/get', shownName),
      }
    case 'resource':
      return {
        schema: NOTHING,
        verb: 'Read',
        kind: 'resource',
        request: () => ({
          ok: true,
          value: { method: 'resources/read', paramsText: JSON.stringify({ uri: shownName }) },
        }),
      }
    case 'template':
      return { ...templateForm(shownName), verb: 'Read', kind: 'resource' }
  }
}

/** The tab of the inspector for the entry. */
export function targetOf({ kind, shownName }: Entry, serverId: string): TabTarget {
  switch (kind) {
    case 'tool':
    case 'prompt':
      return { kind, serverId, name: shownName }
    case 'resource':
      return { kind, serverId, uri: shownName }
    case 'template':
      return { kind: 'resource-template', serverId, uriTemplate: shownName }
  }
}
