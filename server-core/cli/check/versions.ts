import type { ConformanceReport } from '../../conformance/report/report-schema.ts'
import { productVersion } from '../../host/version.ts'

/** What a report was made with. */
export function versionsHere(): ConformanceReport['versions'] {
  const { version, platform, arch } = process
  return { patchbay: productVersion, node: version.slice(1), platform: `${platform} ${arch}` }
}
