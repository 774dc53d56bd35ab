import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { ExamState } from '../../server-core/host/contract/conformance.ts'
import { focusPanel } from '../app/panel-walk.ts'
import { Bar } from '../controls/bar.tsx'
import { EmptyState } from '../controls/empty-state.tsx'
import { query } from '../host/api.ts'
import { live } from '../host/live.ts'
import { useObservable, useSelected } from '../state/observable.ts'
import { CheckBody } from './check-detail.tsx'
import { Columns } from './columns.tsx'
import styles from './conformance.module.css'
import { ExamForm, ExamPanel } from './exam-panel.tsx'
import { KindSwitch } from './run-panel.tsx'
import { conformanceText } from './text.ts'
import { chosenExamCheck } from './view-state.ts'

const { exam: text, detail, page } = conformanceText

/** The exam of a client that a person uses: how it connects, what to do, and what the checks say. */
export function ClientExam() {
  const exam = useSelected(live.parts.conformance, (state) => state?.exam)
  const selected = useObservable(chosenExamCheck)
  return (
    <Columns
      left={
        <>
          <Bar>
            <h2>{page.conformance}</h2>
          </Bar>
          <KindSwitch />
          <ExamForm exam={exam} />
          <p className={styles.footer}>{text.stdioText}</p>
        </>
      }
      middle={
        exam === undefined ? (
          <EmptyState title={text.emptyTitle}>{text.emptyText}</EmptyState>
        ) : (
          <ExamPanel
            exam={exam}
            selected={selected}
            onSelect={(id) => chosenExamCheck.set(id)}
            onOpen={() => focusPanel('check')}
          />
        )
      }
      detail={
        exam !== undefined && exam.rows.some(({ id }) => id === selected) ? (
          <ExamCheck exam={exam} id={selected ?? ''} />
        ) : (
          <p className={styles.nothing}>{detail.select}</p>
        )
      }
    />
  )
}

function ExamCheck({ exam, id }: { exam: ExamState; id: string }) {
  const sent = exam.methods.reduce((sum, { count }) => sum + count, 0)
  const { data } = useQuery({
    ...query.conformance.examCheck.queryOptions({ input: { id } }),
    queryKey: [...query.conformance.examCheck.key({ input: { id } }), exam.startedAt, exam.phase, sent],
    placeholderData: keepPreviousData,
    gcTime: 0,
  })
  return data === undefined ? null : <CheckBody check={data} />
}
