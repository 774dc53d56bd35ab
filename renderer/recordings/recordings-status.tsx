import { useQuery } from '@tanstack/react-query'
import { query } from '../host/api.ts'
import { bytesText, countText } from '../text/measures.ts'
import { recordingsText } from './text.ts'

/** What the status bar says about recordings. */
export default function RecordingsStatus() {
  const { data = [] } = useQuery(query.recordings.list.queryOptions())
  const settings = useQuery(query.recordings.settings.queryOptions())
  const bytes = data.reduce((sum, each) => sum + each.bytes, 0)
  return (
    <>
      <b>{recordingsText.status.count(countText(data.length))}</b>
      {settings.data?.on === false && <span className="is-warn">{recordingsText.status.off}</span>}
      <span>{recordingsText.status.onDisk(bytesText(bytes))}</span>
    </>
  )
}
