import { expect, it } from 'vitest'
import { loadChecks } from '../checks/load-checks.ts'
import frozen from '../suites/2026.11.json' with { type: 'json' }
import { checkList, parseCheckList } from './check-list.ts'
import { loadCatalogue } from './load-catalogue.ts'
import serverChecks from './server-checks.json' with { type: 'json' }

it('lists every check of servers in server-checks.json; npm run checks:pages writes it', async () => {
  const [catalogue, checks] = await Promise.all([loadCatalogue(), loadChecks()])
  expect(parseCheckList(serverChecks)).toEqual(checkList(catalogue, checks, frozen))
})
