import { isJsonObject, type JsonObject } from '../../protocol/json.ts'
import { exampleArguments } from './example-arguments.ts'

/** A tool with a certain behaviour, and arguments that cause it. */
export type FixtureTool = { readonly name: string; readonly arguments: JsonObject; readonly tool: JsonObject }

/** A behaviour that a check needs of some tool. */
export type FixtureKind =
  | 'echo'
  | 'simple'
  | 'progress'
  | 'frequent-progress'
  | 'logging'
  | 'frequent-logging'
  | 'failing'
  | 'slow'
  | 'slow-effect'
  | 'sampling'
  | 'sampling-tools'
  | 'elicitation'
  | 'url-elicitation'
  | 'url-required'
  | 'url-completion'
  | 'roots'
  | 'asks-with-progress'
  | 'asks-slowly'
  | 'structured'
  | 'output-schema'
  | 'header-parameter'
  | 'header-integer'
  | 'annotated'
  | 'state'
  | 'notifies'
  | 'changes-lists'
  | 'changes-resource'
  | 'releases-stream'
  | 'ends-listens'
  | 'secrets'
  | 'task'
  | 'slow-task'
  | 'required-task'
  | 'error-task'
  | 'failing-task'
  | 'asking-task'
  | 'twice-asking-task'
  | 'progress-task'
  | 'multi-round'
  | 'cross-request-state'
  | 'input-required'
  | 'state-only'

/** Names by which the official suite and our reference server call their tools. */
const NAMES: Readonly<Record<FixtureKind, readonly string[]>> = {
  echo: ['test_echo', 'echo'],
  simple: ['test_simple_text', 'echo', 'greet'],
  progress: ['test_tool_with_progress', 'trigger-long-running-operation', 'longRunningOperation'],
  'frequent-progress': ['test_frequent_progress'],
  logging: ['test_log_levels', 'test_tool_with_logging', 'test_logging_tool'],
  'frequent-logging': ['test_frequent_logging'],
  failing: ['test_error_handling'],
  slow: ['test_slow'],
  'slow-effect': ['test_slow_effect'],
  sampling: ['test_sampling', 'test_input_required_result_sampling'],
  'sampling-tools': ['test_sampling_tools'],
  elicitation: ['test_elicitation', 'test_input_required_result_elicitation'],
  'url-elicitation': ['test_url_elicitation'],
  'url-required': ['test_url_required'],
  'url-completion': ['test_url_completion'],
  roots: ['test_roots', 'test_input_required_result_list_roots'],
  'asks-with-progress': ['test_asks_with_progress'],
  'asks-slowly': ['test_asks_slowly'],
  structured: ['test_structured'],
  'output-schema': ['test_structured'],
  'header-parameter': ['test_custom_header'],
  'header-integer': ['test_header_integer'],
  annotated: ['test_annotated'],
  state: ['test_input_required_result_request_state'],
  notifies: ['test_trigger_tool_change'],
  'changes-lists': ['test_change_lists'],
  'changes-resource': ['test_change_resource'],
  'releases-stream': ['test_reconnection'],
  'ends-listens': ['test_end_listens'],
  secrets: ['test_secrets'],
  task: ['slow_compute', 'greet'],
  'slow-task': ['slow_compute'],
  'required-task': ['failing_job'],
  'error-task': ['protocol_error_job'],
  'failing-task': ['failing_job'],
  'asking-task': ['confirm_delete'],
  'twice-asking-task': ['multi_input'],
  'progress-task': ['test_task_progress'],
  'multi-round': ['test_input_required_result_multi_round'],
  'cross-request-state': ['test_cross_request_state'],
  'input-required': ['test_input_required_result_elicitation'],
  'state-only': ['test_state_only'],
}

/** Arguments of fixture tools where their schema says too little. */
const ARGUMENTS: Readonly<Record<string, JsonObject>> = {
  test_elicitation: { message: 'Please fill in' },
  test_sampling: { prompt: 'Hello' },
  slow_compute: { seconds: 0.2, label: 'work' },
  test_custom_header: { region: 'north' },
  confirm_delete: { filename: 'a.txt' },
  test_slow_effect: { milliseconds: 600 },
  'trigger-long-running-operation': { duration: 1, steps: 4 },
  longRunningOperation: { duration: 1, steps: 4 },
}

/** The arguments of a fixture tool whose schema says too little. */
export function fixtureArguments(name: string): JsonObject | undefined {
  return Object.hasOwn(ARGUMENTS, name) ? ARGUMENTS[name] : undefined
}

/** The same for a tool that serves several kinds. */
const ARGUMENTS_OF_KIND: Readonly<Partial<Record<FixtureKind, JsonObject>>> = {
  'slow-task': { seconds: 1.5, label: 'work' },
}

/** Fixtures that the user named for the examined server, by kind. */
export type FixtureProfile = Readonly<
  Partial<Record<FixtureKind, { readonly tool: string; readonly arguments?: JsonObject }>>
>

/** Finds a tool of a kind: by the profile, then by name, then by its definition. */
export function findFixture(
  kind: FixtureKind,
  tools: readonly JsonObject[],
  profile: FixtureProfile = {},
): FixtureTool | undefined {
  const chosen = profile[kind]
  const byName = (name: string) => tools.find((tool) => tool['name'] === name)
  if (chosen !== undefined) {
    const tool = byName(chosen.tool)
    return (
      tool && {
        name: chosen.tool,
        tool,
        arguments: chosen.arguments ?? exampleArguments(tool['inputSchema']),
      }
    )
  }
  const tool = NAMES[kind].map(byName).find((each) => each !== undefined) ?? byDefinition(kind, tools)
  const name = tool?.['name']
  if (tool === undefined || typeof name !== 'string') return undefined
  return {
    name,
    tool,
    arguments: ARGUMENTS_OF_KIND[kind] ?? ARGUMENTS[name] ?? exampleArguments(tool['inputSchema']),
  }
}

function byDefinition(kind: FixtureKind, tools: readonly JsonObject[]): JsonObject | undefined {
  switch (kind) {
    case 'output-schema':
    case 'structured':
      return tools.find((tool) => isJsonObject(tool['outputSchema']))
    case 'annotated':
      return tools.find((tool) => isJsonObject(tool['annotations']))
    case 'simple':
      return tools.find((tool) => Object.keys(exampleArguments(tool['inputSchema'])).length === 0)
    case 'task':
      return tools.find(
        (tool) => isJsonObject(tool['execution']) && tool['execution']['taskSupport'] !== 'forbidden',
      )
    default:
      return undefined
  }
}
