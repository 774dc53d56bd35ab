import { Registry } from '../../../server-core/registry/registry.ts'
import { addAskingTools } from '../../conformance/fixtures/asking-tools.ts'
import { addContentTools } from '../../conformance/fixtures/content-tools.ts'
import { addPollingTool } from '../../conformance/fixtures/polling-tool.ts'
import { addPrompts, addResources } from '../../conformance/fixtures/resources-and-prompts.ts'
import { addRoundTools } from '../../conformance/fixtures/round-tools.ts'
import { addTaskTools } from '../../conformance/fixtures/task-tools.ts'
import { AREA_PROOFS } from '../areas.ts'
import { addCheckTools } from './check-tools.ts'
import { addWholeTypes } from './whole-types.ts'

/** Everything that the official suite and our checks look for in a server. */
export function referenceRegistry(): Registry {
  // Fixtures fail on purpose; their stacks are no news.
  const registry = new Registry({ report: () => undefined })
  addWholeTypes(registry)
  addContentTools(registry)
  addAskingTools(registry)
  addRoundTools(registry)
  addPollingTool(registry)
  addTaskTools(registry)
  addResources(registry)
  addPrompts(registry)
  addCheckTools(registry)
  for (const { fixtures } of AREA_PROOFS) fixtures?.(registry)
  return registry
}
