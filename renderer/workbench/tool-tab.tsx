import { useCallback, useMemo } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject } from '../../server-core/protocol/json.ts'
import { marksOf } from '../explorer/entries.ts'
import { CallTab } from './call-tab.tsx'
import { useListed } from './use-listed.ts'
import { workOf } from './work-store.ts'

interface ToolTabProps {
  id: string
  serverId: string
  name: string
}

const NO_ARGUMENTS = { type: 'object' }

/** A tool: its arguments as a form and as JSON, and its results (MCP, tools: tools/call). */
export function ToolTab({ id, serverId, name }: ToolTabProps) {
  const work = workOf(id, NO_ARGUMENTS, 'call')
  const find = useCallback((lists: Lists) => lists.tools.find((tool) => tool.name === name), [name])
  const definition = useListed(work, serverId, find)
  const tool = useMemo(
    () => (isJsonObject(definition.listed?.value) ? definition.listed.value : {}),
    [definition.listed],
  )
  const { description } = tool
  const request = useCallback(
    (text: string) => ({
      method: 'tools/call',
      paramsText: `{"name":${JSON.stringify(name)},"arguments":${text}}`,
    }),
    [name],
  )
  return (
    <CallTab
      work={work}
      serverId={serverId}
      title={name}
      marks={marksOf(tool)}
      description={typeof description === 'string' ? description : undefined}
      definition={definition}
      noun="tool"
      schema={tool['inputSchema'] ?? NO_ARGUMENTS}
      verb="Run"
      pageName="Call"
      kind="tool"
      request={request}
    />
  )
}
