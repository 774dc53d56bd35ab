import { z } from 'zod'
import { faultSettingsSchema } from '../faults/fault-settings.ts'
import { mockEntriesSchema, overridesSchema } from '../mocks/mock-entry.ts'
import { amendmentsSchema } from '../sources/amendments-data.ts'
import { compositionSchema } from '../sources/config-data.ts'
import { workspaceDocumentSchema } from '../workspace/server-entries.ts'
import type { WorkspaceFileMember } from './members.ts'
import { proxyMemberSchema } from './proxy-member.ts'
import { serveSchema } from './serve-member.ts'

const { servers, thisApp } = workspaceDocumentSchema.shape

const members = {
  $schema: z.string().optional().describe('JSON Schema of this file, for editors.'),
  version: z.literal(1).optional().describe('Version of the format. Default: 1.'),
  serve: serveSchema.optional(),
  proxy: proxyMemberSchema.optional(),
  servers: servers.describe(
    'Servers that this workspace connects to. Each must be approved before it starts.',
  ),
  thisApp: thisApp.describe('How the window connects to the server that Patchbay hosts.'),
  composition: compositionSchema
    .optional()
    .describe(
      'Mounted workspaces, proxied servers, OpenAPI documents, files and URLs that this server exposes.',
    ),
  amendments: amendmentsSchema
    .optional()
    .describe('Changes to entries, by "tool:NAME", "resource:URI", "template:TEMPLATE" or "prompt:NAME".'),
  mocks: mockEntriesSchema.optional().describe('Mock tools, resources, templates and prompts.'),
  overrides: overridesSchema.optional().describe('Results that replace the results of existing tools.'),
  faults: faultSettingsSchema.optional().describe('Faults that the server injects on purpose.'),
} satisfies Record<WorkspaceFileMember, z.ZodType>

/** The whole `patchbay.json` of a workspace. Unknown members are retained. */
export const workspaceFileSchema = z.looseObject(members)
