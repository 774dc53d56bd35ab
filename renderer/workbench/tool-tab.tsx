import { useCallback, useMemo } from 'react'
import type { Lists } from '../../server-core/host/contract/inspect.ts'
import { isJsonObject, type JsonObject } from '../../server-core/protocol/json.ts'
import { tagsOf } from '../../server-core/protocol/tags.ts'
import { marksOf } from '../explorer/entries.ts'
import { CallTab } from './call-tab.tsx'
import { namedRequest } from './named-request.ts'
import { useListed } from './use-listed.ts'
import { workOf } from './work-store.ts'
import { workbenchText } from './text.ts'

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
  const taskSupport = taskSupportOf(tool, definition.server?.capabilities)
  const asTask = useMemo(() => namedRequest('tools/call', name, { isTask: true }), [name])
  const plain = useMemo(() => namedRequest('tools/call', name), [name])
  return (
    <CallTab
      id={id}
      work={work}
      serverId={serverId}
      title={name}
      marks={marksOf(tool)}
      tags={tagsOf(tool)}
      description={typeof description === 'string' ? description : undefined}
      definition={definition}
      noun="tool"
      schema={tool['inputSchema'] ?? NO_ARGUMENTS}
      verb="Run"
      pageName="Call"
      kind="tool"
      request={taskSupport === 'required' ? asTask : plain}
      other={
        taskSupport === 'optional' ? { verb: workbenchText.toolTab.runAsTask, request: asTask } : undefined
      }
    />
  )
}

/**
 * Whether a call of this tool may or has to ask for a task (2025-11-25, Tasks: tool-level negotiation). From 2026-07-28
 * on the server decides by itself, so that there is nothing to ask for.
 */
function taskSupportOf(tool: JsonObject, capabilities: unknown): 'optional' | 'required' | undefined {
  const requests = memberOf(memberOf(capabilities, 'tasks'), 'requests')
  if (memberOf(memberOf(requests, 'tools'), 'call') === undefined) return undefined
  const support = memberOf(tool['execution'], 'taskSupport')
  return support === 'optional' || support === 'required' ? support : undefined
}

function memberOf(value: unknown, name: string): unknown {
  return isJsonObject(value) ? value[name] : undefined
}
