import { z } from 'zod'

/** Precedes the names of a source. */
const prefixSchema = z
  .string()
  .regex(/^[A-Za-z0-9](?:[A-Za-z0-9_-]*[A-Za-z0-9])?$/, {
    error: 'expected letters, digits, "-" and "_" between them, such as "birds"',
  })
  .max(64)

const placed = {
  prefix: prefixSchema.optional(),
  /** Between the prefix and a name; `.` if not given. */
  separator: z.enum(['.', '_']).optional(),
}

/** A text, or the name of a secret of the workspace that holds it. */
const confidentialSchema = z.union([z.string(), z.strictObject({ secret: z.string().min(1) })])
export type Confidential = z.infer<typeof confidentialSchema>

const described = {
  name: z.string().min(1).optional(),
  title: z.string().optional(),
  description: z.string().optional(),
}

/** Another workspace, served under a prefix. */
export const mountSchema = z.strictObject({
  /** From the folder of this workspace, or absolute. */
  folder: z.string().min(1),
  ...placed,
})

/** Another server, served on under a prefix. */
export const proxySchema = z.strictObject({
  /** The name or id of an approved entry. */
  server: z.string().min(1),
  ...placed,
  /** Names or patterns (`read_*`) of the tools that are served, as the server has them, or tags (`tag:NAME`); all if not given. */
  only: z.array(z.string()).optional(),
  /** What is left out of those. */
  except: z.array(z.string()).optional(),
})
export type ProxyData = z.infer<typeof proxySchema>

const METHODS = ['get', 'put', 'post', 'delete', 'options', 'head', 'patch', 'trace', 'query'] as const
const methodSchema = z.string().transform((text, context) => {
  const method = METHODS.find((each) => each === text.toLowerCase())
  if (method !== undefined) return method
  context.addIssue({ code: 'custom', message: `expected one of ${METHODS.join(', ')}; got "${text}"` })
  return z.NEVER
})

/** What becomes of the operations that fit; the first route of the map that fits an operation decides. */
export const routeSchema = z.strictObject({
  /** All of them if not given. */
  methods: z.array(methodSchema).optional(),
  /** A pattern of the path as the document has it: `*` within a segment, `/pets/**` also `/pets` itself. */
  path: z.string().optional(),
  /** One of the operation's tags. */
  tag: z.string().optional(),
  /** A pattern of the operationId. */
  operationId: z.string().optional(),
  as: z.enum(['tool', 'resource', 'template', 'exclude']).optional(),
  ...described,
  annotations: z.record(z.string(), z.unknown()).optional(),
})
export type RouteData = z.infer<typeof routeSchema>

/** What a security scheme of the document needs, by its type. */
const credentialSchema = z.union([
  /** An API key, or a bearer token. */
  confidentialSchema,
  z.strictObject({ username: z.string(), password: confidentialSchema }),
  z.strictObject({
    clientId: z.string().min(1),
    clientSecret: confidentialSchema,
    scopes: z.array(z.string()).optional(),
    /** In place of the document's. */
    tokenUrl: z.string().optional(),
  }),
])
export type CredentialData = z.infer<typeof credentialSchema>

/** An HTTP interface that an OpenAPI document describes, as tools and resources. */
export const openApiSchema = z.strictObject({
  /** A file, from the folder of this workspace, or a URL. JSON or YAML, OpenAPI 3.0 or 3.1. */
  document: z.string().min(1),
  ...placed,
  /** In place of the document's first server. */
  baseUrl: z.string().optional(),
  routes: z.array(routeSchema).optional(),
  /** Go with every request. */
  headers: z.record(z.string(), confidentialSchema).optional(),
  /** By the name of the security scheme in the document. */
  credentials: z.record(z.string(), credentialSchema).optional(),
  /** False: tools declare no output schema, for interfaces that do not keep to their document. */
  outputSchemas: z.boolean().optional(),
  /** Milliseconds for one request; 30,000 if not given. */
  timeoutMs: z.number().int().positive().optional(),
  /** Bytes of an answer; 10 MiB if not given. */
  maximumBytes: z.number().int().positive().optional(),
})
export type OpenApiData = z.infer<typeof openApiSchema>

const readable = {
  ...described,
  mimeType: z.string().optional(),
  /** Bytes of one content; 10 MiB if not given. */
  maximumBytes: z.number().int().positive().optional(),
  annotations: z.record(z.string(), z.unknown()).optional(),
}

/** A file as a resource. */
export const fileSchema = z.strictObject({
  /** Inside the folder of this workspace. */
  path: z.string().min(1),
  /** `file:///` and the path in the workspace if not given. */
  uri: z.string().optional(),
  ...readable,
})
export type FileData = z.infer<typeof fileSchema>

/** The files of a folder as resources. */
export const directorySchema = z.strictObject({
  /** Inside the folder of this workspace. */
  folder: z.string().min(1),
  /** Precedes the path of each file; `file:///` and the folder if not given. */
  uri: z.string().optional(),
  /** Patterns of the paths in the folder; all files if not given. */
  pattern: z.union([z.string(), z.array(z.string())]).optional(),
  exclude: z.union([z.string(), z.array(z.string())]).optional(),
  /** Also the folders in it; true if not given. */
  recursive: z.boolean().optional(),
  /** Also what begins with a dot; false if not given. */
  hidden: z.boolean().optional(),
  /** True: the list of the files is a resource too, as JSON, at the URI before their paths. */
  listing: z.boolean().optional(),
  /** How many files are listed; 1,000 if not given. */
  maximumFiles: z.number().int().positive().optional(),
  ...readable,
})
export type DirectoryData = z.infer<typeof directorySchema>

/** What a URL gives as a resource. */
export const urlSchema = z.strictObject({
  url: z.url({ protocol: /^https?$/ }),
  /** The URL itself if not given. */
  uri: z.string().optional(),
  headers: z.record(z.string(), confidentialSchema).optional(),
  /** Milliseconds for one request, redirects included; 10,000 if not given. */
  timeoutMs: z.number().int().min(1).max(600_000).optional(),
  /** Milliseconds between two looks while somebody is subscribed; 30,000 if not given. */
  pollMs: z.number().int().min(100).optional(),
  ...readable,
})
export type UrlData = z.infer<typeof urlSchema>

/** Metadata of a schema that also accepts a text, which its JSON Schema has to add. */
export const ACCEPTS_TEXT = 'acceptsText'

/** Accepts the text of one member in place of the object. */
const textOr = <S extends z.ZodType>(member: 'path' | 'folder' | 'url', schema: S) =>
  z
    .preprocess((value) => (typeof value === 'string' ? { [member]: value } : value), schema)
    .meta({ [ACCEPTS_TEXT]: true })

/** The members of `patchbay.config.ts` that put a server together of others; each may be missing. */
export const compositionMembers = {
  mounts: z.array(mountSchema).optional(),
  proxies: z.array(proxySchema).optional(),
  openapi: z.array(openApiSchema).optional(),
  /** A text is the path. */
  files: z.array(textOr('path', fileSchema)).optional(),
  /** A text is the folder. */
  directories: z.array(textOr('folder', directorySchema)).optional(),
  /** A text is the URL. */
  urls: z.array(textOr('url', urlSchema)).optional(),
}

export const compositionSchema = z.object(compositionMembers)
/** What composes a server, parsed. */
export type CompositionData = z.infer<typeof compositionSchema>

/** What an author writes: a text may stand for a file, a folder or a URL alone. */
export type CompositionInput = {
  readonly mounts?: readonly z.input<typeof mountSchema>[]
  readonly proxies?: readonly z.input<typeof proxySchema>[]
  readonly openapi?: readonly z.input<typeof openApiSchema>[]
  readonly files?: readonly (string | z.input<typeof fileSchema>)[]
  readonly directories?: readonly (string | z.input<typeof directorySchema>)[]
  readonly urls?: readonly (string | z.input<typeof urlSchema>)[]
}
