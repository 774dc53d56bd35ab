import { lazy } from 'react'

const loadTool = () => import('./tool-tab.tsx')
const loadResource = () => import('./resource-tab.tsx')
const loadTemplate = () => import('./template-tab.tsx')
const loadPrompt = () => import('./prompt-tab.tsx')

/** The tabs that send requests, loaded when one is opened first or after the first view is drawn. */
export const ToolTab = lazy(async () => ({ default: (await loadTool()).ToolTab }))
export const ResourceTab = lazy(async () => ({ default: (await loadResource()).ResourceTab }))
export const TemplateTab = lazy(async () => ({ default: (await loadTemplate()).TemplateTab }))
export const PromptTab = lazy(async () => ({ default: (await loadPrompt()).PromptTab }))

/** Loads the tabs, so that the first one opens without a wait. */
export async function loadCallTabs(): Promise<void> {
  await Promise.all([loadTool(), loadResource(), loadTemplate(), loadPrompt()])
}
