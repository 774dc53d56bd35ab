import { useCallback, useMemo } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { CallTab } from './call-tab.tsx'
import { templateForm } from './template-form.ts'
import { useListed } from './use-listed.ts'
import { workOf } from './work-store.ts'

interface TemplateTabProps {
  id: string
  serverId: string
  uriTemplate: string
}

/** A resource template: a field for each variable, and the resource they name (RFC 6570; MCP, resources/read). */
export function TemplateTab({ id, serverId, uriTemplate }: TemplateTabProps) {
  const form = useMemo(() => templateForm(uriTemplate), [uriTemplate])
  const work = workOf(id, form.schema, 'call')
  const find = useCallback(
    (lists: Lists) =>
      lists.resourceTemplates.find(
        ({ value }) => isJsonObject(value) && value['uriTemplate'] === uriTemplate,
      ),
    [uriTemplate],
  )
  const definition = useListed(work, serverId, find)
  const value = definition.listed?.value
  const description = isJsonObject(value) ? value['description'] : undefined
  const completes = useMemo(() => ({ type: 'ref/resource', uri: uriTemplate }) as const, [uriTemplate])
  return (
    <CallTab
      id={id}
      work={work}
      serverId={serverId}
      title={uriTemplate}
      marks={[]}
      description={typeof description === 'string' ? description : undefined}
      definition={definition}
      noun="resource template"
      schema={form.schema}
      verb="Read"
      pageName="Contents"
      kind="resource"
      request={form.request}
      completes={completes}
    />
  )
}
