import { Tabs as Base } from '@base-ui/react/tabs'
import type { ReactNode } from 'react'
import styles from './tabs.module.css'

export interface TabChoice<Value extends string> {
  readonly value: Value
  readonly label: string
  /** Shown smaller behind the label. */
  readonly count?: ReactNode
}

interface TabListProps<Value extends string> {
  label: string
  tabs: readonly TabChoice<Value>[]
}

/** The row of tabs, inside `TabsRoot`: one underline, no boxes. */
export function TabList<Value extends string>({ label, tabs }: TabListProps<Value>) {
  return (
    <Base.List className={styles.list} aria-label={label} activateOnFocus>
      {tabs.map((tab) => (
        <Base.Tab key={tab.value} value={tab.value} className={styles.tab}>
          {tab.label}
          {tab.count !== undefined && (
            <>
              {' '}
              <span className="count">{tab.count}</span>
            </>
          )}
        </Base.Tab>
      ))}
    </Base.List>
  )
}

interface TabsRootProps<Value extends string> {
  value: Value
  onValueChange: (value: Value) => void
  className?: string | undefined
  children: ReactNode
}

/** Ties a `TabList` to its `TabPanel`s. */
export function TabsRoot<Value extends string>({
  value,
  onValueChange,
  className,
  children,
}: TabsRootProps<Value>) {
  return (
    <Base.Root className={className} value={value} onValueChange={(next: Value) => onValueChange(next)}>
      {children}
    </Base.Root>
  )
}

interface TabPanelProps {
  value: string
  className?: string | undefined
  /** Stays in the page while another tab is shown. */
  keepMounted?: boolean | undefined
  children: ReactNode
}

/** What belongs to the tab with the same `value`; it is drawn only while that tab is chosen. */
export function TabPanel({ value, className, keepMounted = false, children }: TabPanelProps) {
  return (
    <Base.Panel value={value} className={className} keepMounted={keepMounted}>
      {children}
    </Base.Panel>
  )
}
