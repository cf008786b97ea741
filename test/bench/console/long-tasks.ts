import { setTimeout as sleep } from 'node:timers/promises'
import type { Page } from 'playwright'

/** Milliseconds after an action during which what it started still counts. */
const SETTLE = 750
/** Milliseconds between two keys. */
const KEY = 80
/** Milliseconds after which what is waited for will not come. */
const PATIENCE = 20_000

/** What an action cost the thread that draws the page. */
export interface Felt {
  /** Milliseconds of each task that took over 50 ms. */
  readonly longTasks: readonly number[]
  /** Milliseconds until what was waited for was drawn. */
  readonly ms?: number
}

/** Notes the long tasks of a page while `work` runs, and shortly after it. A number that it returns counts as its milliseconds. */
export async function during(page: Page, work: () => Promise<unknown>): Promise<Felt> {
  await sleep(SETTLE)
  await page.evaluate(`{
    window.longTasks = []
    window.taskObserver?.disconnect()
    window.taskObserver = new PerformanceObserver((list) => {
      window.longTasks.push(...list.getEntries().map(({ duration }) => duration))
    })
    window.taskObserver.observe({ type: 'longtask' })
  }`)
  const ms = await work()
  await sleep(SETTLE)
  const longTasks = await page.evaluate<number[]>('window.longTasks')
  return { longTasks, ...(typeof ms === 'number' && { ms }) }
}

/** Types into the field that has the focus, as fast as people do. */
export function type(page: Page, text: string): Promise<void> {
  return page.keyboard.type(text, { delay: KEY })
}

/**
 * Returns the milliseconds from `action` until `isThere` holds and is drawn. Both are expressions of the page: asking
 * it from outside would itself be work for its thread.
 */
export function timeUntil(page: Page, action: string, isThere: string): Promise<number> {
  return page.evaluate<number>(`new Promise((resolve, reject) => {
    const began = performance.now()
    const drawn = () => resolve(performance.now() - began)
    const look = () => {
      if (${isThere}) requestAnimationFrame(() => setTimeout(drawn))
      else if (performance.now() - began > ${PATIENCE}) reject(new Error('it did not come'))
      else requestAnimationFrame(look)
    }
    ${action}
    look()
  })`)
}
