import { useQuery } from '@tanstack/react-query'
import { Icon } from '../controls/icon.tsx'
import { query } from '../host/api.ts'
import { SafeText } from '../text/safe-text.tsx'
import { registryText } from './text.ts'
import { useGeneration } from './use-registry.ts'

interface SchemaChangesProps {
  entryKey: string
  /** Revisions of the script that defines the entry. */
  from: number
  to: number
}

/** List items: how an entry differs between two revisions of its script, and whether that breaks callers. */
export function SchemaChanges({ entryKey, from, to }: SchemaChangesProps) {
  const options = query.registry.schemaDiff.queryOptions({ input: { key: entryKey, from, to } })
  const { data, error } = useQuery({ ...options, queryKey: [...options.queryKey, useGeneration()] })
  const name = entryKey.replace(/^[a-z]+:/, '')
  if (error !== null) {
    return (
      <li className="t3">
        <SafeText>{`${name}: ${error.message}`}</SafeText>
      </li>
    )
  }
  return (data?.changes ?? []).map(({ part, pointer, what, breaking }) => (
    <li key={`${part} ${pointer} ${what}`}>
      <span className={breaking ? 'is-error row' : 'is-ok row'}>
        <Icon name={breaking ? 'warn' : 'check'} small />
        {breaking ? registryText.schemaChanges.breaking : registryText.schemaChanges.compatible}
      </span>
      <span>
        <span className="mono">
          <SafeText>{name}</SafeText>
        </span>{' '}
        {part}: <SafeText>{what}</SafeText>
      </span>
    </li>
  ))
}
