import { WIRE_TRANSPORTS, type WireTransport } from '../../protocol/transport-kind.ts'
import { z } from 'zod'
import { SUPPORTED, type Revision } from '../../protocol/revisions.ts'
import { type Catalogue } from './catalogue.ts'
import { CatalogueError } from './catalogue-error.ts'

const transportSchema = z.enum(WIRE_TRANSPORTS)
const revisionSchema = z.enum(['2024-11-05', '2025-03-26', '2025-06-18', '2025-11-25', '2026-07-28'])

const statementSchema = z.object({
  id: z.string(),
  level: z.enum(['MUST', 'MUST NOT', 'SHOULD', 'SHOULD NOT', 'MAY']),
  binds: z.enum(['server', 'client', 'both', 'transport', 'intermediary', 'authorization-server']),
  transports: z.string().transform(transportsOf),
  revisions: z.string().transform(revisionsOf),
  section: z.string(),
  text: z.string(),
  testable: z.string(),
  source: z.string(),
  suite: z.string(),
})

const checkSchema = z.object({
  id: z.string(),
  group: z.string(),
  sides: z.array(z.enum(['server', 'client'])).min(1),
  passive: z.boolean(),
  severity: z.enum(['critical', 'error', 'warning', 'info']),
  transports: z.array(transportSchema).min(1),
  revisions: z.array(revisionSchema).min(1),
  destructive: z.boolean(),
  negative: z.boolean(),
  needs: z
    .string()
    .nullable()
    .transform((needs) => needs ?? undefined),
  statements: z.array(z.string()).min(1),
  probe: z.string(),
  pass: z.string(),
  fail: z.string(),
  inconclusive: z.string(),
})

let loaded: Promise<Catalogue> | undefined

/** Loads the catalogue at the first call. Rejects with a `CatalogueError` if the data is invalid. */
export function loadCatalogue(): Promise<Catalogue> {
  return (loaded ??= load())
}

async function load(): Promise<Catalogue> {
  const [statements, checks] = await Promise.all([
    import('./statements.json', { with: { type: 'json' } }),
    import('./checks.json', { with: { type: 'json' } }),
  ])
  return parseCatalogue(statements.default, checks.default)
}

/** Validates the data of the catalogue. Throws a `CatalogueError` that names the entry at fault. */
export function parseCatalogue(statements: unknown, checks: unknown): Catalogue {
  const byId = new Map(read(z.array(statementSchema), statements).map((row) => [row.id, row]))
  const entries = read(z.array(checkSchema), checks).map((row) => {
    const [first] = row.statements
    for (const id of row.statements) {
      if (!byId.has(id))
        throw new CatalogueError(`Check ${row.id} names the statement ${id}, which does not exist`)
    }
    return { ...row, title: byId.get(first ?? '')?.text ?? row.id }
  })
  const checksById = new Map(entries.map((entry) => [entry.id, entry]))
  if (checksById.size < entries.length) throw new CatalogueError('Two checks have the same id')
  return { statements: byId, checks: checksById }
}

function read<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const [issue] = parsed.error.issues
  throw new CatalogueError(
    `The catalogue is invalid at ${issue?.path.join('.') ?? ''}: ${issue?.message ?? ''}`,
  )
}

/** `2024-11-05..2025-06-18,2026-07-28` as a list. */
function revisionsOf(text: string): Revision[] {
  return text.split(',').flatMap((span) => {
    const [from = '', to = from] = span.split('..')
    return SUPPORTED.filter((revision) => revision >= from && revision <= to)
  })
}

function transportsOf(text: string): WireTransport[] {
  if (text === 'all') return [...WIRE_TRANSPORTS]
  const names = text.split(',')
  const known: Readonly<Record<string, WireTransport>> = { 'streamable-http': 'http', 'http+sse': 'sse' }
  return WIRE_TRANSPORTS.filter((name) => names.some((each) => (known[each] ?? each) === name))
}
