/** Entry point `patchbay/test`: Playwright Test for MCP servers and clients. docs/testing.md shows each feature. */
export type { Answers } from '../server-core/playwright/answers/answers.ts'
export type {
  ExpectedElicitation,
  ExpectedQuestion,
  ExpectedSampling,
  Question,
} from '../server-core/playwright/answers/expected-question.ts'
export type { Faults } from '../server-core/playwright/connection/faults.ts'
export type { McpClient, McpRequestOptions } from '../server-core/playwright/connection/mcp-client.ts'
export type { ConnectOptions } from '../server-core/playwright/connection/open-client.ts'
export type { ContentBlock, ToolResult } from '../server-core/playwright/connection/results.ts'
export type { ToolArguments, ToolName, ToolOutput } from '../server-core/playwright/connection/tool-types.ts'
export { conformance } from '../server-core/playwright/conformance/conformance.ts'
export type {
  CheckPattern,
  ConformanceOptions,
} from '../server-core/playwright/conformance/conformance-options.ts'
export { expect } from '../server-core/playwright/matchers/expect.ts'
export type { McpExpect, McpMatchers } from '../server-core/playwright/matchers/expect.ts'
export { matrix } from '../server-core/playwright/matrix.ts'
export type { Matrix } from '../server-core/playwright/matrix.ts'
export type { MockDefinition, MockServer } from '../server-core/playwright/mock/mock-server.ts'
export type {
  AuthorizationOption,
  FaultOption,
  McpOptions,
  ServerOption,
} from '../server-core/playwright/options.ts'
export type { TestedServer } from '../server-core/playwright/server/tested-server.ts'
export { test } from '../server-core/playwright/test.ts'
export type { McpFixtures, McpTest } from '../server-core/playwright/test-type.ts'
export type { Timeline, TimelineExchange } from '../server-core/playwright/timeline/timeline.ts'
export type { PatchbayWindow } from '../server-core/playwright/window/patchbay-window.ts'
